package refs

import (
	"context"
	"errors"
	"fmt"
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
	if err := dropBroken(ctx, r, name); err != nil {
		return fmt.Errorf("remove broken ref %q: %w", name, err)
	}
	return nil
}

func dropBroken(ctx context.Context, r *Store, name plumbing.RefName) error {
	lock, err := r.lockRef(ctx, name)
	if err != nil {
		return err
	}
	defer lock.release()
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
	if err := os.Remove(lock.ref); err != nil || r.config.NoSync(ctx) {
		return err
	}
	return gitfile.SyncDir(filepath.Dir(lock.ref))
}
