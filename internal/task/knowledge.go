package task

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/knowledge"
)

// encodeKnowledge returns knowledge.jsonl: an entry a line, in the order of
// the fold.
func encodeKnowledge(t Task) Blob {
	if t.KnowledgeOID != "" {
		return Blob{OID: t.KnowledgeOID}
	}
	return Blob{Data: knowledge.EncodeLines(t.Knowledge)}
}

// decodeKnowledge reads knowledge.jsonl; a line that can't be read is an
// error, since the next change would lose it.
func decodeKnowledge(data []byte) ([]knowledge.Entry, error) {
	all, skipped := knowledge.DecodeLines(data)
	if skipped.Count > 0 {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, skipped.First[0])
	}
	if len(all) > maxKnowledge {
		return nil, corrupt("more than %d entries", maxKnowledge)
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
