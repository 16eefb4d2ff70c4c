package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
)

// Encode returns the tree of a state. Equal states have equal files. What a newer
// git-brew wrote, in a format with more in it, is not written again.
func Encode(t Task) (operation.Files, error) {
	if operation.NewerFormat(t.Schema) {
		return nil, fmt.Errorf("%s was written by a newer git-brew, and is not changed by this one: %w",
			TaskFile, &operation.FormatError{Have: t.Schema})
	}
	data, err := encodeTask(t)
	if err != nil {
		return nil, err
	}
	files := operation.Files{TaskFile: {Data: data}, KnowledgeFile: encodeKnowledge(t)}
	for name, doc := range t.Docs {
		if path, ok := t.DocPath(name); ok {
			files[path] = operation.File(doc)
		}
	}
	if text := DecisionsText(t); text != nil {
		files[DecisionsFile] = operation.File{Data: text}
	}
	for _, r := range t.Reports {
		files[ReportPath(t, r)] = operation.File{OID: r.OID, Data: r.Data}
	}
	for _, c := range t.Conflicts {
		files[ConflictPath(c)] = operation.File{OID: c.OID, Data: c.Data}
	}
	return files, nil
}

// encodeTask writes task.json: as operation.Canonical does, but with two spaces for
// each level.
func encodeTask(t Task) ([]byte, error) {
	if t.Phases == nil {
		t.Phases = []Phase{}
	}
	raw, err := json.Marshal(t)
	if err == nil {
		raw, err = operation.Canonical(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	var b bytes.Buffer
	err = json.Indent(&b, raw, "", "  ")
	return b.Bytes(), err
}

// Decode reads a state from its tree: the path and id of every file, and the
// contents of task.json. The contents of knowledge.jsonl may be left out:
// then LoadKnowledge reads it when it is needed. What is not there as this
// package writes it is an error; a format that is too new is a *operation.FormatError.
func Decode(files operation.Files) (Task, error) {
	t, err := DecodeState(files[TaskFile].Data)
	if err != nil {
		return Task{}, err
	}
	for path, blob := range files {
		if name, ok := t.DocAt(path); ok {
			if !ValidOID(blob.OID) {
				return Task{}, fmt.Errorf("%s: %q is no object id", path, Clip(blob.OID, MaxName))
			}
			if t.Docs == nil {
				t.Docs = map[DocName]Doc{}
			}
			t.Docs[name] = Doc{OID: blob.OID}
		}
	}
	known := files[KnowledgeFile]
	t.KnowledgeOID = known.OID
	if known.Data != nil {
		if t.Knowledge, err = decodeKnowledge(known.Data); err != nil {
			return Task{}, fmt.Errorf("%s: %w", KnowledgeFile, err)
		}
		if t.Knowledge == nil {
			t.Knowledge = []knowledge.Entry{}
		}
	}
	return t, nil
}

// DecodeState reads task.json alone: the fields of this version, a newer minor one may have
// more.
func DecodeState(data []byte) (Task, error) {
	var t Task
	err := json.Unmarshal(data, &t)
	if _, otherTypes := errors.AsType[*json.UnmarshalTypeError](err); err == nil || otherTypes {
		if format := operation.CheckFormat(t.Schema); format != nil {
			return Task{}, fmt.Errorf("%s: %w", TaskFile, format)
		}
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	} else {
		err = Validate(t)
	}
	if err != nil {
		return Task{}, fmt.Errorf("%s: %w", TaskFile, err)
	}
	if t.Phases == nil {
		t.Phases = []Phase{}
	}
	return t, nil
}

// encodeKnowledge returns knowledge.jsonl: an entry a line, in the order of
// the fold.
func encodeKnowledge(t Task) operation.File {
	if t.KnowledgeOID != "" {
		return operation.File{OID: t.KnowledgeOID}
	}
	return operation.File{Data: knowledge.EncodeLines(t.Knowledge)}
}

// KnowledgeID is the id of the text that holds the task's knowledge, of size digits.
func KnowledgeID(t Task, size int) string {
	known := encodeKnowledge(t)
	if known.OID != "" {
		return known.OID
	}
	return DocOf(known.Data, size).OID
}

// decodeKnowledge reads knowledge.jsonl; a line that can't be read is an
// error, since the next change would lose it.
func decodeKnowledge(data []byte) ([]knowledge.Entry, error) {
	all, bad := knowledge.DecodeLines(data)
	if len(bad) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, bad[0])
	}
	if len(all) > MaxKnowledge {
		return nil, corrupt("more than %d entries", MaxKnowledge)
	}
	return all, nil
}

// LoadKnowledge returns t with its entries, read through texts where they are
// not loaded.
func LoadKnowledge(t Task, texts Texts) (Task, error) {
	if t.Knowledge != nil || t.KnowledgeOID == "" {
		return t, nil
	}
	if texts == nil {
		return t, corrupt("%s: blob %s is not there", KnowledgeFile, t.KnowledgeOID)
	}
	data, ok := texts.Text(t.KnowledgeOID)
	if !ok {
		return t, corrupt("%s: blob %s is not there", KnowledgeFile, t.KnowledgeOID)
	}
	entries, err := decodeKnowledge(data)
	if err != nil {
		return t, fmt.Errorf("%s: %w", KnowledgeFile, err)
	}
	t.Knowledge = entries
	return t, nil
}
