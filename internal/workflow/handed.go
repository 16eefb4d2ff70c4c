package workflow

import (
	"context"
	"errors"
	"maps"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// held is what a work tree holds of a task, as git says.
type held struct {
	commit   string       // HEAD, "" in a repository without commits
	services task.Commits // the task's branch in each of its services
	// clean: there is nothing beside these commits, and they are what is checked
	// out. Where nobody can tell, it is not.
	clean bool
}

// held looks at the work tree. What is handed over, and what is verified, is told
// by it: never by the estimate that is good enough for a status line.
func (s *Service) held(ctx context.Context, t task.Task) (held, error) {
	h, err := s.holds(ctx, t)
	if err != nil {
		return h, err
	}
	if h.clean, err = s.isClean(ctx, t, h); err != nil {
		return h, err
	}
	then, err := s.holds(ctx, t)
	h.clean = h.clean && h.same(then)
	return h, err
}

// heldOf is held where p's commands ran, so that it matters; else holds, for git
// takes its time to look at a large work tree.
func (s *Service) heldOf(ctx context.Context, t task.Task, p task.Phase) (held, error) {
	look := s.held
	if p.Verified == nil {
		look = s.holds
	}
	h, err := look(ctx, t)
	if err != nil {
		return h, err
	}
	at, err := s.commitOf(ctx, t)
	if at != h.commit {
		h.commit, h.clean = at, false // the work is not what is checked out here
	}
	return h, err
}

// commitOf is where the work on a task stands, as seen from here: HEAD, but where
// the branch of something else is checked out the tip of the task's own.
func (s *Service) commitOf(ctx context.Context, t task.Task) (string, error) {
	commit, err := s.head(ctx)
	if err != nil {
		return "", err
	}
	if on, err := s.isOn(ctx, t); err != nil || on {
		return commit, err
	}
	branch, exists, err := s.branchOf(ctx, t)
	if err != nil || !exists {
		return commit, err
	}
	tip, err := s.repo.Ref(ctx, gitstore.RefName("refs/heads/"+branch))
	return tip.String(), err
}

// isOn reports whether this work tree is on a task, or on no branch at all.
func (s *Service) isOn(ctx context.Context, t task.Task) (bool, error) {
	head, err := s.repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return false, err
	}
	switch headBranch(head) {
	case "":
		return !s.repo.Bare(), nil
	case t.Branch:
		return true, nil
	}
	here, err := s.hereIn(ctx, s.repo)
	return here == t.ID, err
}

// holds is held without a look at files.
func (s *Service) holds(ctx context.Context, t task.Task) (held, error) {
	commit, err := s.head(ctx)
	if err != nil {
		return held{}, err
	}
	services, err := s.serviceCommits(ctx, t)
	return held{commit: commit, services: services}, err
}

// same reports whether two looks saw the same commits.
func (h held) same(o held) bool { return h.commit == o.commit && maps.Equal(h.services, o.services) }

// isClean: each service has its branch checked out and nothing beside it, nor has
// what is around them. A service that is not here has nothing to look at.
func (s *Service) isClean(ctx context.Context, t task.Task, h held) (bool, error) {
	clean, err := s.repo.Clean(ctx, t.ServicePaths()...)
	for _, path := range t.ServicePaths() {
		if err != nil || !clean {
			break
		}
		clean, err = s.serviceIsClean(ctx, path, h.services[path])
	}
	if err != nil && ctx.Err() == nil {
		return false, nil // git can't tell
	}
	return clean, err
}

func (s *Service) serviceIsClean(ctx context.Context, path, commit string) (bool, error) {
	repo, err := s.repo.Submodule(path)
	if errors.Is(err, gitstore.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = repo.Close() }()
	head, err := repo.Head(ctx)
	if err != nil || head.OID.String() != commit {
		return false, err
	}
	return repo.Clean(ctx)
}
