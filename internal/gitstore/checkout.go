package gitstore

import (
	"context"
	"fmt"
	"strings"
)

// CheckoutUnborn makes branch the one that the first commit of a repository
// without commits will go to.
func (r *Repo) CheckoutUnborn(ctx context.Context, branch string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.Git(ctx, "switch", "-c", branch); err != nil {
		return fmt.Errorf("create branch %q: %w", branch, err)
	}
	return nil
}

// Checkout switches this work tree to a local branch. What stands in the way
// is told in git's own words; nothing is forced.
func (r *Repo) Checkout(ctx context.Context, branch string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.Git(ctx, "switch", "--no-guess", branch); err != nil {
		return fmt.Errorf("switch to branch %q: %w", branch, err)
	}
	return nil
}

// CheckoutDetached switches this work tree to a commit, without a branch.
func (r *Repo) CheckoutDetached(ctx context.Context, commit OID) error {
	if _, err := r.Git(ctx, "switch", "--detach", commit.String()); err != nil {
		return fmt.Errorf("switch to %s: %w", commit.Short(), err)
	}
	return nil
}

// CheckoutOrphan switches to a branch that has no commit yet: the work tree
// keeps no file that git knows.
func (r *Repo) CheckoutOrphan(ctx context.Context, branch string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.Git(ctx, "switch", "--orphan", branch); err != nil {
		return fmt.Errorf("switch to branch %q: %w", branch, err)
	}
	return nil
}

// CheckoutNew makes a branch at a revision and switches to it.
func (r *Repo) CheckoutNew(ctx context.Context, branch, start string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if start == "" || strings.HasPrefix(start, "-") {
		return fmt.Errorf("create branch %q: %.100q is not a revision", branch, start)
	}
	if _, err := r.Git(ctx, "switch", "-c", branch, start); err != nil {
		return fmt.Errorf("create branch %q: %w", branch, err)
	}
	return nil
}
