package workflow

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

func (s *Service) base(ctx context.Context, from string, head gitstore.Head) (string, error) {
	if from == "" {
		if head.OID.IsZero() {
			return "", nil
		}
		return head.OID.String(), nil
	}
	out, err := s.repo.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", from+"^{commit}")
	if err != nil {
		return "", &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no commit %q", from), Hint: "give --from a branch, tag or commit"}
	}
	return string(bytes.TrimSpace(out)), nil
}

// branchFree refuses a branch that exists, or that a live task claims.
func (s *Service) branchFree(ctx context.Context, branch string, here bool) error {
	exists, err := s.repo.BranchExists(ctx, branch)
	if err != nil {
		return err
	}
	if exists && !here {
		return refuse("choose another with --branch, or check it out and use --here", "branch %s exists", branch)
	}
	id, err := s.ledger.Claimed(branch)
	if err != nil || id == "" {
		return err
	}
	b, _, err := s.taskBrief(ctx, task.ID(id))
	if errors.Is(err, task.ErrNoTask) {
		return nil
	}
	if err != nil {
		return err
	}
	if !b.Task.Deleted && !b.Task.Status.Terminal() {
		return refuse("'git brew switch "+id+"' goes there", "branch %s belongs to %s", branch, id)
	}
	return nil
}

// makeBranch makes the branch and checks it out; undo takes both back.
func (s *Service) makeBranch(ctx context.Context, r CreateRequest, p task.CreatePayload) (undo func(context.Context), err error) {
	if p.BaseCommit == "" {
		if r.NoSwitch {
			return nil, refuse("leave --no-switch away, or commit something first", "a branch can't be made in a repository without commits")
		}
		return func(ctx context.Context) { _ = s.repo.CheckoutUnborn(ctx, p.Base) }, s.repo.CheckoutUnborn(ctx, p.Branch)
	}
	at, err := gitstore.ParseOID(p.BaseCommit)
	if err != nil {
		return nil, err
	}
	if r.NoSwitch {
		return func(ctx context.Context) { _ = s.repo.DeleteBranch(ctx, p.Branch, at) },
			s.repo.CreateBranch(ctx, p.Branch, p.BaseCommit)
	}
	head, err := s.repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return nil, err
	}
	return func(ctx context.Context) {
		if s.goBack(ctx, head) == nil {
			_ = s.repo.DeleteBranch(ctx, p.Branch, at)
		}
	}, s.repo.CheckoutNew(ctx, p.Branch, p.BaseCommit)
}

// goBack checks out what was checked out before.
func (s *Service) goBack(ctx context.Context, to gitstore.Head) error {
	switch {
	case to.Branch == "":
		return s.repo.CheckoutDetached(ctx, to.OID)
	case to.OID.IsZero():
		return s.repo.CheckoutOrphan(ctx, to.Branch)
	}
	return s.repo.Checkout(ctx, to.Branch)
}
