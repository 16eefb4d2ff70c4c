package event

import (
	"bytes"
	"encoding/json"
	"strconv"
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

// decoder reads lines. Texts that come again and again are kept once.
type decoder struct {
	known    map[string]string
	redactor redact.Redactor
}

// decode reads a line: without control characters, and cut, for it may be a
// stranger's. What Encode wrote is read in one go, all else by encoding/json.
func (d *decoder) decode(line []byte) (Event, bool) {
	var e Event
	if len(line) > MaxLine || line[0] != '{' {
		return e, false
	}
	if !d.plain(line, &e) {
		e = Event{}
		if json.Unmarshal(line, &e) != nil {
			return e, false
		}
		e = e.each(func(s string) string { return invisible.First(invisible.Line(s), MaxText) })
	}
	return e, strings.HasPrefix(e.Schema, "1.")
}

// redacted takes out of an event's texts what today's rules call a secret.
func (d *decoder) redacted(e Event) Event {
	return e.each(func(s string) string { return strings.TrimSpace(invisible.First(d.redactor.Text(s), MaxText)) })
}

// plain reads a line of plain texts without escapes, numbers and one level of
// Data; false for anything else.
func (d *decoder) plain(line []byte, e *Event) bool {
	s := scanner{line: line}
	if !s.take('{') {
		return false
	}
	for first := true; !s.take('}'); first = false {
		if !first && !s.take(',') {
			return false
		}
		key, ok := s.text()
		if !ok || !s.take(':') || !d.field(&s, string(key), e) {
			return false
		}
	}
	return len(s.line) == 0
}

// field reads the value of a key.
func (d *decoder) field(s *scanner, key string, e *Event) bool {
	var to *string
	switch key {
	case "schema":
		to = &e.Schema
	case "session":
		to = &e.Session
	case "correlation":
		to = &e.Correlation
	case "execution":
		to = &e.Execution
	case "hook":
		to = &e.Hook
	case "type":
		to = (*string)(&e.Type)
	case "tool":
		to = &e.Tool
	case "tool_use_id":
		text, ok := s.text()
		e.ToolUseID = string(text)
		return ok
	case "agent_id":
		to = &e.AgentID
	case "agent":
		to = &e.Agent
	case "worktree":
		to = &e.WorkTree
	case "task":
		to = &e.Task
	case "phase":
		to = &e.Phase
	case "mode":
		to = &e.Mode
	case "decision":
		to = &e.Decision
	case "reason":
		to = &e.Reason
	case "ts":
		return s.number(&e.TS)
	case "duration_ms":
		return s.number(&e.DurationMS)
	case "hook_us":
		return s.number(&e.HookUS)
	case "success":
		return s.truth(&e.Success)
	case "data":
		return d.data(s, e)
	default:
		return false
	}
	text, ok := s.text()
	if ok {
		*to = d.once(text)
	}
	return ok
}

func (d *decoder) data(s *scanner, e *Event) bool {
	if e.Data != nil || !s.take('{') {
		return false
	}
	e.Data = make(map[string]string, 1)
	for first := true; !s.take('}'); first = false {
		if !first && !s.take(',') {
			return false
		}
		key, ok := s.text()
		if !ok || !s.take(':') || len(e.Data) == maxData {
			return false
		}
		value, ok := s.text()
		if !ok {
			return false
		}
		e.Data[d.once(key)] = d.once(value)
	}
	return true
}

// once is a text, the same string each time that it comes.
func (d *decoder) once(text []byte) string {
	const most = 4096
	if s, ok := d.known[string(text)]; ok {
		return s
	}
	if d.known == nil || len(d.known) >= most {
		d.known = make(map[string]string)
	}
	s := string(text)
	d.known[s] = s
	return s
}

// scanner reads JSON without blanks from the front of a line.
type scanner struct{ line []byte }

func (s *scanner) take(c byte) bool {
	if len(s.line) == 0 || s.line[0] != c {
		return false
	}
	s.line = s.line[1:]
	return true
}

// text reads a string that is tidy: printable ASCII, no escapes, no blank at its
// ends, no longer than what is kept.
func (s *scanner) text() ([]byte, bool) {
	if len(s.line) == 0 || s.line[0] != '"' {
		return nil, false
	}
	for i := 1; i < len(s.line); i++ {
		switch c := s.line[i]; {
		case c == '"':
			text := s.line[1:i]
			s.line = s.line[i+1:]
			return text, len(text) <= MaxText && len(text) == len(bytes.TrimSpace(text))
		case c == '\\', c < ' ', c >= 0x7f, c == ' ' && s.line[i-1] == ' ':
			return nil, false
		}
	}
	return nil, false
}

func (s *scanner) number(to *int64) bool {
	i := 0
	for i < len(s.line) && s.line[i] >= '0' && s.line[i] <= '9' {
		i++
	}
	n, err := strconv.ParseInt(string(s.line[:i]), 10, 64)
	if err != nil || i > 1 && s.line[0] == '0' {
		return false
	}
	*to, s.line = n, s.line[i:]
	return true
}

func (s *scanner) truth(to **bool) bool {
	for _, word := range [...]string{"true", "false"} {
		if bytes.HasPrefix(s.line, []byte(word)) {
			is := word == "true"
			*to, s.line = &is, s.line[len(word):]
			return true
		}
	}
	return false
}
