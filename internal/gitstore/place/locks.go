package place

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// LockPatience is how long what someone else has locked is tried again.
// git's own writers hold such a lock for milliseconds.
const LockPatience = time.Second

// writersPatience is how long Locked waits for its turn.
const writersPatience = 10 * time.Second

// Locked runs f while no other process is inside Locked for this repository
// and name. The kernel drops the lock when its holder dies, in whatever way.
// It does not nest. ErrLocked: not our turn within ten seconds.
//
// It keeps our own writers from failing on each other's refs. What makes
// them safe is the compare-and-swap of each ref.
func (r *Place) Locked(ctx context.Context, f func() error) error {
	path := filepath.Join(r.commonDir, r.name+".lock")
	file, err := r.Lock(ctx, path, writersPatience)
	if err != nil {
		return fmt.Errorf("queue for writing: %w", err)
	}
	defer file.Close() // releases the lock
	return f()
}

// Exclusive is Locked for another purpose, named by a file in CacheDir, and for
// work that may take long: it waits as long as patience says, not at all where
// that is 0. Inside, Locked may be used.
func (r *Place) Exclusive(ctx context.Context, name string, patience time.Duration, f func() error) error {
	if err := r.MakeDir(r.CacheDir()); err != nil {
		return err
	}
	file, err := r.Lock(ctx, filepath.Join(r.CacheDir(), name), patience)
	if err != nil {
		return fmt.Errorf("queue for %s: %w", name, err)
	}
	defer file.Close() // releases the lock
	return f()
}
