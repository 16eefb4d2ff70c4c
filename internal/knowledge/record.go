package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// The record's files.
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
func Encode(s State) (map[string][]byte, error) {
	if s.newer != "" {
		return nil, fmt.Errorf("%s was written by a newer git-brew, and is not changed by this one: %w",
			FileRecord, &operation.FormatError{Have: s.newer})
	}
	record, err := json.MarshalIndent(header{s.Clock, operation.Format}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", FileRecord, err)
	}
	return map[string][]byte{
		FileEntries: encodeLines(s.Entries), FileBacklog: encodeLines(s.Backlog), FileRecord: append(record, '\n'),
	}, nil
}

// Decode reads the record's files; files it doesn't know are left to the
// caller. No files at all are the empty record.
func Decode(files map[string][]byte) (State, error) {
	var s State
	if files[FileRecord] == nil && files[FileEntries] == nil && files[FileBacklog] == nil {
		return s, nil
	}
	var h header
	if err := json.Unmarshal(files[FileRecord], &h); err != nil {
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
func named[T any](files map[string][]byte, name string, decode func([]byte) (T, error),
	id func(T) operation.ID,
) ([]T, error) {
	all, skipped := decodeLines(files[name], decode)
	if skipped.Count > 0 {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, name, skipped.First[0])
	}
	if i := slices.IndexFunc(all, func(v T) bool { return !id(v).Valid() }); i >= 0 {
		return nil, fmt.Errorf("%w: %s: entry %d has no id", ErrCorrupt, name, i+1)
	}
	return all, nil
}
