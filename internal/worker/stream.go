package worker

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Report is what a client said of the turn of a worker.
type Report struct {
	// Text is what the model wrote, of much the end; the last message alone where the
	// client says which one that is.
	Text string
	// Ended: the client said that the turn is over. Its process may live on.
	Ended bool
	// Failed says, in the client's words, why the turn failed; "": it did not.
	Failed string
	// Limited: the client's account may not go on before LimitedUntil, or at a time that
	// nobody says, where that is zero.
	Limited      bool
	LimitedUntil time.Time
	Usage        Usage
	// Last is the name of the latest event, or of the tool that it is about.
	Last string
}

// Usage is what a turn cost.
type Usage struct {
	Input, Output int64 // tokens; Input has those read from a cache
	CostUSD       float64
}

// What a turn can have taken at most: what a client says beyond it is no count of anything.
const (
	maxTokens = 1e10
	maxUSD    = 10_000
)

const (
	maxText = 256 << 10 // bytes that are kept of what a model writes
	maxName = 40        // characters of an event's name
	maxLine = 4 << 20   // bytes of a line that is read as an event

	maxOther = 500 // bytes that are kept of a line that is none
)

// Stream reads what a client writes, as it comes. It keeps a bounded part of it,
// however much that is.
type Stream struct {
	read    func(*Stream, event)
	limit   string // the kind of the limit that is reached
	report  Report
	text    []byte // the end of it is Report.Text
	line    []byte
	other   string // the last line that is no event
	tooLong bool   // the rest of this line is left out
}

// NewStream reads a client's events. A client that is not known, as "", writes plain text.
func NewStream(client string) *Stream { return &Stream{read: readerOf(client)} }

// Knows reports whether there is a reader of a client's events.
func Knows(client string) bool { return readerOf(client) != nil }

// Write takes some of what the client writes. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	n := len(p)
	if s.read == nil {
		s.saysBytes(p)
		return n, nil
	}
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte{'\n'})
		if s.tooLong = s.tooLong || len(s.line)+len(part) > maxLine; s.tooLong {
			s.line = s.line[:0]
		} else {
			s.line = append(s.line, part...)
		}
		if p = rest; whole {
			s.event()
		}
	}
	return n, nil
}

// Report is what was said until now. A last line without an end counts.
func (s *Stream) Report() Report {
	s.event()
	r := s.report
	r.Usage.Input, r.Usage.Output = min(r.Usage.Input, maxTokens), min(r.Usage.Output, maxTokens)
	r.Usage.CostUSD = min(r.Usage.CostUSD, maxUSD)
	r.Text = string(s.text[max(0, len(s.text)-maxText):])
	return r
}

// event reads the line that is complete.
func (s *Stream) event() {
	line := s.line
	s.line, s.tooLong = s.line[:0], false
	var e event
	if len(line) == 0 || json.Unmarshal(line, &e) != nil || e == nil {
		if text := bytes.TrimSpace(line); len(text) > 0 { // what a client prints beside its events
			s.other = strings.ToValidUTF8(string(text[:min(len(text), maxOther)]), "?")
		}
		return
	}
	if kind := e.text("type"); kind != "user" || s.report.Last == "" { // what a tool gave says less than its name
		s.named(kind)
	}
	s.read(s, e)
}

// named notes what the client does.
func (s *Stream) named(event string) { s.report.Last = invisible.Cut(invisible.Line(event), maxName) }

// says adds to what the model wrote.
func (s *Stream) says(text string) { s.saysBytes([]byte(text)) }

// saysBytes is says. What is left out is taken out now and then, for that moves the rest.
func (s *Stream) saysBytes(p []byte) {
	if s.text = append(s.text, p...); len(s.text) > 2*maxText {
		s.text = s.text[:copy(s.text, s.text[len(s.text)-maxText:])]
	}
}

// message adds a message of its own.
func (s *Stream) message(text string) {
	if text != "" {
		s.says(text + "\n")
	}
}

// fails notes why a turn failed: "unknown error" where the client does not say.
func (s *Stream) fails(why ...string) {
	s.report.Failed = "unknown error"
	for _, text := range why {
		if text != "" {
			s.report.Failed = text
			return
		}
	}
}

// maxLimit is how far away the end of a limit can be: what a client says beyond it, or of the
// past, is no time that anybody waits for.
const maxLimit = 8 * 24 * time.Hour

// within is the report with no end of its limit that can't be one.
func (r Report) within(now time.Time) Report {
	if in := r.LimitedUntil.Sub(now); in < 0 || in > maxLimit {
		r.LimitedUntil = time.Time{}
	}
	return r
}

// limited notes that the account may not go on before a time, in seconds or milliseconds;
// 0: nobody says.
func (s *Stream) limited(until int64) {
	const milliseconds = 1e12
	s.report.Limited = true
	switch {
	case until > milliseconds:
		s.report.LimitedUntil = time.UnixMilli(until)
	case until > 0:
		s.report.LimitedUntil = time.Unix(until, 0)
	}
}

// event is an object of JSON. What is not there, or of another type, is the zero value.
type event map[string]json.RawMessage

// at is a member of a member of an object.
func at[T any](e event, keys ...string) T {
	var value, none T
	for _, key := range keys[:len(keys)-1] {
		var inner event
		if json.Unmarshal(e[key], &inner) != nil {
			return none
		}
		e = inner
	}
	if json.Unmarshal(e[keys[len(keys)-1]], &value) != nil {
		return none
	}
	return value
}

func (e event) text(keys ...string) string { return at[string](e, keys...) }

func (e event) number(keys ...string) int64 { return int64(at[float64](e, keys...)) }

// tokens is a number of tokens, within what a turn can have taken.
func (e event) tokens(keys ...string) int64 {
	return int64(min(max(at[float64](e, keys...), 0), maxTokens))
}

// dollars is an amount of money, within what a turn can have cost.
func (e event) dollars(keys ...string) float64 { return min(max(at[float64](e, keys...), 0), maxUSD) }

// code is a number as a text, "" for none.
func (e event) code(keys ...string) string {
	if n := e.number(keys...); n != 0 {
		return "status " + strconv.FormatInt(n, 10)
	}
	return ""
}
