package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/operation"
)

// maxLine bounds, in bytes, a line that is read.
const maxLine = 64 << 10

// LineError is a line that could not be read.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Skipped tells which lines were passed over: how many, and the first three.
type Skipped struct {
	Count int
	First []*LineError
}

func (s *Skipped) add(line int, err error) {
	s.Count++
	if len(s.First) < 3 {
		s.First = append(s.First, &LineError{line, err})
	}
}

// EncodeLines writes one line of JSON for each entry: knowledge.jsonl.
func EncodeLines(entries []Entry) []byte { return encodeLines(entries) }

// DecodeLines reads knowledge.jsonl, and Brewcode's KNOWLEDGE.jsonl, whose
// lines have no id and a symbol for a kind. Blank lines don't count, bad lines
// are skipped and told, a missing kind reads as Fact, a time that is none
// stays and counts as 1970. Brewcode's own hand-off entries become ours.
func DecodeLines(data []byte) ([]Entry, Skipped) { return decodeLines(data, decodeEntry) }

func decodeEntry(line []byte) (Entry, error) {
	e, err := decodeLine[Entry](line)
	if err != nil {
		return e, err
	}
	if e.ID != "" && !e.ID.Valid() {
		return e, errors.New("its id is none")
	}
	if e.Txt == "" {
		return e, errors.New("it has no txt")
	}
	if e.T, err = ParseKind(string(e.T)); err != nil {
		return e, err
	}
	if e.Src == "pre-compact-hook" {
		e.T, e.Src = Fact, HandoffSrc
	}
	return e, nil
}

// line is what has a line of its own in a record's files.
type line interface {
	id() operation.ID
	// fields are the known ones, in order.
	fields(f *fields)
}

func (e Entry) id() operation.ID { return e.ID }

func (e Entry) fields(f *fields) {
	f.text("id", string(e.ID))
	f.text("ts", e.TS)
	f.text("t", string(e.T))
	f.text("txt", e.Txt)
	f.optional("src", e.Src)
	if len(e.Paths) == 0 {
		return
	}
	f.name("paths")
	for i, p := range e.Paths {
		f.buf = append(f.buf, "[,"[min(i, 1)])
		f.string(p)
	}
	f.buf = append(f.buf, ']')
}

func (i Item) fields(f *fields) {
	f.text("id", string(i.ID))
	f.text("ts", i.TS)
	f.text("txt", i.Txt)
	f.optional("src", i.Src)
	if i.Done {
		f.name("done")
		f.buf = append(f.buf, "true"...)
	}
	f.optional("task", i.Task)
	f.optional("promoted_to", i.PromotedTo)
}

// fields writes an object, its strings as operation.Canonical does, in a tenth of
// encoding/json's time: a record's lines are all written with every change of it.
type fields struct{ buf []byte }

// name begins a field; names need no escaping.
func (f *fields) name(name string) {
	if last := f.buf[len(f.buf)-1]; last != '{' {
		f.buf = append(f.buf, ',')
	}
	f.buf = append(append(append(f.buf, '"'), name...), `":`...)
}

func (f *fields) text(name, value string) {
	f.name(name)
	f.string(value)
}

func (f *fields) optional(name, value string) {
	if value != "" {
		f.text(name, value)
	}
}

func (f *fields) string(s string) {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	f.buf = operation.AppendString(f.buf, s)
}

func encodeLines[T line](all []T) []byte {
	return appendLines([]byte{}, all) // a file without lines is empty, not absent
}

func appendLines[T line](buf []byte, all []T) []byte {
	f := fields{buf: buf}
	for _, v := range all {
		f.buf = append(f.buf, '{')
		v.fields(&f)
		f.buf = append(f.buf, "}\n"...)
	}
	return f.buf
}

// Lines encodes lists of entries that follow one another, each mostly the one
// before with more at its end: only what is new is encoded. The zero value is
// ready. What it returned before must not be written to.
type Lines struct {
	last []Entry
	data []byte
}

// Encode is EncodeLines.
func (l *Lines) Encode(entries []Entry) []byte {
	kept := len(l.last)
	if kept == 0 || kept > len(entries) || !slices.EqualFunc(l.last, entries[:kept], sameEntry) {
		kept, l.data = 0, []byte{}
	}
	l.last, l.data = entries, appendLines(l.data, entries[kept:])
	return l.data
}

// sameEntry reports whether two entries are written alike.
func sameEntry(a, b Entry) bool {
	return a.ID == b.ID && a.Txt == b.Txt && a.TS == b.TS && a.T == b.T && a.Src == b.Src &&
		slices.Equal(a.Paths, b.Paths)
}

func decodeLines[T any](data []byte, decode func([]byte) (T, error)) (all []T, skipped Skipped) {
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if len(line) > maxLine {
			skipped.add(n, fmt.Errorf("%d bytes, at most %d", len(line), maxLine))
			continue
		}
		v, err := decode(line)
		if err != nil {
			skipped.add(n, err)
			continue
		}
		all = append(all, v)
	}
	return all, skipped
}

// decodeLine reads one object; fields that are not known are left out.
func decodeLine[T any](line []byte) (v T, err error) {
	if line[0] != '{' {
		return v, errors.New("it is no object")
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return v, fmt.Errorf("read JSON: %w", err)
	}
	return v, nil
}
