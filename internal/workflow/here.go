package workflow

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Here returns the id of the task here, "" where there is none. In this order:
// the task of the branch checked out in this work tree (during a rebase, of the
// branch being rebased); the task recorded for this work tree; the task of the
// work tree that the agent's session started in. Inside a service of a task that
// has its branch checked out, that task goes first. It starts no process and reads
// no other task: what a branch means is one small file (see discover).
func (s *Service) Here(ctx context.Context) (task.ID, error) {
	if id, err := s.hereInside(ctx); err != nil || id != "" {
		return id, err
	}
	id, err := s.hereIn(ctx, s.repo)
	if err != nil || id != "" {
		return id, err
	}
	other := s.startedIn()
	if other == nil {
		return "", nil
	}
	defer func() { _ = other.Close() }()
	return s.hereIn(ctx, other)
}

// startedIn opens this repository as it is seen from the work tree that the
// agent's session started in; nil where that is this one, or no work tree of
// this repository. Whoever asks closes it.
func (s *Service) startedIn() *gitstore.Repo {
	dir := s.caller.ProjectDir
	if dir == "" || s.open == nil || filepath.Clean(dir) == s.repo.WorkTree() {
		return nil
	}
	other, err := s.open(dir)
	if err != nil {
		return nil // a project directory that is no repository has no say
	}
	if other.CommonDir() != s.repo.CommonDir() || other.WorkTree() == s.repo.WorkTree() {
		_ = other.Close()
		return nil
	}
	return other
}

func (s *Service) hereIn(ctx context.Context, repo *gitstore.Repo) (task.ID, error) {
	head, err := repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return "", err
	}
	if branch := headBranch(head); branch != "" {
		id, err := s.ledger.Claimed(branch)
		if err != nil {
			return "", err
		}
		if id != "" {
			return task.ID(id), nil
		}
	}
	c, err := s.cloneBrief(ctx)
	if err != nil {
		return "", err
	}
	if w := c.worktree(repo); w.Task != "" && s.ledger.HasTask(ctx, string(w.Task)) {
		return w.Task, nil
	}
	return "", nil
}

func headBranch(h gitstore.Head) string {
	if h.Branch == "" {
		return h.Rebasing
	}
	return h.Branch
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

// Discover is Here, and where nothing is recorded a search through all tasks. A
// *BranchError: there are several.
func (s *Service) Discover(ctx context.Context) (task.ID, error) {
	id, err := s.Here(ctx)
	if err != nil || id != "" {
		return id, err
	}
	return s.discover(ctx)
}

// freeBranches is the memo of the branches that are no task's, maxFree how many
// it names.
const (
	freeBranches = "free-branches"
	maxFree      = 100
)

// discover looks through all tasks for the one of the branch checked out here,
// and records what it finds, so that the next look is one small file. Where it
// finds none it records that too, for as long as no task changes. Hooks do it
// once a session, commands when nothing is recorded.
func (s *Service) discover(ctx context.Context) (task.ID, error) {
	head, err := s.repo.Head(ctx)
	if err != nil {
		return "", err
	}
	branch := headBranch(head)
	if branch == "" {
		return "", nil
	}
	names, err := s.repo.RenamedFrom(ctx, branch)
	if err != nil {
		return "", err
	}
	watch := s.repo.WatchRefs(ledger.Prefix + "tasks")
	free := s.repo.Recall(freeBranches, watch)
	if len(names) == 0 && slices.Contains(free, branch) {
		return "", nil
	}
	all, err := s.index(ctx)
	if err != nil {
		return "", err
	}
	found := ofBranch(all, branch)
	switch {
	case len(found) > 1:
		return "", &BranchError{branch, found}
	case len(found) == 0 && len(names) > 0:
		return s.followRename(ctx, all, branch, names)
	case len(found) == 0:
		if !slices.ContainsFunc(all, broken) {
			s.repo.Remember(freeBranches, watch, append(free[:min(len(free), maxFree-1)], branch))
		}
		return "", nil
	}
	if err := s.ledger.Claim(background(ctx), branch, string(found[0])); err != nil {
		return found[0], nil //nolint:nilerr // a convenience: a read-only repository does without
	}
	return found[0], nil
}

// broken tells a row of what can't be read.
func broken(t indexed) bool { return t.Err != nil }

// ofBranch are the tasks of a branch: those under way, else the latest one that
// has ended.
func ofBranch(all []indexed, branch string) []task.ID {
	var found []task.ID
	var ended *indexed
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

// followRename moves a task along where git tells that its branch, which is
// gone, is now called branch; names are those that branch had before.
func (s *Service) followRename(ctx context.Context, all []indexed, branch string, names []string) (task.ID, error) {
	for _, old := range names {
		exists, err := s.repo.BranchExists(ctx, old)
		if err != nil {
			return "", err
		}
		if found := ofBranch(all, old); len(found) == 1 && !exists {
			if _, err := s.EditTask(ctx, found[0], EditRequest{Branch: branch}); err != nil && ctx.Err() != nil {
				return "", err
			}
			// Where the lock, or a read-only repository, forbids to record it,
			// the next look finds it again.
			return found[0], nil
		}
	}
	return "", nil
}

// branchOf is the branch of a task as it is called now: git tells of renames.
func (s *Service) branchOf(ctx context.Context, t task.Task) (name string, exists bool, err error) {
	if exists, err = s.repo.BranchExists(ctx, t.Branch); err != nil || exists {
		return t.Branch, exists, err
	}
	name, err = s.repo.RenamedBranch(ctx, t.Branch)
	switch {
	case errors.Is(err, gitstore.ErrNotExist):
		return t.Branch, false, nil
	case err != nil:
		return t.Branch, false, err
	}
	// A branch that another task has taken is that task's.
	if id, err := s.ledger.Claimed(name); err != nil || (id != "" && task.ID(id) != t.ID) {
		return t.Branch, false, err
	}
	return name, true, nil
}

// Resolve turns what a person typed into a task's id: an id, a slug, or a
// unique prefix; empty: the task here.
func (s *Service) Resolve(ctx context.Context, arg string) (task.ID, error) {
	if arg == "" {
		id, err := s.Discover(ctx)
		if err == nil && id == "" {
			err = s.noTaskHere(ctx)
		}
		return id, err
	}
	if id, err := task.ParseID(arg); err == nil && s.ledger.HasTask(ctx, arg) {
		return id, nil // of thousands, the one
	}
	known, err := s.ledger.TaskIDs(ctx)
	if err != nil {
		return "", err
	}
	return s.match(ctx, known, arg)
}

// match is Resolve where the ids of the tasks that are not archived are known.
func (s *Service) match(ctx context.Context, known []string, arg string) (task.ID, error) {
	ids := make([]task.ID, 0, len(known))
	for _, id := range known {
		ids = append(ids, task.ID(id))
	}
	id, err := task.Match(ids, arg)
	var ambiguous *task.AmbiguousError
	if errors.As(err, &ambiguous) {
		if live, lerr := task.Match(s.undeleted(ctx, ambiguous.Candidates), arg); !errors.Is(lerr, task.ErrNoTask) {
			return live, lerr
		}
	}
	if errors.Is(err, task.ErrNoTask) {
		return s.resolveArchived(ctx, arg, err)
	}
	return id, err
}

// undeleted leaves the deleted tasks out, so that their names are free again.
// What can't be read stays.
func (s *Service) undeleted(ctx context.Context, ids []task.ID) []task.ID {
	var live []task.ID
	for _, id := range ids {
		if b, _, err := s.taskBrief(ctx, id); err != nil || !b.Task.Deleted {
			live = append(live, id)
		}
	}
	return live
}
