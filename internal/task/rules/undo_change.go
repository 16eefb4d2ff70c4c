package rules

import (
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
	before, after task.Parts
}

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
	was, err := partsAt(past, on)
	if err != nil {
		return c, err
	}
	did, err := partsAt(past, p.Commit)
	c.before, c.after = was, did
	return c, err
}

func errCutOff() error {
	return task.Refuse(task.CodeUndo, "a part of its history is not here",
		"'git fetch --unshallow' brings it, if this clone is shallow")
}

// partsAt reads a state; there is none before the first operation.
func partsAt(past Past, commit string) (task.Parts, error) {
	if commit == "" {
		return task.Parts{}, nil
	}
	files, ok := past.Files(commit)
	if !ok {
		return nil, errCutOff()
	}
	file := files[task.TaskFile]
	if file.Data, ok = past.Text(file.OID); !ok {
		return nil, task.Refuse(task.CodeUndo, "the state before it can't be read", "see 'git brew doctor'")
	}
	files[task.TaskFile] = file
	t, err := task.Decode(files)
	if err != nil {
		return nil, err
	}
	return task.PartsOf(t, len(commit))
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
	hooks := slices.Contains(c.kinds(), task.OpStepHook)
	changed := slices.Collect(maps.Keys(all))
	changed = slices.DeleteFunc(changed, func(part string) bool {
		return slices.Contains(unrestored, part) || part == task.PartHooks && hooks ||
			reflect.DeepEqual(c.before[part], c.after[part])
	})
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
	now, err := task.PartsOf(t, c.size)
	if err != nil {
		return t, err
	}
	if id := now["root"]; id != c.before["root"] || id != c.after["root"] {
		return t, task.Refuse(task.CodeInvalid, "what is to be taken back is not of this task", "see 'git brew undo --list'")
	}
	changed := c.Parts()
	if len(changed) == 0 {
		return t, task.Refuse(task.CodeUndo, "it changed nothing", "")
	}
	for _, part := range changed {
		// The final report tells of an end that is none, whoever wrote it since.
		final := part == task.DocPart+string(task.DocFinal) && c.before[part] == nil
		if !final && !reflect.DeepEqual(now[part], c.after[part]) {
			return t, task.Refuse(task.CodeChangedSince, shownPart(t, part)+" since", "see 'git brew log'")
		}
		now[part] = c.before[part]
	}
	after, err := task.Rebuilt(t, now, texts)
	if err != nil {
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

// shownPart says that a part changed.
func shownPart(t task.Task, part string) string {
	switch name, doc := strings.CutPrefix(part, task.DocPart); {
	case doc:
		part = t.ShownDoc(task.DocName(name))
	case slices.Contains(courseParts, part):
		return "the task went on"
	}
	return strings.ReplaceAll(part, "_", " ") + " changed"
}
