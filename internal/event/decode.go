package event

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
)

// Decode reads lines. It returns the events and how many lines were none. What
// is a secret by now is redacted, whoever wrote it.
func Decode(lines []byte) (events []Event, bad int) {
	var d decoder
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		e, ok := d.decode(line)
		if !ok {
			bad++
			continue
		}
		events = append(events, d.redacted(e))
	}
	return events, bad
}

// decoder reads lines.
type decoder struct{ redactor redact.Redactor }

// decode reads a line: without control characters, and cut, for it may be a
// stranger's.
func (d *decoder) decode(line []byte) (Event, bool) {
	var e Event
	if len(line) > MaxLine || json.Unmarshal(line, &e) != nil || !strings.HasPrefix(e.Schema, "1.") {
		return e, false
	}
	return e.each(func(s string) string { return invisible.First(invisible.Line(s), MaxText) }), true
}

// redacted takes out of an event's texts what today's rules call a secret.
func (d *decoder) redacted(e Event) Event {
	return e.each(func(s string) string { return strings.TrimSpace(invisible.First(d.redactor.Text(s), MaxText)) })
}
