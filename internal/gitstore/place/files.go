package place

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Tries is how often a file is made in a directory that git gc removes while it is empty.
const Tries = 10

// TempFile makes a file with a name of its own in a directory below CommonDir,
// which is made where it is missing: for whoever writes a file aside and then
// renames it. Its permissions are those of git's own files here.
func (r *Place) TempFile(dir, prefix string) (*os.File, error) {
	name := filepath.Join(dir, prefix+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
	const how = os.O_RDWR | os.O_CREATE | os.O_EXCL
	file, err := os.OpenFile(name, how, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.MakeDir(dir); err == nil {
			file, err = os.OpenFile(name, how, 0o666)
		}
	}
	if err != nil {
		return nil, err
	}
	_ = r.Share(file) // it is ours; where that fails, others do without it
	return file, nil
}

// WriteCache makes data the content of a file in CacheDir, all at once: whoever
// reads it sees what was there before or all of this. It is not synced to the
// disk: it is for what can be rebuilt.
func (r *Place) WriteCache(name string, data []byte) error {
	temp, err := r.TempFile(r.CacheDir(), name+"-")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := gitfile.PutFile(temp, filepath.Join(r.CacheDir(), name), data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

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
	return r.locked(ctx, filepath.Join(r.CommonDir, r.Name+".lock"), writersPatience, f)
}

// Exclusive is Locked for another purpose, named by a file in CacheDir, and for
// work that may take long: it waits as long as patience says, not at all where
// that is 0. Inside, Locked may be used.
func (r *Place) Exclusive(ctx context.Context, name string, patience time.Duration, f func() error) error {
	if err := r.MakeDir(r.CacheDir()); err != nil {
		return err
	}
	return r.locked(ctx, filepath.Join(r.CacheDir(), name), patience, f)
}

func (r *Place) locked(ctx context.Context, path string, patience time.Duration, f func() error) error {
	file, err := r.Lock(ctx, path, patience)
	if err != nil {
		return fmt.Errorf("queue for %s: %w", filepath.Base(path), err)
	}
	defer file.Close() // releases the lock
	return f()
}

// Lock takes the lock of a file, as soon as it finds it free, or gives a *LockedError.
func (r *Place) Lock(ctx context.Context, path string, patience time.Duration) (*os.File, error) {
	const looks = 1000 // more than who holds it again and again can win, by far
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		file, err := r.openLock(path)
		if !errors.Is(err, gitfile.ErrWouldBlock) {
			return file, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-timeout.C:
			return nil, &plumbing.LockedError{Path: path}
		case <-time.After(rand.N(2*patience/looks + 1)):
		}
	}
}

// openLock locks the file that path leads to now: one that was replaced
// meanwhile would exclude nobody, and counts as held.
func (r *Place) openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	_ = r.Share(file) // somebody else's file has it already
	if err := gitfile.Flock(file); err != nil {
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
	return nil, gitfile.ErrWouldBlock
}
