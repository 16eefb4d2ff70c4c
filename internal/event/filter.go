package event

import (
	"bytes"
	"strings"
)

// Filter chooses events; an empty field chooses all.
type Filter struct {
	// Session and Task match by a beginning, as people type them.
	Session string
	Task    string
	// Hook is the hook's name, in any case of letters.
	Hook string
	// Since and Until are nanoseconds since 1970, Since included.
	Since int64
	Until int64
}

// Match reports whether f chooses e.
func (f Filter) Match(e Event) bool {
	return strings.HasPrefix(e.Session, f.Session) &&
		strings.HasPrefix(e.Task, f.Task) &&
		(f.Hook == "" || strings.EqualFold(e.Hook, f.Hook)) &&
		(f.Since == 0 || e.TS >= f.Since) &&
		(f.Until == 0 || e.TS < f.Until)
}

// Collect returns the events that f chooses, in the order they were appended:
// those of the segments, which are given by rising generation, then those of
// pending that are in none of them. bad counts the lines that are no events.
func Collect(f Filter, pending []byte, segments ...[]byte) (events []Event, bad int) {
	waiting := make(map[string]bool)
	for line := range bytes.Lines(pending) {
		waiting[string(bytes.TrimSpace(line))] = true
	}
	read := func(lines []byte, wanted func(line []byte) bool) {
		for line := range bytes.Lines(lines) {
			line = bytes.TrimSpace(line)
			if len(line) == 0 || !wanted(line) {
				continue
			}
			switch e, ok := decode(line); {
			case !ok:
				bad++
			case f.Match(e):
				events = append(events, e)
			}
		}
	}
	for _, s := range segments {
		read(s, func(line []byte) bool {
			delete(waiting, string(line))
			return true
		})
	}
	read(pending, func(line []byte) bool { return waiting[string(line)] })
	return events, bad
}
