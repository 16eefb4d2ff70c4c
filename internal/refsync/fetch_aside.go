package refsync

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/remote"
	"github.com/git-brew/git-brew/internal/ledger"
)

// fetchAside fetches where a ref of ours is broken, which git gives up over
// whatever it was asked for: in a repository aside that has no refs but what the
// remote had when it was last asked, as far as that can be read. Then it moves
// the tracking refs. A broken one of these stays.
func fetchAside(ctx context.Context, repo *gitstore.Repo, r Remote, p remote.Patience, args []string) error {
	seen, err := repo.Refs.List(ctx, ledger.TrackingPrefix(r.Name))
	if err != nil {
		return err
	}
	before, broken := map[gitstore.RefName]gitstore.OID{}, map[gitstore.RefName]bool{}
	for _, ref := range seen {
		if ref.Err != nil {
			broken[ref.Name] = true
			continue
		}
		if _, err := repo.Objects.Commit(ctx, ref.OID); err == nil {
			before[ref.Name] = ref.OID
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	after, err := repo.Remote.ScratchRefs(ctx, p, before, args...)
	if err != nil {
		return err
	}
	var updates []gitstore.Update
	for _, ref := range seen {
		now, there := after[ref.Name]
		delete(after, ref.Name)
		_, given := before[ref.Name]
		if !broken[ref.Name] && now != ref.OID && (there || given) {
			updates = append(updates, gitstore.Update{Ref: ref.Name, Old: ref.OID, New: now})
		}
	}
	for name, now := range after {
		updates = append(updates, gitstore.Update{Ref: name, New: now})
	}
	if err := repo.Refs.Update(ctx, updates...); err != nil && !errors.Is(err, gitstore.ErrRefMoved) {
		return fmt.Errorf("record what %s has: %w", r.Name, err)
	}
	return nil // where they moved, another fetch is at work
}
