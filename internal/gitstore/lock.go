package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// writersPatience is how long Locked waits for its turn.
const writersPatience = 10 * time.Second

// Locked runs f while no other process is inside Locked for this repository
// and name. The kernel drops the lock when its holder dies, in whatever way.
// It does not nest. ErrLocked: not our turn within ten seconds.
//
// It keeps our own writers from failing on each other's refs. What makes
// them safe is the compare-and-swap in UpdateRefs.
func (r *Repo) Locked(ctx context.Context, f func() error) error {
	path := filepath.Join(r.commonDir, r.name+".lock")
	file, err := r.lock(ctx, path)
	if err != nil {
		return fmt.Errorf("queue for writing: %w", err)
	}
	defer file.Close() // releases the lock
	return f()
}

func (r *Repo) lock(ctx context.Context, path string) (*os.File, error) {
	timeout := time.NewTimer(writersPatience)
	defer timeout.Stop()
	for pause := 200 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		file, err := r.tryLock(path)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, errWouldBlock) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-timeout.C:
			return nil, &LockedError{Path: path}
		case <-time.After(pause):
		}
	}
}

var errWouldBlock = errors.New("held by another process")

// tryLock locks the file that path leads to now: one that was replaced while
// we waited would exclude nobody.
func (r *Repo) tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	_ = r.format.share.apply(file) // somebody else's file has it already
	if err := flock(file); err != nil {
		file.Close()
		return nil, err
	}
	mine, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	there, err := os.Stat(path)
	if err != nil || !os.SameFile(mine, there) {
		file.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, errWouldBlock
	}
	return file, nil
}
