package app

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

func (s *Tasks) base(ctx context.Context, from string, head gitstore.Head) (string, error) {
	if from == "" {
		if head.OID.IsZero() {
			return "", nil
		}
		return head.OID.String(), nil
	}
	return worktree.CommitOf(ctx, s.Clone.Repo, from)
}

// branchFree refuses a branch that exists, or that a live task claims.
func (s *Tasks) branchFree(ctx context.Context, branch string, here bool) error {
	id, err := s.liveOf(ctx, branch)
	switch {
	case err != nil:
		return err
	case id != "" && here:
		return clone.Refuse("'git brew switch "+string(id)+"' goes there", "branch %s belongs to %s", branch, id)
	case id != "":
		return clone.Refuse("'git brew switch "+string(id)+"' goes on with it, --branch makes another one",
			"branch %s belongs to %s", branch, id)
	}
	exists, err := s.Clone.Repo.Branches.Exists(ctx, branch)
	if err != nil || !exists || here {
		return err
	}
	if g, ok := s.Records.GoneOf(ctx, branch); ok {
		return clone.Refuse(g.Hint()+", --branch makes another one", "branch %s exists, and %s", branch, g.What)
	}
	return clone.Refuse("choose another with --branch, or check it out and use --here", "branch %s exists", branch)
}

// liveOf is the task under way that a branch means here; "" for none.
func (s *Tasks) liveOf(ctx context.Context, branch string) (task.ID, error) {
	t, ok, err := s.Place.Meant(ctx, branch)
	if err != nil || !ok || t.Status.Terminal() {
		return "", err
	}
	return t.ID, nil
}

// newMoves are what making a task's branch moves: the repository itself, or the
// services that were asked for, and nothing where the branch is there already.
// The services are recorded in p.
func (s *Tasks) newMoves(ctx context.Context, v *worktree.Services, r CreateRequest, p *task.CreatePayload,
	head gitstore.Head,
) ([]worktree.BranchMove, error) {
	switch {
	case len(r.Services) > 0:
		moves, made, err := s.newServiceMoves(ctx, v, r, p.Branch)
		p.Services = made
		if err != nil || r.NoSwitch {
			return moves, err
		}
		return moves, s.mayStay(ctx, p.ID, "check out a branch that is no task's first, or use --no-switch")
	case r.Here:
		return nil, nil
	case p.BaseCommit == "" && r.NoSwitch:
		return nil, clone.Refuse("leave --no-switch away, or commit something first",
			"a branch can't be made in a repository without commits")
	}
	m := worktree.BranchMove{
		Repo: s.Clone.Repo, Branch: p.Branch, Stay: r.NoSwitch, Before: head,
		Unborn: p.BaseCommit == "",
	}
	if m.Unborn {
		return []worktree.BranchMove{m}, nil
	}
	at, err := gitstore.ParseOID(p.BaseCommit)
	m.Start = at
	return []worktree.BranchMove{m}, err
}

// newServiceMoves are the moves of all services of a new task, and what the task
// records of them.
func (s *Tasks) newServiceMoves(ctx context.Context, v *worktree.Services, r CreateRequest,
	branch string,
) ([]worktree.BranchMove, []task.Service, error) {
	paths, err := v.Resolve(s.Place, r.Services)
	if err != nil {
		return nil, nil, err
	}
	var moves []worktree.BranchMove
	var made []task.Service
	for _, path := range paths {
		repo, sub, err := v.Open(s.Place, path)
		if err != nil {
			return nil, nil, err
		}
		if exists, err := repo.Branches.Exists(ctx, branch); err != nil {
			return nil, nil, err
		} else if exists {
			return nil, nil, clone.Refuse("choose another with --branch", "branch %s exists in %s", branch, path)
		}
		one, err := worktree.ServiceStart(ctx, repo, path, r.From)
		if err != nil {
			return nil, nil, err
		}
		start, err := gitstore.ParseOID(one.BaseCommit)
		if err != nil {
			return nil, nil, err
		}
		head, err := repo.Refs.Head(ctx)
		if err != nil {
			return nil, nil, err
		}
		moves = append(moves, worktree.BranchMove{
			Path: path, Repo: repo, Branch: branch, Start: start, Stay: r.NoSwitch,
			Before: head, Recorded: sub.Commit,
		})
		made = append(made, one)
	}
	return moves, made, nil
}

// issuesOf are the issues that a new task links to: those that were given, and
// those that its title names.
func issuesOf(given []string, title string) ([]string, error) {
	var all []string
	for _, g := range given {
		link, err := task.ParseIssue(g)
		if err != nil {
			return nil, err
		}
		all = append(all, link)
	}
	all = append(all, task.IssuesIn(title)...)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// branchNotes say aloud what was chosen between making a branch and taking the
// one that is checked out, where it might have been the other (BW-20).
func (s *Tasks) branchNotes(r CreateRequest, head gitstore.Head) []string {
	switch trunk := slices.Contains(worktree.Trunks, head.Branch); {
	case head.Branch == "" || head.OID.IsZero():
	case r.Here && trunk:
		return []string{"whatever is committed on " + head.Branch +
			" counts as this task's now; without --here it gets a branch of its own"}
	case !r.Here && !trunk && r.From == "" && r.Branch == "" && len(r.Services) == 0:
		if id, err := s.Clone.Ledger.Claimed(head.Branch); err == nil && id == "" {
			return []string{head.Branch + " stays as it is; with --here, the task takes it instead of a branch of its own"}
		}
	}
	return nil
}

// mayStay refuses to leave this work tree on a branch that another task than id means:
// its services would have the branch of id, and the task here be that one.
func (s *Tasks) mayStay(ctx context.Context, id task.ID, hint string) error {
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return err
	}
	on := clone.HeadBranch(head)
	other, err := s.liveOf(ctx, on)
	if err != nil || other == "" || other == id {
		return err
	}
	return clone.Refuse(hint, "%s is the branch of %s, which would stay the task here", on, other)
}
