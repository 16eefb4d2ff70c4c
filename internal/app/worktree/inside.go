package worktree

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// HereInside is the task of the branch that is checked out in the service that
// the caller is in; "" where they are in none, or it has another branch.
func (s *Place) HereInside(ctx context.Context) (task.ID, error) {
	if s.Inside == nil {
		return "", nil
	}
	head, err := s.Inside.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return "", err
	}
	t, ok, err := s.Meant(ctx, clone.HeadBranch(head))
	if err != nil || !ok {
		return "", err
	}
	if _, ok := t.Service(s.At); !ok {
		return "", nil
	}
	return t.ID, nil
}

// Meant is the task that a branch means here, unless it means none, or one that
// is deleted or gone.
func (s *Place) Meant(ctx context.Context, branch string) (t task.Task, ok bool, err error) {
	if branch == "" {
		return t, false, nil
	}
	id, err := s.Clone.Ledger.Claimed(branch)
	if err != nil || id == "" {
		return t, false, err
	}
	b, _, err := s.Records.Brief(ctx, task.ID(id))
	if errors.Is(err, task.ErrNoTask) {
		return t, false, nil
	}
	return b.Task, err == nil && !b.Task.Deleted, err
}

// MeanHere records which task is meant in this work tree from now on, where no
// branch says so: one with its branch in services. For any other task the branch
// does, and what was recorded goes. Before is the task that was here.
func (s *Place) MeanHere(ctx context.Context, tx *ledger.Tx, t task.Task, before task.ID) error {
	if s.Clone.Repo.WorkTree() == "" {
		return nil
	}
	var want, left task.ID
	if len(t.Services) > 0 {
		want = t.ID
	}
	return s.Clone.UpdateIn(ctx, tx, "work tree: "+string(t.ID), func(ctx context.Context, c *clone.Change) error {
		w := c.Worktree(s.Clone.Repo)
		if w.Task != "" && w.Task == before && before != t.ID {
			left = before
		}
		ends := before != t.ID && w.Mode.Mode == clone.ModeImplementation // what the user agreed to was another task
		if !ends && (want == "" && left == "" && w.Task == "" && w.Previous == "" || w.Task == want && before == t.ID) {
			return nil
		}
		w.Task, w.Previous = want, left
		if ends {
			w.Mode = clone.ModeState{}
		}
		return c.SetWorkTree(ctx, s.Clone.Repo, w)
	})
}

// ForgetHere takes a task that is no more out of what this work tree means.
func (s *Place) ForgetHere(ctx context.Context, tx *ledger.Tx, id task.ID) error {
	c, err := s.Clone.State(ctx)
	if err != nil || c.Worktree(s.Clone.Repo).Task != id {
		return err
	}
	return s.Clone.UpdateIn(ctx, tx, "work tree: no task", func(ctx context.Context, c *clone.Change) error {
		w := c.Worktree(s.Clone.Repo)
		w.Task, w.Previous = "", ""
		return c.SetWorkTree(ctx, s.Clone.Repo, w)
	})
}
