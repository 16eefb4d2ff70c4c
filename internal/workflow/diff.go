package workflow

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// DiffRange is what a phase, or the whole task, changed
// in the user's code: from a commit to another; "" for the work tree as it is.
type DiffRange struct {
	From, To string
	Phase    string
	// Rewritten: the start commit is not in the branch's history any more;
	// From is its successor there, by the notes that git carried along, else by
	// patch id.
	Rewritten bool
}

// Diff finds what a phase changed; the whole task where arg is "".
func (s *Service) Diff(ctx context.Context, id task.ID, arg string) (DiffRange, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return DiffRange{}, err
	}
	if t.Branch, _, err = s.branchOf(ctx, t); err != nil {
		return DiffRange{}, err
	}
	r := DiffRange{From: t.BaseCommit}
	if arg != "" {
		p, err := t.FindPhase(arg)
		if err != nil {
			return r, err
		}
		r = DiffRange{From: p.StartCommit, Phase: p.ID}
		if p.Status == task.PhaseCompleted || p.Status == task.PhaseExecuted {
			r.To = p.EndCommit
		}
		if r.From == "" {
			return r, refuse("'git brew phase start "+p.ID+"' records one", "phase %s has no start commit", p.ID)
		}
	}
	if r.To == "" {
		if r.To, err = s.workedOnElsewhere(ctx, t); err != nil {
			return r, err
		}
	}
	if r.From == "" {
		return r, refuse("", "%s began in a repository without commits; there is nothing to compare with", id)
	}
	return s.followRewrite(ctx, t, r)
}

// workedOnElsewhere is the tip of the task's branch where that is not what this
// work tree has checked out, else "".
func (s *Service) workedOnElsewhere(ctx context.Context, t task.Task) (string, error) {
	head, err := s.repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return "", err
	}
	if headBranch(head) == t.Branch && !s.repo.Bare() {
		return "", nil
	}
	tip, err := s.repo.Ref(ctx, gitstore.RefName("refs/heads/"+t.Branch))
	if errors.Is(err, gitstore.ErrNotExist) {
		return "", nil
	}
	return tip.String(), err
}

// followRewrite finds the successors of commits that a rebase or an amend
// replaced.
func (s *Service) followRewrite(ctx context.Context, t task.Task, r DiffRange) (DiffRange, error) {
	tip, err := s.repo.Ref(ctx, gitstore.RefName("refs/heads/"+t.Branch))
	if errors.Is(err, gitstore.ErrNotExist) {
		return r, nil // the branch is gone: the kept commits still tell
	}
	if err != nil {
		return r, err
	}
	from, moved, err := s.successor(ctx, t, r.From, tip)
	if err != nil {
		return r, err
	}
	r.From, r.Rewritten = from, moved
	if r.To != "" {
		to, moved, err := s.successor(ctx, t, r.To, tip)
		if err != nil {
			return r, err
		}
		r.To, r.Rewritten = to, r.Rewritten || moved
	}
	return r, nil
}

func (s *Service) successor(ctx context.Context, t task.Task, commit string, tip gitstore.OID) (string, bool, error) {
	oid, err := gitstore.ParseOID(commit)
	if err != nil {
		return commit, false, err
	}
	if is, err := s.repo.IsAncestor(ctx, oid, tip); err != nil || is {
		return commit, false, err
	}
	if lines, err := s.ledger.NoteLines(ctx, oid); err == nil && len(lines) > 0 {
		if found := s.noted(ctx, t, tip, lines); found != "" {
			return found, true, nil
		}
	}
	found, err := s.repo.SamePatch(ctx, oid, tip)
	if err != nil || found.IsZero() {
		return commit, false, err
	}
	return found.String(), true, nil
}

// noted looks for the commit in the branch that carries one of the lines about
// this task that the replaced commit's note had.
func (s *Service) noted(ctx context.Context, t task.Task, tip gitstore.OID, lines []string) string {
	found := ""
	n := 0
	err := s.repo.History(ctx, tip, func(oid gitstore.OID, _ gitstore.Commit) (bool, error) {
		if n++; n > 1000 {
			return false, errFound
		}
		have, err := s.ledger.NoteLines(ctx, oid)
		if err != nil {
			return false, err
		}
		for _, line := range lines {
			if strings.HasPrefix(line, string(t.ID)+":") && slices.Contains(have, line) {
				found = oid.String()
				return false, errFound
			}
		}
		return true, nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return ""
	}
	return found
}
