package app

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/task"
)

// Discover is Here, and where nothing is recorded a search through all tasks for the
// one of the branch checked out here. What it finds is recorded, so that the next look is
// one small file: hooks search once a session. A *BranchError: there are several.
func (s *Tasks) Discover(ctx context.Context) (task.ID, error) {
	if id, err := s.Place.Here(ctx); err != nil || id != "" {
		return id, err
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil {
		return "", err
	}
	branch := clone.HeadBranch(head)
	if branch == "" {
		return "", nil
	}
	names, err := s.Clone.Repo.Branches.RenamedFrom(ctx, branch)
	if err != nil {
		return "", err
	}
	all, err := s.Records.Index(ctx)
	if err != nil {
		return "", err
	}
	found := worktree.OfBranch(all, branch)
	switch {
	case len(found) > 1:
		return "", &worktree.BranchError{Branch: branch, Candidates: found}
	case len(found) == 0 && len(names) > 0:
		return s.followRename(ctx, all, branch, names)
	case len(found) == 0:
		return "", nil
	}
	if err := s.Clone.Ledger.BindBranch(context.WithoutCancel(ctx), branch, string(found[0])); err != nil {
		return found[0], nil //nolint:nilerr // a convenience: a read-only repository does without
	}
	return found[0], nil
}

// followRename moves a task along where git tells that its branch, which is
// gone, is now called branch; names are those that branch had before.
func (s *Tasks) followRename(ctx context.Context, all []records.Indexed, branch string,
	names []string,
) (task.ID, error) {
	for _, old := range names {
		exists, err := s.Clone.Repo.Branches.Exists(ctx, old)
		if err != nil {
			return "", err
		}
		if found := worktree.OfBranch(all, old); len(found) == 1 && !exists {
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

// Resolve turns what a person typed into a task's id: an id, a slug, or a
// unique prefix; empty: the task here.
func (s *Tasks) Resolve(ctx context.Context, arg string) (task.ID, error) {
	if arg == "" {
		id, err := s.Discover(ctx)
		if err == nil && id == "" {
			err = s.Records.NoTaskHere(ctx)
		}
		return id, err
	}
	if id, err := task.ParseID(arg); err == nil && s.Clone.Ledger.HasTask(ctx, arg) {
		return id, nil // of thousands, the one
	}
	known, err := s.Clone.Ledger.TaskIDs(ctx)
	if err != nil {
		return "", err
	}
	return s.Records.Match(ctx, known, arg)
}
