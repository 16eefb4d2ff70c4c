package hooks

import (
	"context"
	"strings"
	"time"
)

// Event says how one of the client's events is handled.
type Event struct {
	Name string
	// Matcher is what the client compares with the tool's name; empty where
	// an event has none.
	Matcher string
	handle  func(*call) (Reply, error)
}

// events are those that git brew registers for, in the order of a session, and
// what answers them. The tool events match every tool: a list of names is a
// hole for each tool that is new (BW-3), and costs, where it helps, the three
// milliseconds of a hook that has no opinion.
var events = []Event{
	{"SessionStart", "", sessionStart},
	{"UserPromptSubmit", "", userPrompt},
	{"PreToolUse", "*", preTool},
	{"PostToolUse", "*", postTool},
	{"PreCompact", "", preCompact},
	{"Stop", "", stop},
	{"SubagentStart", "", subagentStart},
	{"SubagentStop", "", subagentStop},
	{"Notification", "", notification},
	{"SessionEnd", "", sessionEnd},
}

// Events lists the events to register for.
func Events() []Event { return append([]Event(nil), events...) }

// eventNamed finds an event by its name as the client or a person writes it
// (PreToolUse, pre-tool-use). An unknown one is recorded and never answered.
func eventNamed(name string) Event {
	bare := strings.NewReplacer("-", "", "_", "").Replace(name)
	for _, e := range events {
		if strings.EqualFold(e.Name, bare) {
			return e
		}
	}
	return Event{Name: clean(name, 60), handle: func(*call) (Reply, error) { return Reply{}, nil }}
}

// call is one run of a hook.
type call struct {
	ctx   context.Context
	brew  Brew
	at    Place
	p     Payload
	event Event
	now   func() time.Time
	view  View
	// rec is the record of this event; handlers add to it.
	rec Record
	// skip: the event is none of ours, and is not recorded.
	skip bool
}

// answer runs the handler, renews the lease where that is due, and records the
// event.
func (c *call) answer() (Reply, []error) {
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	reply, err := c.event.handle(c)
	note(err)
	if c.skip {
		return reply, errs
	}
	if c.view.Holder && c.view.RenewDue && c.view.Task != nil && c.event.Name != "SessionEnd" && !terminal(c.view.Task.Status) {
		note(c.brew.RenewLock(c.ctx, c.at, c.view.Task.ID))
	}
	if c.event.Name == "SessionEnd" {
		return reply, errs // it recorded itself, before the journal was flushed
	}
	note(c.record(reply))
	return reply, errs
}

// record writes the event of this call.
func (c *call) record(reply Reply) error {
	r := c.rec
	r.Hook, r.At = c.event.Name, c.now()
	r.Tool, r.ToolUseID = clean(c.p.ToolName, 100), clean(c.p.ToolUseID, 100)
	r.AgentID = clean(c.p.AgentID, 100)
	if r.Agent == "" {
		r.Agent = clean(c.p.AgentType, 100)
	}
	r.ToolTime = time.Duration(min(c.p.DurationMS, int64(365*24*time.Hour/time.Millisecond))) * time.Millisecond
	r.Mode = c.view.Mode
	if t := c.view.Task; t != nil {
		r.Task = t.ID
		if p, _ := c.view.phase(); p != nil {
			r.Phase = p.ID
		}
	}
	r.Decision = reply.kind()
	if r.Reason == "" {
		r.Reason = clean(reply.permReason+reply.reason, 100)
	}
	return c.brew.Record(c.ctx, c.at, r)
}

// look reads the view again, after a change.
func (c *call) look() error {
	v, err := c.brew.Look(c.ctx, c.at)
	if err == nil {
		c.view = v
	}
	return err
}
