package event

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
)

// Segment is a generation of the journal as it was stored.
type Segment struct {
	Generation uint64
	Lines      []byte
}

// Reader reads what was recorded, sealed or not, each event once.
type Reader struct {
	Filter Filter
	// Raw leaves texts as they were recorded: for who counts and prints none.
	Raw bool
	// Bad counts the lines that are no events.
	Bad int

	decoder decoder
	pending []byte
	waiting map[string]bool // lines of pending that are in no segment yet
	from    int64
}

// NewReader returns a reader of what f chooses. pending was read from the
// journal before the segments were listed: what is sealed in between is in both.
func NewReader(f Filter, pending []byte) *Reader {
	r := &Reader{Filter: f, pending: pending, waiting: make(map[string]bool)}
	for line := range bytes.Lines(pending) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if len(r.waiting) == 0 {
			e, _ := r.decoder.decode(line)
			r.from = max(0, e.TS)
		}
		r.waiting[string(line)] = true
	}
	return r
}

// Doubles reports whether a segment of that generation may hold lines that
// pending has too. A generation is no smaller than the time of its first event.
func (r *Reader) Doubles(generation uint64) bool {
	return len(r.waiting) > 0 && generation >= uint64(r.from)
}

// Segment visits the events of a segment. Segments come by rising generation.
func (r *Reader) Segment(s Segment, visit func(Event) error) error {
	doubles := r.Doubles(s.Generation)
	return r.lines(s.Lines, visit, func(line []byte) bool {
		if doubles {
			delete(r.waiting, string(line))
		}
		return true
	})
}

// Pending visits, behind the segments, what is in none of them.
func (r *Reader) Pending(visit func(Event) error) error {
	return r.lines(r.pending, visit, func(line []byte) bool { return r.waiting[string(line)] })
}

// All visits what the filter chooses in the order that it was appended in.
func (r *Reader) All(segments iter.Seq2[Segment, error], visit func(Event) error) error {
	for s, err := range segments {
		if err != nil {
			return err
		}
		if err := r.Segment(s, visit); err != nil {
			return err
		}
	}
	return r.Pending(visit)
}

func (r *Reader) lines(lines []byte, visit func(Event) error, wanted func(line []byte) bool) error {
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || !wanted(line) {
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
