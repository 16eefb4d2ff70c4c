package gitstore

import (
	"context"
	"fmt"
)

// WouldSwitch asks git whether this work tree could be taken to a commit, as a
// switch would take it: local changes in the way are a *CommandError in git's own
// words. Nothing is changed, but that the index learns which files are as it has
// them.
func (r *Repo) WouldSwitch(ctx context.Context, to OID) error {
	// Its status says that some are not.
	if _, err := r.Git(ctx, "update-index", "-q", "--refresh"); err != nil && exitCode(err) < 0 {
		return err
	}
	if _, err := r.Git(ctx, "read-tree", "-n", "-m", "-u", "HEAD", to.String()); err != nil {
		return fmt.Errorf("look whether %s could be checked out: %w", to.Short(), err)
	}
	return nil
}
