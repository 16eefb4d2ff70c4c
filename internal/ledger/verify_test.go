package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

func (r *rig) verify(tip gitstore.OID) error {
	return Verify(context.Background(), r.l, tallyLaw(), tip)
}

// merged is the tip of a history that forked twice.
func (r *rig) merged() gitstore.OID {
	r.T.Helper()
	tip := r.add(refA, Stamp{}, words("one", "two")...)
	for _, w := range []string{"three", "four"} {
		r.branch(refB, tip)
		a := r.add(refA, Stamp{}, words(w+" here")...)
		b := r.add(refB, Stamp{}, words(w+" there", w+" too")...)
		made, how, err := r.merge(a, b)
		if err != nil || how != OutcomeMerged {
			r.T.Fatalf("%s, %v", how, err)
		}
		r.branch(refA, made)
		tip = r.add(refA, Stamp{}, words(w+" together")...)
	}
	return tip
}

func TestVerify_historyThatForked(t *testing.T) {
	r := newRig(t)
	tip := r.merged()
	if err := r.verify(tip); err != nil {
		t.Error(err)
	}
}

// The first commit whose tree is not what its operations make is named, at the
// tip or below it.
func TestVerify_namesTheFirstWrongTree(t *testing.T) {
	r := newRig(t)
	good := r.add(refA, Stamp{}, words("one", "two")...)
	other := r.add(refB, Stamp{}, words("else")...)
	wrong := r.commit(other, good) // op.json of another history, and its state
	r.branch(refA, wrong)
	tip := r.add(refA, Stamp{}, words("three")...)
	for _, at := range []gitstore.OID{wrong, tip} {
		var broken *BrokenLawError
		if err := r.verify(at); !errors.As(err, &broken) || broken.Commit != wrong {
			t.Errorf("%v, want %s", err, wrong.Short())
		}
	}
}

// S-35: what a shallow clone has is verified; what it has not raises no alarm.
func TestVerify_S35_shallow(t *testing.T) {
	far := newRig(t)
	far.branch(refA, far.merged())
	near := far.shallow(refA)
	boundary := near.tip(refA)
	if err := near.verify(boundary); err != nil {
		t.Errorf("at the boundary: %v", err)
	}
	tip := near.add(refA, Stamp{}, words("here")...)
	if err := near.verify(tip); err != nil {
		t.Errorf("above the boundary: %v", err)
	}
	near.branch(refB, tip)
	other := near.add(refB, Stamp{}, words("there")...)
	var broken *BrokenLawError
	if err := near.verify(near.commit(tip, tip, other)); err != nil {
		t.Errorf("a merge above the boundary: %v", err)
	}
	if err := near.verify(near.commit(boundary, tip)); !errors.As(err, &broken) {
		t.Errorf("a wrong tree above the boundary: %v", err)
	}
}

// What a newer minor version adds to an operation is no damage.
func TestVerify_unknownFieldOfAnOperation(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	tip := r.forge(base, func(op *operation.Operation) {
		op.Extra = map[string]json.RawMessage{"reason": json.RawMessage(`"because"`)}
	})
	if err := r.verify(tip); err != nil {
		t.Error(err)
	}
}

// A newer program's history is not called damaged, but what is is found.
func TestVerify_unknownLaw(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	newer := r.forge(base, func(op *operation.Operation) { op.Law = operation.Law + 1 })
	tip := r.forge(newer, func(op *operation.Operation) { op.Payload = json.RawMessage(`{"word":"two"}`) })
	var broken *BrokenLawError
	if err := r.verify(tip); !errors.Is(err, ErrUnknownLaw) || errors.As(err, &broken) {
		t.Errorf("newer: %v", err)
	}
	r.damage("words/two", tip)
	var corrupt *gitstore.CorruptError
	if err := r.verify(tip); !errors.As(err, &corrupt) {
		t.Errorf("newer, and damaged: %v", err)
	}
}

// damage garbles the blob of a path at a commit.
func (r *rig) damage(path string, at gitstore.OID) {
	r.T.Helper()
	r.Unchecked()
	name := r.Git("rev-parse", at.String()+":"+path)
	file := filepath.Join(r.Dir, ".git", "objects", name[:2], name[2:])
	if err := os.Chmod(file, 0o666); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("garbled"), 0o666); err != nil {
		r.T.Fatal(err)
	}
}

// S-24: an object that only an old state needs is read, too, and named.
func TestVerify_S24_readsEveryObject(t *testing.T) {
	r := newRig(t)
	old := r.add(refA, Stamp{}, words("one")...)
	tip := r.add(refA, Stamp{}, words("two")...)
	r.damage(tallyFile, old)
	err := r.verify(tip)
	var corrupt *gitstore.CorruptError
	if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), tallyFile) ||
		!strings.Contains(err.Error(), old.Short()) {
		t.Errorf("%v", err)
	}
	if err := r.l.CheckObjects(context.Background(), tip); err != nil {
		t.Errorf("the tip alone: %v", err)
	}
}

// A tree that holds itself many times over is read once.
func TestWhole_unfoldingTree(t *testing.T) {
	r := newRig(t)
	var tip gitstore.OID
	r.change(func(ctx context.Context, tx *Tx) error {
		e := []gitstore.Entry{{Name: "x", Mode: gitstore.ModeFile, OID: tx.Blob([]byte("x"))}}
		for range 60 {
			below := tx.w.Tree(e)
			e = []gitstore.Entry{
				{Name: "a", Mode: gitstore.ModeDir, OID: below},
				{Name: "b", Mode: gitstore.ModeDir, OID: below},
			}
		}
		var err error
		if tip, err = tx.Stage(ctx, tx.w.Tree(e), "a bomb\n"); err != nil {
			return err
		}
		return tx.Move(ctx, refA, tip)
	})
	if err := r.l.CheckObjects(context.Background(), tip); err != nil {
		t.Error(err)
	}
	r.Unchecked() // git itself unfolds it
}
