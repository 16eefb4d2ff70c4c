package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// DropBroken removes a ref's file that holds neither an object id nor another
// ref's name, which git itself refuses to. A value that is packed shows then. A
// ref that can be read stays, and is ErrRefMoved; one that is not there is no
// error.
func (r *Store) DropBroken(ctx context.Context, name plumbing.RefName) error {
	err := dropBroken(ctx, r, name)
	if err != nil {
		return fmt.Errorf("remove broken ref %q: %w", name, err)
	}
	return nil
}

func dropBroken(ctx context.Context, r *Store, name plumbing.RefName) error {
	path := r.refPath(name)
	lock, err := os.OpenFile(path+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return &plumbing.LockedError{Path: path + ".lock"}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no directory, no ref
	}
	if err != nil {
		return err
	}
	defer func() {
		_ = lock.Close()
		_ = os.Remove(path + ".lock")
	}()
	_, _, err = r.readRef(ctx, name)
	var broken *plumbing.BrokenRefError
	switch {
	case errors.Is(err, plumbing.ErrNotExist):
		return nil
	case err == nil:
		return plumbing.ErrRefMoved
	case !errors.As(err, &broken):
		return err
	}
	if err := os.Remove(path); err != nil || r.config.NoSync(ctx) {
		return err
	}
	return gitfile.SyncDir(filepath.Dir(path))
}
