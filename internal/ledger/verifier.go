package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// compareSteps compares the trees of commits with what their operations make,
// parents before children; what is before them is believed. ErrUnknownLaw, or a
// *operation.FormatError: a newer program made one. An *UnsoundError names the commit
// whose state would take more than it may.
//
// What depends on a part of the history that a shallow clone lacks is made of
// what is here. Where that is not what the tree holds, nobody can tell: a tree of
// our own is believed then, a stranger's is ErrShallow.
func compareSteps[S any](
	ctx context.Context, l *Ledger, law Law[S], may *allowance, whose origin, tip gitstore.OID, steps []Step,
) error {
	v := verifier[S]{
		l: l, law: law, may: may, whose: whose, texts: newBlobs(ctx, l.repo),
		steps: make(map[gitstore.OID]Step, len(steps)), on: make(map[gitstore.OID]gitstore.OID, len(steps)),
		uses: map[gitstore.OID]int{}, states: map[gitstore.OID]S{},
	}
	for _, s := range steps {
		v.steps[s.Commit] = s
	}
	if err := v.plan(ctx, tip, steps); err != nil {
		return err
	}
	for _, s := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := v.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// origin is where the steps come from that are compared.
type origin bool

const (
	ourOwn    origin = false // they were taken before
	strangers origin = true  // nothing of them is believed
)

// verifier goes through new commits, parents before children.
type verifier[S any] struct {
	l     *Ledger
	law   Law[S]
	may   *allowance
	whose origin
	texts *blobs
	graph *commitGraph // of all there is, or of what is new where that suffices
	steps map[gitstore.OID]Step
	// on are the commits on whose states those of others are made: where lines join, the
	// one at which they parted. Zero: on none.
	on map[gitstore.OID]gitstore.OID
	// uses counts the commits that are still to be made on the state of one.
	uses   map[gitstore.OID]int
	states map[gitstore.OID]S
}

// plan lists the history, and finds the states that are needed on the way.
// What would take too much is refused before anything is folded.
func (v *verifier[S]) plan(ctx context.Context, tip gitstore.OID, steps []Step) (err error) {
	if slices.ContainsFunc(steps, func(s Step) bool { return !onOne(s) }) {
		// Lines join that may have parted before what is new.
		if v.graph, err = v.l.commitGraph(ctx, tip); err != nil {
			return err
		}
	} else {
		v.graph = newCommitGraph(len(steps))
		for _, s := range steps {
			v.graph.add(s.Commit, s.Parents, s.cut)
		}
	}
	planned := *v.may
	for _, s := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		on, err := v.base(s, &planned)
		if err != nil {
			return &UnsoundError{Commit: s.Commit, Err: err}
		}
		v.on[s.Commit] = on
		v.uses[on]++
	}
	return nil
}

// onOne tells of a commit that is an operation on the state of its one parent,
// or on none.
func onOne(s Step) bool { return s.Op != nil && len(s.Parents) < 2 }

// base is the commit on whose state the one of s is made.
func (v *verifier[S]) base(s Step, may *allowance) (none gitstore.OID, err error) {
	i := v.graph.at[s.Commit]
	switch {
	case onOne(s) && len(s.Parents) == 1 && !s.cut:
		return s.Parents[0], nil
	case onOne(s), v.graph.cut[i] && v.whose == ourOwn:
		return none, nil
	}
	base, behind, err := v.graph.fork(may, v.graph.parents[i]...)
	if err == nil && ruled(v.law) {
		if err = may.take(base + 1); err == nil {
			err = may.fork(v.graph.operations(behind))
		}
	}
	if err != nil || base < 0 {
		return none, err
	}
	return v.graph.commits[base], nil
}

func (v *verifier[S]) step(ctx context.Context, s Step) error {
	if s.Op != nil && s.Op.Law > operation.Law {
		return errNewerLaw(s)
	}
	v.texts.beyond = false
	on := v.on[s.Commit]
	state, err := v.make(ctx, s, on)
	if err != nil {
		return err
	}
	if v.uses[s.Commit] > 0 {
		v.states[s.Commit] = state
	}
	if v.uses[on]--; v.uses[on] == 0 {
		delete(v.states, on)
	}
	return nil
}

// make is the state at a commit, which its tree holds, or which is believed to be there.
func (v *verifier[S]) make(ctx context.Context, s Step, on gitstore.OID) (state S, err error) {
	at := v.graph.at[s.Commit]
	if s.cut || !onOne(s) && on.IsZero() && v.graph.cut[at] {
		return v.believe(ctx, s) // there is nothing to make it of
	}
	state = v.law.Zero()
	if !on.IsZero() {
		if state, err = v.stateAt(ctx, on); err != nil {
			return state, err
		}
	}
	if onOne(s) {
		state, _ = v.law.Apply(state, *s.Op, v.texts)
	} else if state, err = v.join(ctx, s, at, state); err != nil {
		return state, err
	}
	if v.texts.err != nil {
		return state, v.texts.err
	}
	wrong := v.compare(s, state)
	if _, differs := errors.AsType[*BrokenLawError](wrong); !differs {
		return state, wrong
	}
	if v.lacks(s) {
		return v.believe(ctx, s)
	}
	if newer := newerFormat(ctx, v.l, s.tree, v.law.Needs); newer != nil {
		return state, fmt.Errorf("commit %s: %w", s.Commit.Short(), newer)
	}
	return state, wrong
}

// join is the state where lines join, and that of the operation there, if any.
func (v *verifier[S]) join(ctx context.Context, s Step, at int, state S) (S, error) {
	from, behind, err := v.graph.fork(unlimited(), v.graph.parents[at]...)
	if err != nil {
		return state, err
	}
	if s.Op != nil {
		behind = append(behind, at)
	}
	r := reader{l: v.l, graph: v.graph, steps: v.steps, may: v.may}
	state, err = foldFrom(ctx, &r, v.law, state, from, behind, v.texts)
	if errors.Is(err, gitstore.ErrTooLarge) {
		err = &UnsoundError{Commit: s.Commit, Err: err}
	}
	return state, err
}

// lacks reports whether the state of a commit was made without a part of the
// history that a shallow clone lacks. An operation that names such a part lacks
// it alone; what joins lines lacks it for the rules of what is void, wherever it
// was cut.
func (v *verifier[S]) lacks(s Step) bool {
	return v.graph.cut[v.graph.at[s.Commit]] && (v.texts.beyond || !onOne(s))
}

// believe is the state in the tree of a commit that can't be made here, where
// the commit is our own.
func (v *verifier[S]) believe(ctx context.Context, s Step) (state S, err error) {
	if v.whose == strangers {
		return state, &UnsoundError{Commit: s.Commit, Err: fmt.Errorf("it takes more than is here: %w", ErrShallow)}
	}
	return Load(ctx, v.l, v.law, s.Commit)
}

// stateAt is the state of a commit that was made before, or is believed.
func (v *verifier[S]) stateAt(ctx context.Context, commit gitstore.OID) (S, error) {
	if state, ok := v.states[commit]; ok {
		return state, nil
	}
	state, err := Load(ctx, v.l, v.law, commit)
	if err == nil {
		v.states[commit] = state
	}
	return state, err
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
