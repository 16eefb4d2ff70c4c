// Package worktree says which task a work tree is about, whether an agent strays from it,
// and how branches of a task and its services are made and left.
package worktree

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Here returns the id of the task here, "" where there is none. In this order:
// the task of the branch checked out in this work tree (during a rebase, of the
// branch being rebased); the task recorded for this work tree; the task of the
// work tree that the agent's session started in; the task of the run that the caller
// works for, but for its hooks, which leave it alone. Inside a service of a task that
// has its branch checked out, that task goes first. It starts no process and reads no
// other task: what a branch means is one small file (see discover).
func (s *Place) Here(ctx context.Context) (task.ID, error) {
	if id, err := s.HereInside(ctx); err != nil || id != "" {
		return id, err
	}
	id, err := s.HereIn(ctx, s.Clone.Repo)
	if err != nil || id != "" {
		return id, err
	}
	if other := s.StartedIn(); other != nil {
		if id, err = s.HereIn(ctx, other); err != nil || id != "" {
			return id, err
		}
	}
	if s.Clone.Caller.Unattended {
		return "", nil
	}
	return s.ofRun(ctx), nil
}

// StartedIn is this repository as it is seen from the work tree that the agent's
// session started in; nil where that is this one, or no work tree of this repository.
func (s *Place) StartedIn() *gitstore.Repo {
	dir := s.Clone.Caller.ProjectDir
	if dir == "" || s.Clone.Open == nil || filepath.Clean(dir) == s.Clone.Repo.WorkTree {
		return nil
	}
	if s.started == nil {
		s.started, _ = s.Clone.Open(dir) // a project directory that is no repository has no say
	}
	here := s.Clone.Repo
	if s.started == nil || s.started.CommonDir != here.CommonDir || s.started.WorkTree == here.WorkTree {
		return nil
	}
	return s.started
}

func (s *Place) HereIn(ctx context.Context, repo *gitstore.Repo) (task.ID, error) {
	branch, err := branchIn(ctx, repo)
	if err != nil {
		return "", err
	}
	if id, err := s.Clone.Ledger.TaskOfBranch(branch); err != nil || id != "" {
		return task.ID(id), err
	}
	c, err := s.Clone.State(ctx)
	if err != nil {
		return "", err
	}
	if w := c.Worktree(repo); w.Task != "" && s.Clone.Ledger.HasTask(ctx, string(w.Task)) {
		return w.Task, nil
	}
	return "", nil
}

// BranchError: several tasks claim the branch that is checked out here, of
// machines that did not know of each other, and nobody has said which one is
// meant here. Exit 4.
type BranchError struct {
	Branch     string
	Candidates []task.ID
}

func (e *BranchError) Error() string {
	names := make([]string, len(e.Candidates))
	for i, id := range e.Candidates {
		names[i] = string(id)
	}
	return fmt.Sprintf("branch %s belongs to %s; 'git brew switch TASK' says which one is meant here",
		e.Branch, strings.Join(names[:len(names)-1], ", ")+" and "+names[len(names)-1])
}

// OfBranch are the tasks of a branch: those under way, else the latest one that
// has ended.
func OfBranch(all []records.Indexed, branch string) []task.ID {
	var found []task.ID
	var ended *records.Indexed
	for i := range all {
		t := &all[i]
		switch {
		case t.Err != nil || t.State.Deleted || t.State.Branch != branch:
		case !t.State.Status.Terminal():
			found = append(found, task.ID(t.ID))
		case ended == nil || t.State.CreatedAt > ended.State.CreatedAt:
			ended = t
		}
	}
	if found == nil && ended != nil {
		found = append(found, task.ID(ended.ID))
	}
	return found
}

// BranchOf is the branch of a task as it is called now: git tells of renames.
func (s *Place) BranchOf(ctx context.Context, t task.Task) (name string, exists bool, err error) {
	if exists, err = s.Clone.Repo.Branches.Exists(ctx, t.Branch); err != nil || exists {
		return t.Branch, exists, err
	}
	name, err = s.Clone.Repo.Branches.RenamedTo(ctx, t.Branch)
	switch {
	case errors.Is(err, gitstore.ErrNotExist):
		return t.Branch, false, nil
	case err != nil:
		return t.Branch, false, err
	}
	// A branch that another task has taken is that task's.
	if id, err := s.Clone.Ledger.TaskOfBranch(name); err != nil || (id != "" && task.ID(id) != t.ID) {
		return t.Branch, false, err
	}
	return name, true, nil
}

// Place says which task a work tree is about, and looks at its files and services.
type Place struct {
	// Inside is the service that the caller is in, a submodule of this
	// repository, and At its path here; nil: none. See App.Outer.
	Inside  *gitstore.Repo
	At      string
	Clone   *clone.Clone
	Config  *config.Config
	Records *records.Records
	started *gitstore.Repo // see StartedIn
}

// HereInside is the task of the branch that is checked out in the service that
// the caller is in; "" where they are in none, or it has another branch.
func (s *Place) HereInside(ctx context.Context) (task.ID, error) {
	if s.Inside == nil {
		return "", nil
	}
	branch, err := branchIn(ctx, s.Inside)
	if err != nil {
		return "", err
	}
	t, ok, err := s.Meant(ctx, branch)
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
	id, err := s.Clone.Ledger.TaskOfBranch(branch)
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
// does, and what was recorded goes. Before is the task that was here: what the user
// agreed to for that ends, and the note says so.
func (s *Place) MeanHere(ctx context.Context, tx *ledger.Tx, t task.Task, before task.ID) (note string, err error) {
	if s.Clone.Repo.WorkTree == "" {
		return "", nil
	}
	var want, left task.ID
	if len(t.Services) > 0 {
		want = t.ID
	}
	err = s.Clone.UpdateIn(ctx, tx, "work tree: "+string(t.ID), func(ctx context.Context, c *clone.Change) error {
		w := c.Worktree(s.Clone.Repo)
		if w.Task != "" && w.Task == before && before != t.ID {
			left = before
		}
		ends := before != t.ID && w.Mode.Mode == clone.ModeImplementation
		if !ends && (want == "" && left == "" && w.Task == "" && w.Previous == "" || w.Task == want && before == t.ID) {
			return nil
		}
		w.Task, w.Previous = want, left
		if ends {
			w.Mode, note = clone.ModeState{}, "discussion mode: what the user agreed to was another task"
		}
		return c.SetWorkTree(ctx, s.Clone.Repo, w)
	})
	return note, err
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
