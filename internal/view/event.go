package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/event"
)

// Event is a line of `events`: the event as it is kept, and its time as every other
// document has it.
type Event struct {
	event.Event
	Schema string `json:"schema,omitempty"` // the document's own goes before it
	At     string `json:"at"`
}

// NewEvent tells of an event.
func NewEvent(v event.Event) Event {
	return Event{Event: v, At: EventTime(v).Format(time.RFC3339Nano)}
}

// EventTime is when an event happened.
func EventTime(v event.Event) time.Time { return time.Unix(0, v.TS).UTC() }
