package rules

import (
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
	Files(commit string) (operation.Files, bool)
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
	unrestored = []string{"schema", "clock", "fence", "updated_at"}
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

// partsOf are the parts of a state, each as it is written; size is that of object ids.
func partsOf(t task.Task, size int) map[string]string {
	var fields map[string]json.RawMessage
	raw, _ := json.Marshal(t) // what was read, or folded, can be written
	_ = json.Unmarshal(raw, &fields)
	parts := map[string]string{knowledgePart: task.KnowledgeID(t, size)}
	for name, value := range fields {
		if !slices.Contains(unrestored, name) {
			parts[name] = string(value)
		}
	}
	for name, doc := range t.Docs {
		parts[docPart+string(name)] = doc.OID
	}
	return parts
}

// Same reports whether nothing of two states of a task differs that could go back; size is
// that of object ids.
func Same(before, after task.Task, size int) bool {
	return maps.Equal(partsOf(before, size), partsOf(after, size))
}

// Parts names what goes back with the change.
func (c Change) Parts() []string {
	before, after := partsOf(c.before, c.size), partsOf(c.after, c.size)
	if slices.Contains(c.kinds(), task.OpStepHook) {
		after[hooksPart] = before[hooksPart]
	}
	var changed []string
	for _, parts := range []map[string]string{before, after} {
		for part := range parts {
			if before[part] != after[part] {
				changed = append(changed, part)
			}
		}
	}
	if slices.ContainsFunc(changed, func(part string) bool { return slices.Contains(courseParts, part) }) {
		changed = append(changed, courseParts...)
	}
	slices.Sort(changed)
	return slices.Compact(changed)
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
	after, now, made := t, partsOf(t, c.size), partsOf(c.after, c.size)
	after.Docs = map[task.DocName]task.Doc{}
	maps.Copy(after.Docs, t.Docs)
	for _, part := range changed {
		// The final report tells of an end that is none, whoever wrote it since.
		final := part == docPart+string(task.DocFinal) && !c.before.HasDoc(task.DocFinal)
		if now[part] != made[part] && !final {
			return t, task.Refuse(task.CodeChangedSince, shownPart(t, part)+" since", "see 'git brew log'")
		}
		if err := c.restore(&after, part, texts); err != nil {
			return t, err
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

// restore makes a part of t what it was before the change.
func (c Change) restore(t *task.Task, part string, texts task.Texts) error {
	if name, doc := strings.CutPrefix(part, docPart); doc {
		name := task.DocName(name)
		if was, there := c.before.Docs[name]; there {
			t.Docs[name] = was
		} else {
			delete(t.Docs, name)
		}
		return nil
	}
	if part == knowledgePart {
		was, err := task.LoadKnowledge(c.before, texts)
		t.Knowledge, t.KnowledgeOID = was.Knowledge, ""
		return err
	}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[task.Task]()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name == part {
			reflect.ValueOf(t).Elem().Field(i).Set(reflect.ValueOf(c.before).Field(i))
		}
	}
	return nil
}

func shownPart(t task.Task, part string) string {
	switch name, doc := strings.CutPrefix(part, docPart); {
	case doc:
		part = t.ShownDoc(task.DocName(name))
	case slices.Contains(courseParts, part):
		return "the task went on"
	}
	return strings.ReplaceAll(part, "_", " ") + " changed"
}
