package task

import (
	"encoding/json"
	"strings"
)

// Parts are what a task consists of: the fields of task.json, the ids of its
// documents' texts under docPart, and that of its knowledge under partKnowledge.
type Parts map[string]any

const (
	DocPart       = "docs/"
	PartKnowledge = "knowledge"
	PartHooks     = "step_hooks"
)

func PartsOf(t Task, size int) (Parts, error) {
	data, err := encodeTask(t)
	if err != nil {
		return nil, err
	}
	p := Parts{}
	if err := decodeNumbers(data, &p); err != nil {
		return nil, err
	}
	for name, doc := range t.Docs {
		p[DocPart+string(name)] = doc.OID
	}
	p[PartKnowledge] = knowledgeOID(t, size)
	return p, nil
}

// Rebuilt is t made of other parts. An error says that they don't belong together.
func Rebuilt(t Task, p Parts, texts Texts) (Task, error) {
	docs, fields := map[DocName]Doc{}, Parts{}
	for part, v := range p {
		name, doc := strings.CutPrefix(part, DocPart)
		switch oid, _ := v.(string); {
		case v == nil || part == PartKnowledge:
		case doc:
			docs[DocName(name)] = Doc{OID: oid}
		default:
			fields[part] = v
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return t, err
	}
	after, err := decodeTask(data)
	if err != nil {
		return t, err
	}
	after.Docs = docs
	for name := range docs {
		if _, ok := after.DocPath(name); !ok {
			return t, corrupt("%s belongs to no phase", Clip(string(name), MaxName))
		}
	}
	keepUnstored(&after, t)
	oid, _ := p[PartKnowledge].(string)
	if knowledgeOID(t, len(oid)) == oid {
		after.Knowledge, after.KnowledgeOID = t.Knowledge, t.KnowledgeOID
		return after, nil
	}
	after.KnowledgeOID = oid
	after, err = LoadKnowledge(after, texts)
	after.KnowledgeOID = ""
	return after, err
}

// keepUnstored gives t the texts of was that a merge made, and nobody stored yet.
func keepUnstored(t *Task, was Task) {
	data := map[string][]byte{}
	for _, d := range was.Docs {
		data[d.OID] = d.Data
	}
	for _, r := range was.Reports {
		data[r.OID] = r.Data
	}
	for _, c := range was.Conflicts {
		data[c.OID] = c.Data
	}
	for name, d := range t.Docs {
		t.Docs[name] = Doc{OID: d.OID, Data: data[d.OID]}
	}
	for i, r := range t.Reports {
		t.Reports[i].Data = data[r.OID]
	}
	for i, c := range t.Conflicts {
		t.Conflicts[i].Data = data[c.OID]
	}
}

// knowledgeOID is the id of the text that holds the task's knowledge, of size digits.
func knowledgeOID(t Task, size int) string {
	known := encodeKnowledge(t)
	if known.OID != "" {
		return known.OID
	}
	return DocOf(known.Data, size).OID
}
