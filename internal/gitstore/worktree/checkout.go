package worktree

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Switch switches this work tree to a local branch. What stands in the way
// is told in git's own words; nothing is forced.
func (r *Tree) Switch(ctx context.Context, branch string) error {
	return r.switchTo(ctx, branch, "--no-guess", branch)
}

// SwitchNew makes a branch at a revision and switches to it.
func (r *Tree) SwitchNew(ctx context.Context, branch, start string) error {
	if start == "" || strings.HasPrefix(start, "-") {
		return fmt.Errorf("create branch %q: %.100q is not a revision", branch, start)
	}
	return r.switchTo(ctx, branch, "-c", branch, start)
}

// SwitchUnborn makes branch the one that the first commit of a repository
// without commits will go to.
func (r *Tree) SwitchUnborn(ctx context.Context, branch string) error {
	return r.switchTo(ctx, branch, "-c", branch)
}

// SwitchOrphan switches to a branch that has no commit yet: the work tree
// keeps no file that git knows.
func (r *Tree) SwitchOrphan(ctx context.Context, branch string) error {
	return r.switchTo(ctx, branch, "--orphan", branch)
}

func (r *Tree) switchTo(ctx context.Context, branch string, args ...string) error {
	if _, err := plumbing.BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.at.Git.Run(ctx, append([]string{"switch"}, args...)...); err != nil {
		return fmt.Errorf("switch to branch %q: %w", branch, err)
	}
	return nil
}

// SwitchDetached switches this work tree to a commit, without a branch.
func (r *Tree) SwitchDetached(ctx context.Context, commit plumbing.OID) error {
	if _, err := r.at.Git.Run(ctx, "switch", "--detach", commit.String()); err != nil {
		return fmt.Errorf("switch to %s: %w", commit.Short(), err)
	}
	return nil
}
