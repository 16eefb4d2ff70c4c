package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

const (
	FileEntries = "knowledge.jsonl"
	FileBacklog = "backlog.jsonl"
	FileRecord  = "record.json"
)

// ErrCorrupt is returned for files that are no record. A line that can't be read is
// not skipped here: the next write would drop it for good.
var ErrCorrupt = errors.New("the record can't be read")

type header struct {
	Clock  uint64 `json:"clock"`
	Schema string `json:"schema"`
}

// Encode returns the record's files by name; equal states have equal bytes.
func Encode(s State) (operation.Files, error) {
	if s.newer != "" {
		return nil, fmt.Errorf("%s was written by a newer git-brew, and is not changed by this one: %w",
			FileRecord, &operation.FormatError{Have: s.newer})
	}
	record, err := json.MarshalIndent(header{s.Clock, operation.Format}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", FileRecord, err)
	}
	return operation.Files{
		FileEntries: {Data: EncodeLines(s.Entries)}, FileBacklog: {Data: EncodeLines(s.Backlog)},
		FileRecord: {Data: append(record, '\n')},
	}, nil
}

// Decode reads the record's files; files it doesn't know are left to the
// caller. No files at all are the empty record.
func Decode(files operation.Files) (State, error) {
	var s State
	if files[FileRecord].Data == nil && files[FileEntries].Data == nil && files[FileBacklog].Data == nil {
		return s, nil
	}
	var h header
	if err := json.Unmarshal(files[FileRecord].Data, &h); err != nil {
		return s, fmt.Errorf("%w: %s: %w", ErrCorrupt, FileRecord, err)
	}
	if err := operation.CheckFormat(h.Schema); err != nil {
		return s, err
	}
	entries, err := named(files, FileEntries, decodeEntry, func(e Entry) operation.ID { return e.ID })
	if err != nil {
		return s, err
	}
	backlog, err := named(files, FileBacklog, decodeLine[Item], func(i Item) operation.ID { return i.ID })
	if err != nil {
		return s, err
	}
	s = State{Entries: entries, Backlog: backlog, Clock: h.Clock}
	if operation.NewerFormat(h.Schema) {
		s.newer = h.Schema
	}
	return s, nil
}

// named reads a file whose every line has to be good, with an id.
func named[T any](files operation.Files, name string, decode func([]byte) (T, error),
	id func(T) operation.ID,
) ([]T, error) {
	all, bad := decodeLines(files[name].Data, decode)
	if len(bad) > 0 {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, name, bad[0])
	}
	if i := slices.IndexFunc(all, func(v T) bool { return !id(v).Valid() }); i >= 0 {
		return nil, fmt.Errorf("%w: %s: entry %d has no id", ErrCorrupt, name, i+1)
	}
	return all, nil
}

const maxLine = 64 << 10

// DecodeLines reads knowledge.jsonl, and Brewcode's KNOWLEDGE.jsonl, whose
// lines have no id and a symbol for a kind. Blank lines don't count, bad lines
// are skipped and told, a missing kind reads as Fact, a time that is none
// stays and counts as 1970. Brewcode's own hand-off entries become ours.
func DecodeLines(data []byte) (entries []Entry, bad []error) { return decodeLines(data, decodeEntry) }

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

// EncodeLines writes one line of JSON for each, as operation.Canonical writes strings:
// what a record may hold has no character that encoding/json would escape beside those.
func EncodeLines[T any](all []T) []byte {
	b := bytes.NewBuffer([]byte{}) // a file without lines is empty, not absent
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, v := range all {
		_ = enc.Encode(v) // strings and a truth value: nothing can fail
	}
	return b.Bytes()
}

func decodeLines[T any](data []byte, decode func([]byte) (T, error)) (all []T, bad []error) {
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if len(line) > maxLine {
			bad = append(bad, fmt.Errorf("line %d: %d bytes, at most %d", n, len(line), maxLine))
			continue
		}
		v, err := decode(line)
		if err != nil {
			bad = append(bad, fmt.Errorf("line %d: %w", n, err))
			continue
		}
		all = append(all, v)
	}
	return all, bad
}

// decodeLine reads one object; fields that are not known are left out.
func decodeLine[T any](line []byte) (v T, err error) {
	if line[0] != '{' {
		return v, errors.New("it is no object")
	}
	err = json.Unmarshal(line, &v)
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		return v, fmt.Errorf("%s: a value of the wrong kind", wrong.Field)
	} else if err != nil {
		return v, errors.New("it is no JSON")
	}
	return v, nil
}
