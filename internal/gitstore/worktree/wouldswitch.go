package worktree

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// WouldSwitch asks git whether this work tree could be taken to a commit, as a
// switch would take it: local changes in the way are a *CommandError in git's own
// words. Nothing is changed, but that the index learns which files are as it has
// them.
func (r *Tree) WouldSwitch(ctx context.Context, to plumbing.OID) error {
	// Its status says that some are not.
	if _, err := r.at.Git.Run(ctx, "update-index", "-q", "--refresh"); err != nil && gitcmd.ExitCode(err) < 0 {
		return err
	}
	if _, err := r.at.Git.Run(ctx, "read-tree", "-n", "-m", "-u", "HEAD", to.String()); err != nil {
		return fmt.Errorf("look whether %s could be checked out: %w", to.Short(), err)
	}
	return nil
}
