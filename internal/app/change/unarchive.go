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
	lock, err := c.Ledger.Tip(ctx, ledger.LockRef(string(c.ID)))
	if err != nil {
		return lock, err
	}
	e, ok, err := archive.Restore(ctx, c.Ledger, string(c.ID))
	if err != nil || !ok {
		return gitstore.OID{}, err
	}
	c.unarchived = map[gitstore.RefName]gitstore.OID{ledger.TaskRef(string(c.ID)): e.Tip}
	if lock.IsZero() {
		c.unarchived[ledger.LockRef(string(c.ID))] = e.Lock
	}
	return e.Tip, nil
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

// archiveUnchanged takes back what was made for a change that did nothing to the task: one
// is live by its operations alone, not by who holds its lock.
func (c *Tx) archiveUnchanged(ctx context.Context) error {
	ref := ledger.TaskRef(string(c.ID))
	put, was := c.unarchived[ref]
	if tip, err := c.Ledger.Tip(ctx, ref); err != nil || !was || tip != put {
		return err
	}
	for ref, put := range c.unarchived {
		if tip, err := c.Ledger.Tip(ctx, ref); err != nil {
			return err
		} else if tip != put {
			continue // the lock went on
		}
		if err := c.Ledger.Move(ctx, ref, gitstore.OID{}); err != nil {
			return err
		}
	}
	return nil
}
