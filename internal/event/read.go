package event

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
)

// Reader reads what was recorded.
type Reader struct {
	Filter Filter
	// Raw leaves texts as they were recorded: for who counts and prints none.
	Raw bool
	// Bad counts the lines that are no events.
	Bad int

	decoder decoder
}

// Lines visits the events of some lines that the filter chooses.
func (r *Reader) Lines(lines []byte, visit func(Event) error) error {
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		e, ok := r.decoder.decode(line)
		switch {
		case !ok:
			r.Bad++
			continue
		case !r.Filter.Match(e):
			continue
		case !r.Raw:
			e = r.decoder.redacted(e)
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// Filter chooses events; an empty field chooses all.
type Filter struct {
	// Session and Task match by a beginning, as people type them.
	Session string
	Task    string
	// Hook is the hook's name, in any case of letters.
	Hook string
	Type Type
	// Since and Until are nanoseconds since 1970, Since included.
	Since int64
	Until int64
}

// Match reports whether f chooses e.
func (f Filter) Match(e Event) bool {
	return strings.HasPrefix(e.Session, f.Session) &&
		strings.HasPrefix(e.Task, f.Task) &&
		(f.Hook == "" || strings.EqualFold(e.Hook, f.Hook)) &&
		(f.Type == "" || e.Type == f.Type) &&
		(f.Since == 0 || e.TS >= f.Since) &&
		(f.Until == 0 || e.TS < f.Until)
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
