package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// LeftLocks are the lock files, of the refs below a prefix, of the packed ones
// and of the configuration, that were made before a time: whoever made them
// died, or was stopped, before it removed them.
func (r *Store) LeftLocks(prefix string, before time.Time) ([]string, error) {
	locks, err := r.lockFiles(prefix)
	for _, name := range []string{"packed-refs.lock", "config.lock"} {
		path := filepath.Join(r.at.CommonDir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			locks[path] = info
		}
	}
	var found []string
	for _, path := range slices.Sorted(maps.Keys(locks)) {
		if locks[path].ModTime().Before(before) {
			found = append(found, path)
		}
	}
	return found, err
}

// ClearLocks removes the lock files of refs below a prefix that were left behind,
// and tells whether there were any: those that stay the very same for as long as
// patience says. A git that is interrupted, be it by a signal that it handles,
// leaves one behind when it has just made it.
//
// It is for refs that are written anew by the next fetch: a writer that is still
// alive, and stood still for so long, fails then.
func (r *Store) ClearLocks(ctx context.Context, prefix string, patience time.Duration) (cleared bool, err error) {
	before, err := r.lockFiles(prefix)
	if err != nil || len(before) == 0 {
		return false, err
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-timer.C:
	}
	for path, was := range before {
		is, err := os.Lstat(path)
		if err == nil && os.SameFile(was, is) && is.ModTime().Equal(was.ModTime()) && os.Remove(path) == nil {
			cleared = true
		}
	}
	return cleared, nil
}

// lockFiles are the lock files of refs below a prefix, by their paths.
func (r *Store) lockFiles(prefix string) (map[string]fs.FileInfo, error) {
	found := map[string]fs.FileInfo{}
	top := filepath.Join(r.at.CommonDir, filepath.FromSlash(strings.TrimSuffix(prefix, "/")))
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err == nil && strings.HasSuffix(path, ".lock") && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				found[path] = info
			}
		}
		return err
	})
	return found, err
}

// DropBroken removes a ref's file that holds neither an object id nor another
// ref's name, which git itself refuses to. A value that is packed shows then. A
// ref that can be read stays, and is ErrRefMoved; one that is not there is no
// error.
func (r *Store) DropBroken(ctx context.Context, name plumbing.RefName) error {
	err := r.withLock(ctx, name, func(l *refLock) error {
		_, _, err := r.readRef(ctx, name)
		if _, broken := errors.AsType[*plumbing.BrokenRefError](err); broken {
			if err = os.Remove(l.ref); err == nil && !r.config.NoSync(ctx) {
				err = gitfile.SyncDir(filepath.Dir(l.ref))
			}
			return err
		}
		if err == nil {
			err = plumbing.ErrRefMoved
		}
		return err
	})
	if err != nil && !errors.Is(err, plumbing.ErrNotExist) {
		return fmt.Errorf("remove broken ref %q: %w", name, err)
	}
	return nil
}
