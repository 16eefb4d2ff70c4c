package rules

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Past is implemented by texts that know the record's history, too: what is
// taken back is read from there.
type Past interface {
	task.Texts
	// Operation is the one that a commit of the history made, and the commit it
	// was made on, "" for none. A merge made none.
	Operation(commit string) (op operation.Operation, on string, ok bool)
	// Files are those of the state at a commit; their contents are Texts'.
	Files(commit string) (task.Files, bool)
}

// Change is what operations did to a task, as its history tells.
type Change struct {
	ops           []operation.Operation
	size          int // of object ids, in digits
	before, after task.Task
}

// A part of a task is a field of task.json, a document, or its knowledge.
const (
	docPart       = "docs/"
	knowledgePart = "knowledge"
	hooksPart     = "step_hooks"
)

var (
	// unrestored are fields that are no operation's own: they say of every one that
	// it was.
	unrestored = []string{"-", "schema", "clock", "fence", "updated_at"}
	// courseParts are where the task and its phases stand. They go back together: a
	// mixture of then and now is nothing that the tables lead to.
	courseParts = []string{
		"status", "cause", "reason", "started_at", "finished_at", "paused_at", "phases", "current",
	}
)

func errUnnamed() error {
	return task.Refuse(task.CodeInvalid, "what is to be taken back is not named", "see 'git brew undo --list'")
}

// ReadChange reads from the history what p names.
func ReadChange(p task.UndoPayload, texts task.Texts) (Change, error) {
	past, ok := texts.(Past)
	n := len(p.Operations)
	if !ok || n == 0 || n > maxAct || !task.ValidOID(p.Commit) {
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
			return c, task.Refuse(task.CodeInvalid, "the commits named are not those of what is to be taken back",
				"see 'git brew undo --list'")
		}
		c.ops[i], on = op, before
	}
	var err error
	if c.before, err = stateAt(past, on); err == nil {
		c.after, err = stateAt(past, p.Commit)
	}
	return c, err
}

func errCutOff() error {
	return task.Refuse(task.CodeUndo, "a part of its history is not here",
		"'git fetch --unshallow' brings it, if this clone is shallow")
}

// stateAt reads a state; there is none before the first operation.
func stateAt(past Past, commit string) (task.Task, error) {
	if commit == "" {
		return task.Task{}, nil
	}
	files, ok := past.Files(commit)
	if !ok {
		return task.Task{}, errCutOff()
	}
	file := files[task.TaskFile]
	if file.Data, ok = past.Text(file.OID); !ok {
		return task.Task{}, task.Refuse(task.CodeUndo, "the state before it can't be read", "see 'git brew doctor'")
	}
	files[task.TaskFile] = file
	return task.Decode(files)
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
	hooks := slices.Contains(c.kinds(), task.OpStepHook)
	var changed []string
	for i, field := range reflect.VisibleFields(reflect.TypeFor[task.Task]()) {
		name := partName(field)
		if !slices.Contains(unrestored, name) && !(name == hooksPart && hooks) &&
			!same(reflect.ValueOf(c.before).Field(i), reflect.ValueOf(c.after).Field(i)) {
			changed = append(changed, name)
		}
	}
	for _, docs := range []map[task.DocName]task.Doc{c.before.Docs, c.after.Docs} {
		for name := range docs {
			if c.before.Docs[name].OID != c.after.Docs[name].OID {
				changed = append(changed, docPart+string(name))
			}
		}
	}
	if task.KnowledgeID(c.before, c.size) != task.KnowledgeID(c.after, c.size) {
		changed = append(changed, knowledgePart)
	}
	if slices.ContainsFunc(changed, func(part string) bool { return slices.Contains(courseParts, part) }) {
		changed = append(changed, courseParts...)
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

func partName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// same reports whether two fields are written alike.
func same(a, b reflect.Value) bool {
	none := func(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }
	x, errX := json.Marshal(a.Interface())
	y, errY := json.Marshal(b.Interface())
	return none(a) && none(b) || errX == nil && errY == nil && bytes.Equal(x, y)
}

// TakeBack returns t with all that the change did as it was before, or says what
// was changed since.
func (c Change) TakeBack(t task.Task, texts task.Texts) (task.Task, error) {
	if instead, lasting := Lasting(c.kinds()...); lasting {
		return t, task.Refuse(task.CodeUndo, "that can't be taken back", instead)
	}
	if t.Root != c.before.Root || t.Root != c.after.Root {
		return t, task.Refuse(task.CodeInvalid, "what is to be taken back is not of this task", "see 'git brew undo --list'")
	}
	changed := c.Parts()
	if len(changed) == 0 {
		return t, task.Refuse(task.CodeUndo, "it changed nothing", "")
	}
	after := t
	for _, part := range changed {
		unchanged, err := c.restore(&after, part, texts)
		if err != nil {
			return t, err
		}
		if !unchanged {
			return t, task.Refuse(task.CodeChangedSince, shownPart(t, part)+" since", "see 'git brew log'")
		}
	}
	if task.Validate(after) != nil {
		return t, task.Refuse(task.CodeUndo, "something that was added since belongs to what it added",
			"take that back first, or drop the phase: 'git brew phase drop'")
	}
	if after.Deleted {
		// A delete has a rule of its own where histories meet.
		return t, task.Refuse(task.CodeTaskState, "the task would be a deleted one again, and only a delete does that",
			"see 'git brew log'")
	}
	return after, nil
}

// restore makes a part of t what it was before the change, or reports that it is not what
// the change made of it any more.
func (c Change) restore(t *task.Task, part string, texts task.Texts) (unchanged bool, err error) {
	if name, doc := strings.CutPrefix(part, docPart); doc {
		name := task.DocName(name)
		was, there := c.before.Docs[name]
		// The final report tells of an end that is none, whoever wrote it since.
		unchanged = name == task.DocFinal && !there || t.Docs[name].OID == c.after.Docs[name].OID
		docs := map[task.DocName]task.Doc{}
		maps.Copy(docs, t.Docs)
		if t.Docs = docs; there {
			docs[name] = was
		} else {
			delete(docs, name)
		}
		return unchanged, nil
	}
	if part == knowledgePart {
		unchanged = task.KnowledgeID(*t, c.size) == task.KnowledgeID(c.after, c.size)
		was, err := task.LoadKnowledge(c.before, texts)
		t.Knowledge, t.KnowledgeOID = was.Knowledge, ""
		return unchanged, err
	}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[task.Task]()) {
		if partName(field) == part {
			now := reflect.ValueOf(t).Elem().Field(i)
			unchanged = same(now, reflect.ValueOf(c.after).Field(i))
			now.Set(reflect.ValueOf(c.before).Field(i))
		}
	}
	return unchanged, nil
}

// shownPart says that a part changed.
func shownPart(t task.Task, part string) string {
	switch name, doc := strings.CutPrefix(part, docPart); {
	case doc:
		part = t.ShownDoc(task.DocName(name))
	case slices.Contains(courseParts, part):
		return "the task went on"
	}
	return strings.ReplaceAll(part, "_", " ") + " changed"
}
