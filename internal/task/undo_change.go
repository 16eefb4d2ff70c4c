package task

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// Past is implemented by texts that know the record's history, too: what is
// taken back is read from there.
type Past interface {
	Texts
	// Operation is the one that a commit of the history made, and the commit it
	// was made on, "" for none. A merge made none.
	Operation(commit string) (op operation.Operation, on string, ok bool)
	// Files are those of the state at a commit; their contents are Texts'.
	Files(commit string) (Files, bool)
}

// Reasons why something can't be taken back.
const (
	CodeUndo         Code = "undo"
	CodeChangedSince Code = "undo_changed_since" // something else changed the same since
)

// Change is what operations did to a task, as its history tells.
type Change struct {
	ops           []operation.Operation
	size          int // of object ids, in digits
	before, after parts
}

// parts are what a task consists of: the fields of task.json, the ids of its
// documents' texts under docPart, and that of its knowledge under partKnowledge.
type parts map[string]any

const (
	docPart       = "docs/"
	partKnowledge = "knowledge"
	partHooks     = "step_hooks"
)

var (
	// unrestored are fields that are no operation's own: they say of every one that
	// it was, and of every reviewer.
	unrestored = []string{"schema", "clock", "fence", "updated_at", "reviewers"}
	// courseParts are where the task and its phases stand. They go back together: a
	// mixture of then and now is nothing that the tables lead to.
	courseParts = []string{
		"status", "cause", "reason", "started_at", "finished_at", "paused_at", "phases", "current",
	}
)

func errUnnamed() error {
	return Refuse(CodeInvalid, "what is to be taken back is not named", "see 'git brew undo --list'")
}

// ReadChange reads from the history what p names.
func ReadChange(p UndoPayload, texts Texts) (Change, error) {
	past, ok := texts.(Past)
	n := len(p.Operations)
	if !ok || n == 0 || n > maxAct || !validOID(p.Commit) {
		return Change{}, errUnnamed()
	}
	c := Change{ops: make([]operation.Operation, n), size: len(p.Commit)}
	on := p.Commit
	for i := n - 1; i >= 0; i-- {
		op, before, found := past.Operation(on)
		switch {
		case !found:
			return c, errCutOff()
		case op.ID != p.Operations[i], i > 0 && op.Act != p.Operations[0]:
			return c, Refuse(CodeInvalid, "the commits named are not those of what is to be taken back", "see 'git brew undo --list'")
		}
		c.ops[i], on = op, before
	}
	was, err := partsAt(past, on)
	if err != nil {
		return c, err
	}
	did, err := partsAt(past, p.Commit)
	c.before, c.after = was, did
	return c, err
}

func errCutOff() error {
	return Refuse(CodeUndo, "a part of its history is not here", "'git fetch --unshallow' brings it, if this clone is shallow")
}

// partsAt reads a state; there is none before the first operation.
func partsAt(past Past, commit string) (parts, error) {
	if commit == "" {
		return parts{}, nil
	}
	files, ok := past.Files(commit)
	if !ok {
		return nil, errCutOff()
	}
	file := files[TaskFile]
	if file.Data, ok = past.Text(file.OID); !ok {
		return nil, Refuse(CodeUndo, "the state before it can't be read", "see 'git brew doctor'")
	}
	files[TaskFile] = file
	t, err := Decode(files)
	if err != nil {
		return nil, err
	}
	return partsOf(t, len(commit))
}

func partsOf(t Task, size int) (parts, error) {
	data, err := encodeTask(t)
	if err != nil {
		return nil, err
	}
	p := parts{}
	if err := decodeNumbers(data, &p); err != nil {
		return nil, err
	}
	for name, doc := range t.Docs {
		p[docPart+string(name)] = doc.OID
	}
	p[partKnowledge] = knowledgeOID(t, size)
	return p, nil
}

func (c Change) kinds() []operation.Kind {
	kinds := make([]operation.Kind, len(c.ops))
	for i, op := range c.ops {
		kinds[i] = op.Kind
	}
	return kinds
}

// Parts names what goes back with the change.
func (c Change) Parts() []string {
	all := maps.Clone(c.before)
	maps.Copy(all, c.after)
	hooks := slices.Contains(c.kinds(), OpStepHook)
	changed := slices.Collect(maps.Keys(all))
	changed = slices.DeleteFunc(changed, func(part string) bool {
		return slices.Contains(unrestored, part) || part == partHooks && hooks || reflect.DeepEqual(c.before[part], c.after[part])
	})
	if slices.ContainsFunc(changed, func(part string) bool { return slices.Contains(courseParts, part) }) {
		changed = append(changed, courseParts...)
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// TakeBack returns t with all that the change did as it was before, or says what
// was changed since.
func (c Change) TakeBack(t Task, texts Texts) (Task, error) {
	if instead, lasting := Lasting(c.kinds()...); lasting {
		return t, Refuse(CodeUndo, "that can't be taken back", instead)
	}
	now, err := partsOf(t, c.size)
	if err != nil {
		return t, err
	}
	if id := now["root"]; id != c.before["root"] || id != c.after["root"] {
		return t, Refuse(CodeInvalid, "what is to be taken back is not of this task", "see 'git brew undo --list'")
	}
	changed := c.Parts()
	if len(changed) == 0 {
		return t, Refuse(CodeUndo, "it changed nothing", "")
	}
	for _, part := range changed {
		// The final report tells of an end that is none, whoever wrote it since.
		final := part == docPart+string(DocFinal) && c.before[part] == nil
		if !final && !reflect.DeepEqual(now[part], c.after[part]) {
			return t, Refuse(CodeChangedSince, shownPart(t, part)+" since", "see 'git brew log'")
		}
		now[part] = c.before[part]
	}
	after, err := rebuilt(t, now, texts)
	if err != nil {
		return t, Refuse(CodeUndo, "something that was added since belongs to what it added", "take that back first, or drop the phase: 'git brew phase drop'")
	}
	if after.Deleted {
		// A delete has a rule of its own where histories meet.
		return t, Refuse(CodeTaskState, "the task would be a deleted one again, and only a delete does that", "see 'git brew log'")
	}
	return after, nil
}

// shownPart says that a part changed.
func shownPart(t Task, part string) string {
	switch name, doc := strings.CutPrefix(part, docPart); {
	case doc:
		part = t.ShownDoc(DocName(name))
	case slices.Contains(courseParts, part):
		return "the task went on"
	}
	return strings.ReplaceAll(part, "_", " ") + " changed"
}

// rebuilt is t made of other parts. An error says that they don't belong together.
func rebuilt(t Task, p parts, texts Texts) (Task, error) {
	docs, fields := map[DocName]Doc{}, parts{}
	for part, v := range p {
		name, doc := strings.CutPrefix(part, docPart)
		switch oid, _ := v.(string); {
		case v == nil || part == partKnowledge:
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
	after.keepUnstored(t)
	oid, _ := p[partKnowledge].(string)
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
func (t *Task) keepUnstored(was Task) {
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
	return docOf(known.Data, size).OID
}
