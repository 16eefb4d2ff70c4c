package task

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/knowledge"
)

// encodeKnowledge returns knowledge.jsonl: an entry a line, in the order of
// the fold.
func encodeKnowledge(t Task) (Blob, error) {
	if t.KnowledgeOID != "" {
		return Blob{OID: t.KnowledgeOID}, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, entry := range t.Knowledge {
		if err := e.Encode(entry); err != nil {
			return Blob{}, fmt.Errorf("encode knowledge: %w", err)
		}
	}
	if b.Len() == 0 {
		return Blob{Data: []byte{}}, nil
	}
	return Blob{Data: b.Bytes()}, nil
}

// DecodeKnowledge reads knowledge.jsonl.
func DecodeKnowledge(data []byte) ([]knowledge.Entry, error) {
	var all []knowledge.Entry
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var entry knowledge.Entry
		if err := json.Unmarshal(line, &entry); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, ErrCorrupt, err)
		}
		if !entry.ID.Valid() || !validEntry(entry) || !times(entry.TS) {
			return nil, fmt.Errorf("line %d: %w", n, ErrCorrupt)
		}
		if len(all) == maxKnowledge {
			return nil, corrupt("more than %d entries", maxKnowledge)
		}
		all = append(all, entry)
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
	entries, err := DecodeKnowledge(data)
	if err != nil {
		return t, fmt.Errorf("%s: %w", KnowledgeFile, err)
	}
	t.Knowledge = entries
	return t, nil
}
