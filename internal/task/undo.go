package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// An operation is taken back by another one: what its author had seen stays in
// the history. It names commits of the record's own history, so that what the
// operation did is read there, and nobody can say that it did something else.

// maxAct is how many operations are taken back as one.
const maxAct = 1000

// UndoPayload is what OpUndo and OpUndoOpen carry.
type UndoPayload struct {
	// Operations are what is taken back, the first first: one, or all that one
	// command made (operation.Operation.Act).
	Operations []operation.ID `json:"operations"`
	// Commit recorded the last of them.
	Commit string `json:"commit"`
	// Said is the sentence that told them, for people.
	Said string `json:"said,omitempty"`
}

// Past is implemented by texts that know the record's history, too: what is
// taken back is read from there.
type Past interface {
	// Operation is the one that a commit of the history made, and the commit it
	// was made on, "" for none. A merge made none.
	Operation(commit string) (op operation.Operation, on string, ok bool)
	// Files are those of the state at a commit; their contents are Texts'.
	Files(commit string) (Files, bool)
}

// CommitsOf are the commits of a record's history that an operation names.
// Whoever folds it needs them.
func CommitsOf(op operation.Operation) []string {
	if op.Kind != OpUndo && op.Kind != OpUndoOpen {
		return nil
	}
	p, _ := Payload[UndoPayload](op)
	return []string{p.Commit}
}

// UndoKind is the kind of operation that takes these back: it is guarded by the
// lock where one of them is.
func UndoKind(kinds ...operation.Kind) operation.Kind {
	if slices.ContainsFunc(kinds, Guarded) {
		return OpUndo
	}
	return OpUndoOpen
}

// Lasting says what to do instead of taking an operation of this kind back; ok is
// false where it can be. Nobody needs to be told of what git brew noted by
// itself: then there is nothing to do.
func Lasting(k operation.Kind) (instead string, ok bool) {
	row, known := kindOf(k)
	if !known {
		return "it was written by a newer git-brew", true
	}
	return row.instead, row.lasting
}

// Along reports a kind that says what follows from what was done in the same act,
// and is taken back with it. What begins with it is nobody's deed, and lasts.
func Along(k operation.Kind) bool { return k == OpStepHook }

// deed is what was done by operations that are taken back: the states around
// them, and what these were as JSON.
type deed struct {
	ops           []operation.Operation
	was, did      Task
	before, after map[string]any
}

// CodeUndo: what was done can't be taken back any more.
const CodeUndo Code = "undo"

// CodeNothingLeft: nothing is left of what was done. Undo looks past it.
const CodeNothingLeft Code = "undo_nothing_left"

// recall reads from the history what p names, a deed that may be taken back.
func (e *editor) recall(p UndoPayload, may func(deed) error) (deed, error) {
	var d deed
	past, ok := e.texts.(Past)
	n := len(p.Operations)
	if !ok || n == 0 || n > maxAct || !validOID(p.Commit) {
		return d, refuse(CodeInvalid, "what is to be taken back is not named", "see 'git brew undo --list'")
	}
	d.ops = make([]operation.Operation, n)
	on := p.Commit
	for i := n - 1; i >= 0; i-- {
		op, before, found := past.Operation(on)
		switch {
		case !found:
			return d, refuse(CodeUndo, "a part of its history is not here", "'git fetch --unshallow' brings it, if this clone is shallow")
		case op.ID != p.Operations[i], i > 0 && op.Act != p.Operations[0]:
			return d, refuse(CodeInvalid, "the commits named are not those of what is to be taken back", "see 'git brew undo --list'")
		}
		d.ops[i], on = op, before
	}
	err := may(d)
	if err != nil {
		return d, err
	}
	if d.was, d.before, err = e.stateAt(past, on); err != nil {
		return d, err
	}
	d.did, d.after, err = e.stateAt(past, p.Commit)
	return d, err
}

func (e *editor) stateAt(past Past, commit string) (Task, map[string]any, error) {
	files, ok := past.Files(commit)
	if !ok {
		return Task{}, nil, refuse(CodeUndo, "a part of its history is not here", "'git fetch --unshallow' brings it, if this clone is shallow")
	}
	file := files[TaskFile]
	if file.Data, ok = e.text(Doc(file)); !ok {
		return Task{}, nil, refuse(CodeUndo, "the state before it can't be read", "see 'git brew doctor'")
	}
	files[TaskFile] = file
	t, err := Decode(files)
	if err != nil {
		return Task{}, nil, err
	}
	var fields map[string]any
	return t, fields, decodeNumbers(file.Data, &fields)
}

// lasts says why a deed can't be taken back, whatever the state is.
func (d deed) lasts(open bool) error {
	for i, op := range d.ops {
		if i > 0 && Along(op.Kind) {
			continue
		}
		if instead, lasting := Lasting(op.Kind); lasting {
			return refuse(CodeUndo, "that can't be taken back", instead)
		}
	}
	if open != (UndoKind(d.kinds()...) == OpUndoOpen) {
		return refuse(CodeInvalid, "it is guarded by the lock, or open, as what it takes back is", "")
	}
	return nil
}

func (d deed) kinds() []operation.Kind {
	kinds := make([]operation.Kind, len(d.ops))
	for i, op := range d.ops {
		kinds[i] = op.Kind
	}
	return kinds
}

// applyUndo takes back what p names: where something went on from it since,
// nothing at all.
func applyUndo(open bool) func(*editor, operation.Operation, UndoPayload) bool {
	return func(e *editor, op operation.Operation, p UndoPayload) bool {
		d, err := e.recall(p, func(d deed) error { return d.lasts(open) })
		if err != nil {
			return false
		}
		back := taking{deed: d, e: e, uid: op.ID, at: cleanTime(op.At)}
		return back.take() == nil
	}
}

// checkUndo checks the form; CheckUndo says the rest.
func checkUndo(_ Task, p UndoPayload) error {
	bad := func(id operation.ID) bool { return !id.Valid() }
	if len(p.Operations) == 0 || len(p.Operations) > maxAct || slices.ContainsFunc(p.Operations, bad) ||
		!validOID(p.Commit) || !paragraph(p.Said, MaxReason) {
		return refuse(CodeInvalid, "what is to be taken back is not named", "see 'git brew undo --list'")
	}
	return nil
}

// Taken is what taking something back leads to.
type Taken struct {
	After Task
	// Kept are things that changed since, and stay as they are.
	Kept []string
}

// CheckUndo says why what p names can't be taken back from t now, and what comes
// of it where it can. Errors are *RefusedError, or that the past can't be read.
func CheckUndo(t Task, uid operation.ID, p UndoPayload, texts Texts) (Taken, error) {
	e := editor{t: t, texts: texts}
	d, err := e.recall(p, func(d deed) error { return d.lasts(UndoKind(d.kinds()...) == OpUndoOpen) })
	if err != nil {
		return Taken{}, err
	}
	back := taking{deed: d, e: &e, uid: uid, at: t.UpdatedAt}
	if err := back.take(); err != nil {
		if refused, ok := errors.AsType[*RefusedError](err); ok {
			return Taken{}, refused
		}
		return Taken{}, refuse(CodeUndo, "taken back, the task would be no sound one: "+err.Error(), "see 'git brew log'")
	}
	e.settleFinalReviews(moment{at: t.UpdatedAt}) // as behind every operation
	return Taken{e.t, back.kept}, standsOn(t, e.t, d.did)
}

// standsOn refuses what the fold allows and no person means: work that others
// were allowed to go on from, since it was done, is not taken away below them.
func standsOn(now, after, did Task) error {
	for _, p := range now.Phases {
		is, there := after.Phase(p.UID)
		if there && is.Status == p.Status {
			continue
		}
		if now.Status.Terminal() && after.Status == now.Status && did.Status != now.Status {
			return ended(now)
		}
		if !p.Status.Over() {
			continue
		}
		for _, q := range now.Phases {
			then, _ := did.Phase(q.UID)
			if slices.Contains(q.DependsOn, p.UID) && q.Status != PhasePending && q.Status != then.Status {
				return refuse(CodeUndo, fmt.Sprintf("phase %s, which depends on phase %s, is %s", q.ID, p.ID, q.Status),
					"take that back first, or 'git brew phase reset "+p.ID+"'")
			}
		}
	}
	for _, r := range now.Reports {
		p, _ := after.Phase(r.Phase)
		then, _ := did.Phase(r.Phase)
		if then.Status != PhaseCompleted && p.Status == PhaseCompleted && after.TextAt(ReportPath(after, r)) == "" {
			return refuse(CodeUndo, fmt.Sprintf("phase %s was completed on this report", p.ID), "'git brew phase reset "+p.ID+"' first")
		}
	}
	return nil
}

func sayUndo(_ operation.Operation, p UndoPayload, _, _ Task) string {
	said := p.Said
	if said == "" && len(p.Operations) > 0 {
		said = "operation " + clip(string(p.Operations[0]), 8)
	}
	return SayUndone(said)
}

// SayUndone says that what a sentence tells was taken back: what was undone is
// done again, and the other way round.
func SayUndone(said string) string {
	const undone, redone = "undone: ", "redone: "
	if what, was := strings.CutPrefix(said, undone); was && what != "" {
		return redone + what
	}
	if what, was := strings.CutPrefix(said, redone); was && what != "" {
		return undone + what
	}
	return undone + said
}
