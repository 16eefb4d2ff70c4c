package ledger

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// compareSteps compares the trees of commits with what their operations make,
// parents before children; what is before them is believed. ErrUnknownLaw, or a *operation.FormatError: a newer program
// made one. An *UnsoundError names the commit whose state would take more than it may.
//
// What depends on a part of the history that a shallow clone lacks is made of
// what is here. Where that is not what the tree holds, nobody can tell: a tree of
// our own is believed then, a stranger's is ErrShallow.
func compareSteps[S any](
	ctx context.Context, l *Ledger, law Law[S], may *allowance, whose origin, tip gitstore.OID, steps []Step,
) error {
	v := verifier[S]{
		l: l, law: law, may: may, whose: whose, texts: newBlobs(ctx, l.repo),
		steps: make(map[gitstore.OID]Step, len(steps)), bases: make(map[gitstore.OID]int),
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
	// bases are where the lines parted that a commit joins: places in the graph; -1:
	// nowhere.
	bases map[gitstore.OID]int
	// uses counts the commits that are still to be made on the state of one.
	uses   map[gitstore.OID]int
	states map[gitstore.OID]S
}

// plan lists the history, and finds the states that are needed on the way.
// What would take too much is refused before anything is folded.
func (v *verifier[S]) plan(ctx context.Context, tip gitstore.OID, steps []Step) error {
	v.graph = newCommitGraph(len(steps))
	joins, begins := false, true
	for _, s := range steps {
		joins = joins || !onOne(s)
		begins = begins && !slices.ContainsFunc(s.Parents, func(p gitstore.OID) bool {
			_, isNew := v.steps[p]
			return !isNew && !s.cut
		})
		v.graph.add(s.Commit, s.Parents, s.cut)
	}
	if joins && !begins { // lines join that may have parted before what is new
		var err error
		if v.graph, err = v.l.commitGraph(ctx, tip); err != nil {
			return err
		}
	}
	planned := *v.may
	for _, s := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := v.join(s, &planned); err != nil {
			return tooMuch(s, err)
		}
		if base, ok := v.base(s); ok {
			v.uses[base]++
		}
	}
	return nil
}

func tooMuch(s Step, err error) error { return &UnsoundError{Commit: s.Commit, Err: err} }

// join finds where the lines parted that a commit joins.
func (v *verifier[S]) join(s Step, may *allowance) error {
	i := v.graph.at[s.Commit]
	if onOne(s) || v.graph.cut[i] && v.whose == ourOwn {
		return nil
	}
	base, behind, err := v.graph.fork(may, v.graph.parents[i]...)
	v.bases[s.Commit] = base
	if err != nil || !ruled(v.law) {
		return err
	}
	if err := may.take(base + 1); err != nil {
		return err
	}
	return may.fork(v.graph.operations(behind))
}

// onOne tells of a commit that is an operation on the state of its one parent,
// or on none.
func onOne(s Step) bool { return s.Op != nil && len(s.Parents) < 2 }

// base is the commit on whose state the one of s is made; false: on none.
func (v *verifier[S]) base(s Step) (base gitstore.OID, ok bool) {
	if onOne(s) {
		if len(s.Parents) == 0 || s.cut {
			return base, false
		}
		return s.Parents[0], true
	}
	fork, ok := v.bases[s.Commit]
	if !ok || fork < 0 {
		return base, false
	}
	return v.graph.commits[fork], true
}

func (v *verifier[S]) step(ctx context.Context, s Step) error {
	if s.Op != nil && s.Op.Law > operation.Law {
		return errNewerLaw(s)
	}
	base, onBase := v.base(s)
	state, made, err := v.make(ctx, s, base, onBase)
	if err == nil {
		err = v.texts.err
	}
	if err != nil {
		return err
	}
	if made {
		if err = v.compare(s, state); err != nil {
			state, err = v.unequal(ctx, s, state, err)
		}
	}
	if v.uses[s.Commit] > 0 {
		v.states[s.Commit] = state
	}
	if onBase {
		if v.uses[base]--; v.uses[base] == 0 {
			delete(v.states, base)
		}
	}
	return err
}

// make is the state at a commit; made is false where it could not be made, but
// was believed.
func (v *verifier[S]) make(ctx context.Context, s Step, base gitstore.OID, onBase bool) (state S, made bool,
	err error,
) {
	if s.cut {
		state, err = v.believe(ctx, s)
		return state, false, err
	}
	v.texts.beyond = false
	state = v.law.Zero()
	if onBase {
		if state, err = v.stateAt(ctx, base); err != nil {
			return state, false, err
		}
	}
	if onOne(s) {
		state, _ = v.law.Apply(state, *s.Op, v.texts)
		return state, true, nil
	}
	at := v.graph.at[s.Commit]
	if v.graph.cut[at] && !onBase { // there is nothing to make it of
		state, err = v.believe(ctx, s)
		return state, false, err
	}
	from, behind, err := v.graph.fork(unlimited(), v.graph.parents[at]...)
	if err != nil {
		return state, false, err
	}
	if s.Op != nil {
		behind = append(behind, at)
	}
	r := reader{l: v.l, graph: v.graph, steps: v.steps, may: v.may}
	state, err = foldFrom(ctx, &r, v.law, state, from, behind, v.texts)
	if errors.Is(err, gitstore.ErrTooLarge) {
		err = tooMuch(s, err)
	}
	return state, true, err
}
