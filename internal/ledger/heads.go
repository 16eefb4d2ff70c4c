package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Claim makes branch mean the task id here. The task's ref must exist: a
// symbolic ref to nothing makes git fsck fail.
func (l *Ledger) Claim(ctx context.Context, branch, id string) error {
	ref, err := HeadRef(branch)
	if err != nil {
		return err
	}
	if have, err := l.repo.Refs.Symbolic(ref); l.DryRun || err == nil && have == TaskRef(id) {
		return nil
	}
	err = l.repo.Refs.SetSymbolic(ctx, ref, TaskRef(id))
	if err != nil && l.clearWay(ctx, branch) {
		err = l.repo.Refs.SetSymbolic(ctx, ref, TaskRef(id))
	}
	if err != nil {
		return fmt.Errorf("record the task of branch %s: %w", branch, err)
	}
	return nil
}

// clearWay forgets claims of branches that are gone and whose names are a
// directory of branch's, or the other way round: git lets no such pair of refs
// be. It reports whether there were any.
func (l *Ledger) clearWay(ctx context.Context, branch string) (cleared bool) {
	for claimed := range l.Claims(ctx) {
		if !strings.HasPrefix(branch, claimed+"/") && !strings.HasPrefix(claimed, branch+"/") {
			continue
		}
		if exists, err := l.repo.Branches.Exists(ctx, claimed); err != nil || exists {
			continue
		}
		cleared = l.Unclaim(ctx, claimed) == nil || cleared
	}
	return cleared
}

// Unclaim takes back what branch means here. It goes before the task's ref.
func (l *Ledger) Unclaim(ctx context.Context, branch string) error {
	ref, err := HeadRef(branch)
	if err != nil {
		return err
	}
	if _, err := l.repo.Refs.Symbolic(ref); l.DryRun || errors.Is(err, gitstore.ErrNotExist) {
		return nil
	}
	return l.repo.Refs.DeleteSymbolic(ctx, ref)
}

// Claimed returns the id of the task that branch means here; empty where
// nothing is recorded, or what is recorded is gone.
func (l *Ledger) Claimed(branch string) (string, error) {
	ref, err := HeadRef(branch)
	if err != nil {
		return "", nil //nolint:nilerr // a branch that can't be claimed is not
	}
	target, err := l.repo.Refs.Symbolic(ref)
	if errors.Is(err, gitstore.ErrNotExist) {
		return "", nil
	}
	id, ok := TaskOf(target)
	if err != nil || !ok || !l.HasTask(context.Background(), id) {
		return "", err
	}
	return id, nil
}

// HasTask reports whether there is a ref of the task id. One that can't be read
// is there.
func (l *Ledger) HasTask(ctx context.Context, id string) bool {
	tip, err := l.Tip(ctx, TaskRef(id))
	return err != nil || !tip.IsZero()
}

// Claims returns what is recorded of branches here, by the branch's short name,
// whether or not the task still exists.
func (l *Ledger) Claims(ctx context.Context) map[string]string {
	claims := map[string]string{}
	refs, err := l.repo.Refs.List(ctx, headsPrefix)
	if err != nil {
		return claims // what can't be read means nothing
	}
	for _, r := range refs {
		if id, ok := TaskOf(r.Symbolic); ok {
			claims[strings.TrimPrefix(string(r.Name), headsPrefix)] = id
		}
	}
	return claims
}
