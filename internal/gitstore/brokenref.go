package gitstore

import (
	"context"
	"errors"
	"fmt"
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
	release, err := r.lockPlainly(name)
	if err != nil {
		return err
	}
	defer release()
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
	path := r.refPath(name)
	if err := os.Remove(path); err != nil || r.noSync(ctx) {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// lockPlainly takes <ref>.lock, also where lockRef leaves it to git.
func (r *Repo) lockPlainly(name RefName) (release func(), err error) {
	lock, err := r.lockRef(name)
	if err == nil {
		return lock.release, nil
	}
	if !errors.Is(err, errLeaveToGit) {
		return nil, err
	}
	path := r.refPath(name) + ".lock"
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		err = &LockedError{Path: path}
	}
	if err != nil {
		return nil, err
	}
	_ = file.Close()
	return func() { _ = os.Remove(path) }, nil
}
