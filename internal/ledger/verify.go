package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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

// compareSteps compares the trees of commits with what their operations make,
// parents before children; what is before them is believed. ErrUnknownLaw, or a
// *operation.FormatError: a newer program made one. An *UnsoundError names the commit
// whose state would take more than it may.
//
// What depends on a part of the history that a shallow clone lacks is made of
// what is here. Where that is not what the tree holds, nobody can tell: a tree of
// our own is believed then, a stranger's is ErrShallow.
func compareSteps[S any](
	ctx context.Context, l *Ledger, law Law[S], may *allowance, ours bool, tip gitstore.OID, steps []Step,
) (err error) {
	r := newReader(l, newCommitGraph(len(steps)), may)
	v := verifier[S]{l: l, law: law, ours: ours, texts: newBlobs(ctx, l), r: r}
	for _, s := range steps {
		v.r.steps[s.Commit] = s
		v.r.graph.add(s.Commit, s.Parents, s.cut)
	}
	if slices.ContainsFunc(steps, func(s Step) bool { return !onOne(s) }) {
		// Lines join that may have parted before what is new.
		if v.r.graph, err = l.commitGraph(ctx, tip); err != nil {
			return err
		}
	}
	for _, s := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := knownLaw(s); err != nil {
			return err
		}
		if v.state, err = v.make(ctx, s); err != nil {
			return err
		}
		v.last = s.Commit
	}
	return nil
}

// verifier goes through new commits, parents before children.
type verifier[S any] struct {
	l     *Ledger
	law   Law[S]
	ours  bool // the commits were taken before; else nothing of them is believed
	texts *blobs
	r     *reader // of all there is, or of what is new where that suffices
	// state is that of the last commit, which most are made on.
	last  gitstore.OID
	state S
}

// onOne tells of a commit that is an operation on the state of its one parent,
// or on none.
func onOne(s Step) bool { return s.Op != nil && len(s.Parents) < 2 }

// make is the state at a commit, which its tree holds, or which is believed to be there.
func (v *verifier[S]) make(ctx context.Context, s Step) (state S, err error) {
	if s.cut {
		return v.believe(ctx, s)
	}
	v.texts.beyond = false
	cut := v.r.graph.cut[v.r.graph.at[s.Commit]]
	if onOne(s) {
		state, err = v.apply(ctx, s)
	} else {
		var base int
		if state, base, err = v.join(ctx, s); base < 0 && cut {
			return v.believe(ctx, s) // there is nothing to make it of
		}
	}
	if err != nil || v.texts.err != nil {
		return state, cmp.Or(err, v.texts.err)
	}
	wrong := v.compare(s, state)
	if _, differs := errors.AsType[*BrokenLawError](wrong); !differs {
		return state, wrong
	}
	// An operation that names a part which a shallow clone lacks lacks it alone; what
	// joins lines lacks it for the rules of what is void, wherever it was cut.
	if cut && (v.texts.beyond || !onOne(s)) {
		return v.believe(ctx, s)
	}
	if newer := newerFormat(ctx, v.l, s.tree, v.law.Needs); newer != nil {
		return state, fmt.Errorf("commit %s: %w", s.Commit.Short(), newer)
	}
	return state, wrong
}

// apply is the state that an operation makes of the one before it.
func (v *verifier[S]) apply(ctx context.Context, s Step) (state S, err error) {
	if len(s.Parents) == 0 {
		state = v.law.Zero
	} else if state, err = v.stateAt(ctx, s.Parents[0]); err != nil {
		return state, err
	}
	state, _ = v.law.Apply(state, *s.Op, v.texts)
	return state, nil
}

// join is the state where lines join, and the place of the commit where they parted,
// -1 for none.
func (v *verifier[S]) join(ctx context.Context, s Step) (state S, base int, err error) {
	base, behind := v.r.graph.fork(v.r.graph.parents[v.r.graph.at[s.Commit]]...)
	state, err = foldFrom(ctx, v.r, v.law, base, behind, v.stateAt, v.texts)
	if errors.Is(err, gitstore.ErrTooLarge) {
		err = &UnsoundError{Commit: s.Commit, Err: err}
	}
	return state, base, err
}

// believe is the state in the tree of a commit that can't be made here, where
// the commit is our own.
func (v *verifier[S]) believe(ctx context.Context, s Step) (state S, err error) {
	if !v.ours {
		return state, &UnsoundError{Commit: s.Commit, Err: fmt.Errorf("it takes more than is here: %w", ErrShallow)}
	}
	return Load(ctx, v.l, v.law, s.Commit)
}

// stateAt is the state at a commit that was compared before, or is believed.
func (v *verifier[S]) stateAt(ctx context.Context, commit gitstore.OID) (S, error) {
	if commit == v.last {
		return v.state, nil
	}
	return Load(ctx, v.l, v.law, commit)
}

// compare makes the tree of the state, with the commit's own op.json, and
// compares it with the commit's.
func (v *verifier[S]) compare(s Step, state S) error {
	files, err := stateFiles(v.law, state, gitstore.HashBlob)
	if err != nil {
		return err
	}
	if s.Op != nil {
		files[opFile] = s.opBlob
	}
	want, err := v.l.repo.Objects.NewWriter().Files(files)
	if err != nil {
		return err
	}
	if s.tree != want {
		return &BrokenLawError{Commit: s.Commit, Why: "its tree is not what its operations make"}
	}
	return nil
}
