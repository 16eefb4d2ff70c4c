package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	Schema string `json:"schema"`
	Clock  uint64 `json:"clock"`
}

// Encode returns the record's files by name; equal states have equal bytes.
func Encode(s State) (map[string][]byte, error) { return new(Lines).EncodeState(s) }

// EncodeState is Encode for states that follow one another.
func (l *Lines) EncodeState(s State) (map[string][]byte, error) {
	entries, err := l.Encode(s.Entries)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", FileEntries, err)
	}
	backlog, err := encodeLines(s.Backlog)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", FileBacklog, err)
	}
	record, err := encodeHeader(s)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", FileRecord, err)
	}
	return map[string][]byte{FileEntries: entries, FileBacklog: backlog, FileRecord: record}, nil
}

func encodeHeader(s State) ([]byte, error) {
	fields := maps.Clone(s.Extra)
	if fields == nil {
		fields = make(map[string]json.RawMessage)
	}
	known, err := json.Marshal(header{operation.Format, s.Clock})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(known, &fields); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(fields, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// Decode reads the record's files; files it doesn't know are left to the
// caller. No files at all are the empty record.
func Decode(files map[string][]byte) (State, error) {
	var s State
	if files[FileRecord] == nil && files[FileEntries] == nil && files[FileBacklog] == nil {
		return s, nil
	}
	var h header
	extra, err := decodeObject(files[FileRecord], &h, "schema", "clock")
	if err != nil {
		return s, fmt.Errorf("%w: %s: %w", ErrCorrupt, FileRecord, err)
	}
	if err := operation.CheckFormat(h.Schema); err != nil {
		return s, err
	}
	entries, err := named(files, FileEntries, decodeEntry)
	if err != nil {
		return s, err
	}
	backlog, err := named(files, FileBacklog, decodeItem)
	if err != nil {
		return s, err
	}
	return State{Entries: entries, Backlog: backlog, Clock: h.Clock, Extra: extra}, nil
}

func decodeItem(line []byte) (Item, error) {
	var i Item
	extra, err := decodeLine(line, &i, "id", "ts", "txt", "src", "done", "task", "promoted_to")
	i.Extra = extra
	return i, err
}

// named reads a file whose every line has to be good, with an id.
func named[T line](files map[string][]byte, name string, decode func([]byte) (T, error)) ([]T, error) {
	all, skipped := decodeLines(files[name], decode)
	if skipped.Count > 0 {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, name, skipped.First[0])
	}
	if i := slices.IndexFunc(all, func(v T) bool { return !v.id().Valid() }); i >= 0 {
		return nil, fmt.Errorf("%w: %s: entry %d has no id", ErrCorrupt, name, i+1)
	}
	return all, nil
}
