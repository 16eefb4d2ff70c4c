package workflow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// SwitchResult is where a switch went.
type SwitchResult struct {
	Task task.Task
	// Made says where the branch came from that was not here: "origin", or the
	// task's recorded base; "" where it was here.
	Made string
}

// Switch checks the task's branch out. Local changes in the way refuse it, in
// git's own words. A branch that is not here is made from a remote's, else at
// the commit that the task recorded as its base.
func (s *Service) Switch(ctx context.Context, arg string) (SwitchResult, error) {
	var r SwitchResult
	id, err := s.switchTarget(ctx, arg)
	if err != nil {
		return r, err
	}
	if r.Task, err = s.Task(ctx, id); err != nil {
		return r, err
	}
	if r.Task.Deleted {
		return r, deleted(id)
	}
	branch, here, err := s.branchOf(ctx, r.Task)
	if err != nil {
		return r, err
	}
	if s.repo.Bare() {
		return r, refuse("", "a bare repository has no work tree to switch")
	}
	checkout := func() error { return s.repo.Checkout(ctx, branch) }
	if !here {
		var from string
		if r.Made, from, err = s.missingBranch(ctx, r.Task); err != nil {
			return r, err
		}
		checkout = func() error { return s.repo.CheckoutNew(ctx, r.Task.Branch, from) }
	}
	if s.Rehearses() {
		return r, nil
	}
	if err := checkout(); err != nil {
		return r, inTheWay(err)
	}
	if archived, err := s.archived(ctx, id); err != nil || archived {
		return r, err // it stays there: no branch means it here
	}
	if branch != r.Task.Branch {
		if moved, merr := s.EditTask(ctx, id, EditRequest{Branch: branch}); merr == nil {
			r.Task = moved
		}
	}
	return r, s.ledger.Claim(background(ctx), branch, string(id))
}

// inTheWay makes git's refusal to switch, in its own words, a refusal of ours.
func inTheWay(err error) error {
	var git *gitstore.CommandError
	if errors.As(err, &git) && git.Code > 0 {
		return refuse("", "%v", git)
	}
	return err
}

// missingBranch is where a branch that is not here begins, for people and for
// git.
func (s *Service) missingBranch(ctx context.Context, t task.Task) (called, from string, err error) {
	remotes, err := s.repo.RemoteBranch(ctx, t.Branch)
	if err != nil {
		return "", "", err
	}
	if len(remotes) > 0 {
		// In full: a local branch or a tag may have the short name.
		full := string(remotes[0].Name)
		return strings.TrimPrefix(full, "refs/remotes/"), full, nil
	}
	base := t.BaseCommit
	if base != "" {
		if oid, perr := gitstore.ParseOID(base); perr != nil {
			base = ""
		} else if has, herr := s.repo.Has(ctx, oid); herr != nil || !has {
			base = ""
		}
	}
	if base == "" {
		return "", "", refuse("fetch the branch first", "branch %s of %s is not here, nor on a remote", t.Branch, t.ID)
	}
	return "its base " + base[:min(7, len(base))], base, nil
}

// switchTarget resolves what to switch to; "-" is the previous task: of the
// branches that this work tree had checked out before, the latest one with
// another task.
func (s *Service) switchTarget(ctx context.Context, arg string) (task.ID, error) {
	if arg != "-" {
		return s.Resolve(ctx, arg)
	}
	now, err := s.Here(ctx)
	if err != nil {
		return "", err
	}
	for n := 1; n <= 50; n++ {
		out, err := s.repo.Git(ctx, "rev-parse", "--symbolic-full-name", fmt.Sprintf("@{-%d}", n))
		if err != nil {
			var failed *gitstore.CommandError
			if errors.As(err, &failed) {
				break
			}
			return "", err
		}
		branch, ok := strings.CutPrefix(string(bytes.TrimSpace(out)), "refs/heads/")
		if !ok {
			continue
		}
		id, err := s.ledger.Claimed(branch)
		if err != nil {
			return "", err
		}
		if id != "" && task.ID(id) != now {
			return task.ID(id), nil
		}
	}
	return "", &NotFoundError{Kind: task.ErrNoTask, Msg: "no previous task", Hint: "see 'git brew list'"}
}
