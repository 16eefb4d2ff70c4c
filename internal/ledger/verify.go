package ledger

import (
	"context"
	"fmt"
	"math"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// BrokenLawError names the first commit of a record whose tree is not what its
// history says.
type BrokenLawError struct {
	Commit gitstore.OID
	Why    string
}

func (e *BrokenLawError) Error() string {
	return fmt.Sprintf("commit %s: %s", e.Commit.Short(), e.Why)
}

// maxDepth bounds how deep the directories of our own records may lie, lest they never
// end.
const maxDepth = 1000

// newReading is an inspector that reads every object, within no limits of strangers.
func newReading(l *Ledger) *inspector {
	in := newInspector(l, limits{tree: gitstore.MaxObjectSize, entries: math.MaxInt, depth: maxDepth},
		func(string) int64 { return math.MaxInt64 })
	in.reads = true
	return in
}

// CheckObjects reads every object of the state at a commit. The error names the first
// that can't be read.
func (l *Ledger) CheckObjects(ctx context.Context, commit gitstore.OID) error {
	s, err := readStep(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), commit)
	if err != nil {
		return err
	}
	s.Parents = nil
	return newReading(l).walk(ctx, &s)
}

// CheckObjectsSince reads every object that the states up to tip hold, but for those up
// to known (zero: none). The error names the first that can't be read.
func (l *Ledger) CheckObjectsSince(ctx context.Context, known, tip gitstore.OID) error {
	_, err := readSince(ctx, l, tip, known)
	return err
}

// readSince reads every object of the states that lead to tip and to none of known, and
// returns the steps.
func readSince(ctx context.Context, l *Ledger, tip gitstore.OID, known ...gitstore.OID) ([]Step, error) {
	steps, err := l.since(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), maxHistory, tip, known...)
	if err != nil {
		return nil, err
	}
	in := newReading(l)
	for i := range steps {
		if err := in.walk(ctx, &steps[i]); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

// Verify reads what leads to tip and to none of the known commits, every object of
// it, folds it anew, and compares every commit's tree with what its operations make.
// The first one that differs is a *BrokenLawError. The states of known commits, and of
// all before them, are believed: what is new costs no more than that, as long as it
// does not join older lines of the history.
//
// Where a shallow clone lacks a part, the state that was made from it is
// believed, and what follows is compared. From an operation of an unknown law
// on nothing can be: then ErrUnknownLaw, after all objects were read.
func Verify[S any](ctx context.Context, l *Ledger, law Law[S], tip gitstore.OID, known ...gitstore.OID) error {
	steps, err := readSince(ctx, l, tip, known...)
	if err != nil {
		return err
	}
	for i := range steps {
		if err := l.readOperation(ctx, &steps[i]); err != nil {
			return fmt.Errorf("read the operation of %s: %w", steps[i].Commit.Short(), err)
		}
	}
	return compareSteps(ctx, l, law, unlimited(), true, tip, steps)
}
