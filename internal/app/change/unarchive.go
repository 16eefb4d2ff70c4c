package change

import (
	"context"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
)

// unarchive gives an archived task its refs again: whoever changes it goes on where
// it ended. Zero: it is not in the archive.
func (c *Tx) unarchive(ctx context.Context) (gitstore.OID, error) {
	e, ok, err := archive.Restore(ctx, c.Ledger, string(c.ID))
	if err != nil || !ok {
		return gitstore.OID{}, err
	}
	c.unarchived = e
	return e.Tip, nil
}

// archiveUnchanged takes that back for a change that did nothing to the task: one is live
// by its operations alone, not by who holds its lock.
func (c *Tx) archiveUnchanged(ctx context.Context) error {
	tip, err := c.Ledger.Tip(ctx, ledger.TaskRef(string(c.ID)))
	if err != nil || c.unarchived.ID == "" || tip != c.unarchived.Tip {
		return err
	}
	return archive.Retire(ctx, c.Ledger, c.unarchived)
}

// unarchiveLock is the lock of a task that came back from the archive without it, so
// that its fences go on. Where that can't be read, the task's own fence does.
func (c *Tx) unarchiveLock(ctx context.Context) (gitstore.OID, error) {
	e, ok, err := archive.Find(ctx, c.Ledger, string(c.ID))
	if err != nil || !ok || e.Lock.IsZero() {
		return gitstore.OID{}, ctx.Err()
	}
	return e.Lock, c.Ledger.Move(ctx, ledger.LockRef(string(c.ID)), e.Lock)
}
