package app

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

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
		if id, err := s.clone.Ledger.Claimed(head.Branch); err == nil && id == "" {
			return []string{head.Branch + " stays as it is; with --here, the task takes it instead of a branch of its own"}
		}
	}
	return nil
}

// mayStay refuses to leave this work tree on a branch that another task means:
// its services would have the new task's branch, and the task here be that one.
func (s *Tasks) mayStay(ctx context.Context, head gitstore.Head) error {
	id, err := s.liveOf(ctx, clone.HeadBranch(head))
	if err != nil || id == "" {
		return err
	}
	return clone.Refuse("check out a branch that is no task's first, or use --no-switch",
		"%s is the branch of %s, which would stay the task here", clone.HeadBranch(head), id)
}
