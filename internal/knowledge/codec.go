package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// encodeLines writes one line of JSON for each, as operation.Canonical writes strings:
// what a record may hold has no character that encoding/json would escape beside those.
func encodeLines[T any](all []T) []byte {
	b := bytes.NewBuffer([]byte{}) // a file without lines is empty, not absent
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, v := range all {
		_ = enc.Encode(v) // strings and a truth value: nothing can fail
	}
	return b.Bytes()
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
