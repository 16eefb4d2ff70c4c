package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/operation"
)

// maxLine bounds, in bytes, a line that is read.
const maxLine = 64 << 10

// Bounds of what is kept of fields this version doesn't know.
const (
	maxExtra      = 16
	maxExtraBytes = 256
)

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
func EncodeLines(entries []Entry) ([]byte, error) { return encodeLines(entries) }

// DecodeLines reads knowledge.jsonl, and Brewcode's KNOWLEDGE.jsonl, whose
// lines have no id and a symbol for a kind. Blank lines don't count, bad lines
// are skipped and told, a missing kind reads as Fact, a time that is none
// stays and counts as 1970. Brewcode's own hand-off entries become ours.
func DecodeLines(data []byte) ([]Entry, Skipped) { return decodeLines(data, decodeEntry) }

func decodeEntry(line []byte) (Entry, error) {
	var e Entry
	extra, err := decodeLine(line, &e, "id", "ts", "t", "txt", "src", "paths")
	if err != nil {
		return e, err
	}
	e.Extra = extra
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
	extra() map[string]json.RawMessage
	id() operation.ID
	// fields are the known ones, in order.
	fields(f *fields)
}

func (e Entry) extra() map[string]json.RawMessage { return e.Extra }
func (e Entry) id() operation.ID                  { return e.ID }

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

func encodeLines[T line](all []T) ([]byte, error) {
	return appendLines([]byte{}, all) // a file without lines is empty, not absent
}

func appendLines[T line](buf []byte, all []T) ([]byte, error) {
	f := fields{buf: buf}
	for _, v := range all {
		f.buf = append(f.buf, '{')
		v.fields(&f)
		if extra := v.extra(); len(extra) > 0 {
			for _, k := range slices.Sorted(maps.Keys(extra)) {
				name, err := json.Marshal(k)
				if err != nil {
					return nil, fmt.Errorf("encode %s: %w", v.id(), err)
				}
				f.buf = append(append(append(append(f.buf, ','), name...), ':'), extra[k]...)
			}
		}
		f.buf = append(f.buf, "}\n"...)
	}
	return f.buf, nil
}

// Lines encodes lists of entries that follow one another, each mostly the one
// before with more at its end: only what is new is encoded. The zero value is
// ready. What it returned before must not be written to.
type Lines struct {
	last []Entry
	data []byte
}

// Encode is EncodeLines.
func (l *Lines) Encode(entries []Entry) ([]byte, error) {
	kept := len(l.last)
	if kept == 0 || kept > len(entries) || !slices.EqualFunc(l.last, entries[:kept], sameEntry) {
		kept, l.data = 0, nil
	}
	data, err := appendLines(l.data, entries[kept:])
	if err != nil {
		*l = Lines{}
		return nil, err
	}
	if data == nil {
		data = []byte{}
	}
	l.last, l.data = entries, data
	return data, nil
}

// sameEntry reports whether two entries are written alike; where it is not
// quick to tell they are not.
func sameEntry(a, b Entry) bool {
	return a.ID == b.ID && a.Txt == b.Txt && a.TS == b.TS && a.T == b.T && a.Src == b.Src &&
		slices.Equal(a.Paths, b.Paths) && len(a.Extra) == 0 && len(b.Extra) == 0
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

// decodeLine reads one object into v and returns its other fields.
func decodeLine(line []byte, v any, known ...string) (map[string]json.RawMessage, error) {
	if line[0] != '{' {
		return nil, errors.New("it is no object")
	}
	return decodeObject(line, v, known...)
}

// decodeObject reads an object into v and returns the fields that are neither v's nor
// known: scalars of a bounded size, a bounded number of them, the first by name. Names
// differ from known ones in more than case, as encoding/json reads them.
func decodeObject(object []byte, v any, known ...string) (map[string]json.RawMessage, error) {
	strict := json.NewDecoder(bytes.NewReader(object))
	strict.DisallowUnknownFields()
	if strict.Decode(v) == nil {
		if _, err := strict.Token(); errors.Is(err, io.EOF) {
			return nil, nil
		}
	}
	var all map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(object, v), json.Unmarshal(object, &all)); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	maps.DeleteFunc(all, func(name string, value json.RawMessage) bool {
		return slices.ContainsFunc(known, func(k string) bool { return Normalize(k) == Normalize(name) }) ||
			!storable(name, maxExtraBytes) || !simple(value)
	})
	if len(all) == 0 {
		return nil, nil
	}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i >= maxExtra {
			delete(all, name)
			continue
		}
		// Compact spelling, so that a line is the same whoever wrote it.
		var b bytes.Buffer
		if err := json.Compact(&b, all[name]); err != nil {
			return nil, fmt.Errorf("read JSON: %w", err)
		}
		all[name] = b.Bytes()
	}
	return all, nil
}

func simple(value json.RawMessage) bool {
	return len(value) > 0 && len(value) <= maxExtraBytes && value[0] != '{' && value[0] != '['
}
