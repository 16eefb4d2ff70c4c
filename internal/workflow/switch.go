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
	// Note is why it was not made of the remote's branch, where that was looked
	// for.
	Note string
}

// Switch checks the task's branch out. Local changes in the way refuse it, in
// git's own words. A branch that is not here is made from a remote's, which is
// fetched where it is not here either, else at the commit that the task recorded
// as its base. On the branch itself it only records which task is meant here.
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
	head, err := s.repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return r, err
	}
	checkout := func() error { return s.repo.Checkout(ctx, branch) }
	switch {
	case headBranch(head) == branch:
		checkout = func() error { return nil } // which of its tasks is meant is all there is to say
	case !here:
		from, err := s.missingBranch(ctx, r.Task)
		if err != nil {
			return r, err
		}
		r.Made, r.Note = from.called, from.note
		checkout = func() error { return s.repo.CheckoutNew(ctx, r.Task.Branch, from.rev) }
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
