package ledger

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// unequal is what to make of a tree that is not what the operations make here.
func (v *verifier[S]) unequal(ctx context.Context, s Step, made S, wrong error) (S, error) {
	if v.lacks(s) {
		return v.believe(ctx, s)
	}
	if newer := v.l.newerFormat(ctx, s.tree, v.law.Needs); newer != nil {
		return made, fmt.Errorf("commit %s: %w", s.Commit.Short(), newer)
	}
	return made, wrong
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
		all, err := v.l.commitGraph(ctx, s.Commit)
		if err != nil {
			return state, err
		}
		return state, &UnsoundError{
			Commit: s.Commit,
			Err:    fmt.Errorf("it takes more than is here: %w", errCut(all.cutAt(all.at[s.Commit]))),
		}
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
