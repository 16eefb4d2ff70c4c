package app

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// branchFree refuses a branch that exists, or that a live task claims.
func (s *Tasks) branchFree(ctx context.Context, branch string, here bool) error {
	t, err := s.liveOf(ctx, branch)
	if err != nil {
		return err
	}
	if t.ID != "" {
		other := "--branch makes another one"
		if here {
			other = "without --here the new task gets its own"
		}
		return clone.Refuse("'git brew switch "+string(t.ID)+"' goes on with it, "+other,
			"branch %s belongs to %s", branch, t.ID)
	}
	exists, err := s.Clone.Repo.Branches.Exists(ctx, branch)
	if err != nil || !exists || here {
		return err
	}
	return clone.Refuse("choose another with --branch, or check it out and use --here", "branch %s exists", branch)
}

// liveOf is the task under way that a branch means here; without an id for none.
func (s *Tasks) liveOf(ctx context.Context, branch string) (task.Task, error) {
	t, ok, err := s.Place.Meant(ctx, branch)
	if err != nil || !ok || t.Status.Terminal() {
		return task.Task{}, err
	}
	return t, nil
}

// newMoves are what making a task's branch moves: the repository itself, or the
// services that were asked for, which are recorded in p, and nothing where the branch is
// there already.
func (s *Tasks) newMoves(ctx context.Context, r CreateRequest, p *task.CreatePayload,
	head gitstore.Head,
) (moves []worktree.BranchMove, err error) {
	switch {
	case len(r.Services) > 0:
		return s.newServiceMoves(ctx, r, p, head)
	case r.Here || r.ended:
		return nil, nil
	case p.BaseCommit == "" && r.NoSwitch:
		return nil, clone.Refuse("leave --no-switch away, or commit something first",
			"a branch can't be made in a repository without commits")
	}
	if r.imported {
		if there, err := s.Clone.Repo.Branches.Exists(ctx, p.Branch); err != nil || there {
			return nil, err
		}
	}
	m := worktree.BranchMove{
		Repo: s.Clone.Repo, Branch: p.Branch, Stay: r.NoSwitch, Before: head,
		Unborn: p.BaseCommit == "",
	}
	if !m.Unborn {
		m.Start, err = gitstore.ParseOID(p.BaseCommit)
	}
	return []worktree.BranchMove{m}, err
}

func (s *Tasks) newServiceMoves(ctx context.Context, r CreateRequest, p *task.CreatePayload,
	head gitstore.Head,
) (moves []worktree.BranchMove, err error) {
	v, paths, err := s.Place.Services(ctx, r.Services...)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		m, err := v.Open(ctx, path, p.Branch)
		if err != nil {
			return nil, err
		}
		if m.There {
			return nil, clone.Refuse("choose another with --branch", "branch %s exists in %s", p.Branch, path)
		}
		m.Stay = r.NoSwitch
		service, err := m.Begin(ctx, r.From)
		if err != nil {
			return nil, err
		}
		moves, p.Services = append(moves, m), append(p.Services, service)
	}
	if r.NoSwitch {
		return moves, nil
	}
	return moves, s.mayStay(ctx, p.ID, head, ", or use --no-switch")
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
		if id, err := s.Clone.Ledger.TaskOfBranch(head.Branch); err == nil && id == "" {
			return []string{head.Branch + " stays as it is; with --here, the task takes it instead of a branch of its own"}
		}
	}
	return nil
}

// mayStay refuses to leave this work tree on a branch that another task than id means:
// its services would have the branch of id, and the task here be that one.
func (s *Tasks) mayStay(ctx context.Context, id task.ID, head gitstore.Head, or string) error {
	on := clone.HeadBranch(head)
	other, err := s.liveOf(ctx, on)
	if err != nil || other.ID == "" || other.ID == id {
		return err
	}
	return clone.Refuse("check out a branch that is no task's first"+or,
		"%s is the branch of %s, which would stay the task here", on, other.ID)
}

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
	// A convenience: a read-only repository does without.
	_ = s.Clone.Ledger.BindBranch(context.WithoutCancel(ctx), branch, string(found[0]))
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
