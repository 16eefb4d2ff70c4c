package task

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/operation"
)

// Texts gives the contents of blobs, for merging. A fold comes to the same
// state everywhere only where it has every text that the operations name.
type Texts interface {
	Text(oid string) ([]byte, bool)
}

// Apply returns the state after op, and whether op did anything. It is total:
// what no longer applies, or makes no sense, changes nothing but the clock.
// t stays as it was.
func Apply(t Task, op operation.Operation, texts Texts) (Task, bool) {
	e := editor{t: t, texts: texts}
	applied := e.apply(op)
	return e.finish(op, applied), applied
}

// Rules returns what operation.Void has to know about the kinds.
func Rules() operation.Rules {
	return operation.Rules{
		Guarded: Guarded,
		Delete:  func(k operation.Kind) bool { return k == OpDelete },
		Yield:   lockYield,
	}
}

func (e *editor) apply(op operation.Operation) bool {
	k, known := kindOf(op.Kind)
	exists := e.t.Root != ""
	if !known || exists == (op.Kind == OpCreate) || e.t.Deleted && !afterDelete(op.Kind) {
		return false
	}
	applied := k.apply(e, op)
	if applied {
		e.settleFinalReviews(moment{at: cleanTime(op.At)})
	}
	return applied
}

// afterDelete reports kinds that may mean something to a task that was deleted:
// the delete may be what they take back.
func afterDelete(k operation.Kind) bool { return k == OpLockLost || k == OpUndo }

// kind is a row of the table of kinds.
type kind struct {
	open bool // to everyone: not guarded by the lock
	// lasting: it can't be taken back; instead is what to do, if anything.
	lasting bool
	instead string
	// quoted are keys in the payload whose texts are as they are elsewhere: what git
	// and records name, what a program said; see checkSeen.
	quoted []string
	apply  func(*editor, operation.Operation) bool
	check  func(Task, operation.Operation) error
	// phase is the phase that the operation is about, if any.
	phase func(operation.Operation) UID
}

// aboutPhase is implemented by payloads that name one.
type aboutPhase interface{ phase() UID }

// row makes a row whose functions see the payload as P. A payload that is none
// changes nothing, and can't be made.
func row[P any](
	apply func(*editor, operation.Operation, P) bool,
	check func(Task, P) error,
) kind {
	return kind{
		apply: func(e *editor, op operation.Operation) bool {
			p, ok := Payload[P](op)
			return ok && apply(e, op, p)
		},
		check: func(t Task, op operation.Operation) error {
			p, ok := Payload[P](op)
			if !ok {
				return refuse(CodeInvalid, "the payload of "+string(op.Kind)+" can't be read", "")
			}
			return check(t, p)
		},
		phase: func(op operation.Operation) UID {
			p, _ := Payload[P](op)
			if about, ok := any(p).(aboutPhase); ok {
				return about.phase()
			}
			return ""
		},
	}
}

func (k kind) opened() kind {
	k.open = true
	return k
}

func (k kind) lasts(instead string) kind {
	k.lasting, k.instead = true, instead
	return k
}

func (k kind) quotes(keys ...string) kind {
	k.quoted = keys
	return k
}

// Payload is what an operation carries; it is false where that is no P.
func Payload[P any](op operation.Operation) (P, bool) {
	var p P
	err := json.Unmarshal(op.Payload, &p)
	return p, err == nil
}

// Guarded reports whether only the holder of a held lock may make operations
// of this kind. Kinds of newer versions are taken to be guarded.
func Guarded(k operation.Kind) bool {
	row, _ := kindOf(k)
	return !row.open
}

// PhaseOf is the phase that op is about, "" for none.
func PhaseOf(op operation.Operation) UID {
	k, known := kindOf(op.Kind)
	switch {
	case !known:
		return ""
	case op.Kind == OpPhaseAdd:
		return op.ID
	}
	return k.phase(op)
}
