package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DropBrokenRef removes a ref's file that holds neither an object id nor another
// ref's name, which git itself refuses to. A value that is packed shows then. A
// ref that can be read stays, and is ErrRefMoved; one that is not there is no
// error.
func (r *Repo) DropBrokenRef(ctx context.Context, name RefName) error {
	err := r.dropBroken(ctx, name)
	if err != nil {
		return fmt.Errorf("remove broken ref %q: %w", name, err)
	}
	return nil
}

func (r *Repo) dropBroken(ctx context.Context, name RefName) error {
	path := r.refPath(name)
	lock, err := os.OpenFile(path+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return &LockedError{Path: path + ".lock"}
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
	var broken *BrokenRefError
	switch {
	case errors.Is(err, ErrNotExist):
		return nil
	case err == nil:
		return ErrRefMoved
	case !errors.As(err, &broken):
		return err
	}
	if err := os.Remove(path); err != nil || r.noSync(ctx) {
		return err
	}
	return syncDir(filepath.Dir(path))
}
