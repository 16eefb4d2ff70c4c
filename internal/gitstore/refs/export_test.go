package refs

import (
	"context"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// MoveAndSync moves a ref by its lock, and brings further directories to the disk.
func (r *Store) MoveAndSync(ctx context.Context, name plumbing.RefName, to plumbing.OID, dirs ...string) error {
	lock, err := r.lockRef(ctx, name)
	if err != nil {
		return err
	}
	defer lock.release()
	lock.newDir = append(lock.newDir, dirs...)
	return lock.commit([]byte(to.String()+"\n"), true)
}
