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
	file, err := r.lock(ctx, path, writersPatience)
	if err != nil {
		return fmt.Errorf("queue for writing: %w", err)
	}
	defer file.Close() // releases the lock
	return f()
}

// Exclusive is Locked for another purpose, named by a file in CacheDir, and for
// work that may take long: it waits as long as patience says, not at all where
// that is 0. Inside, Locked may be used.
func (r *Repo) Exclusive(ctx context.Context, name string, patience time.Duration, f func() error) error {
	if err := r.MakeDir(r.CacheDir()); err != nil {
		return err
	}
	file, err := r.lock(ctx, filepath.Join(r.CacheDir(), name), patience)
	if err != nil {
		return fmt.Errorf("queue for %s: %w", name, err)
	}
	defer file.Close() // releases the lock
	return f()
}

// lock waits in the kernel's own queue: one who only looked now and then could
// find the lock held every time.
func (r *Repo) lock(ctx context.Context, path string, patience time.Duration) (*os.File, error) {
	file, err := r.openLock(path, flock)
	if !errors.Is(err, errWouldBlock) {
		return file, err
	}
	if patience <= 0 {
		return nil, &LockedError{Path: path}
	}
	type outcome struct {
		file *os.File
		err  error
	}
	got := make(chan outcome)
	gone := make(chan struct{}) // nobody waits for the outcome any more
	defer close(gone)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				select {
				case got <- outcome{err: fmt.Errorf("internal error: %v", p)}: // a crash exits with 2
				case <-gone:
				}
			}
		}()
		file, err := r.openLock(path, flockWait)
		for errors.Is(err, errWouldBlock) {
			file, err = r.openLock(path, flockWait)
		}
		select {
		case got <- outcome{file, err}:
		case <-gone:
			if file != nil {
				_ = file.Close() // gives the lock back
			}
		}
	}()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case o := <-got:
		return o.file, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-timeout.C:
		return nil, &LockedError{Path: path}
	}
}

var errWouldBlock = errors.New("held by another process")

// openLock locks the file that path leads to now: one that was replaced while
// we waited would exclude nobody, and counts as held.
func (r *Repo) openLock(path string, take func(*os.File) error) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	_ = r.Share(file) // somebody else's file has it already
	if err := take(file); err != nil {
		_ = file.Close() // the first error tells more
		return nil, err
	}
	mine, err := file.Stat()
	if err != nil {
		_ = file.Close() // as above
		return nil, err
	}
	there, err := os.Stat(path)
	if err == nil && os.SameFile(mine, there) {
		return file, nil
	}
	_ = file.Close() // it is not the lock
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, errWouldBlock
}
