package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
	if have, err := l.repo.Refs.Symbolic(ref); l.Rehearses || err == nil && have == TaskRef(id) {
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
	if _, err := l.repo.Refs.Symbolic(ref); l.Rehearses || errors.Is(err, gitstore.ErrNotExist) {
		return nil
	}
	return l.repo.Refs.DeleteSymbolic(ctx, ref)
}

// Claimed returns the id of the task that branch means here; empty where
// nothing is recorded, or what is recorded is gone.
func (l *Ledger) Claimed(branch string) (string, error) {
	id, err := l.claimed(branch)
	if err != nil || id == "" || !l.HasTask(context.Background(), id) {
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

// claimed is the id that is recorded for branch, of a task that need not exist.
func (l *Ledger) claimed(branch string) (string, error) {
	ref, err := HeadRef(branch)
	if err != nil {
		return "", nil //nolint:nilerr // a branch that can't be claimed is not
	}
	target, err := l.repo.Refs.Symbolic(ref)
	if errors.Is(err, gitstore.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	id, ok := strings.CutPrefix(string(target), TasksPrefix)
	if !ok {
		return "", nil
	}
	return id, nil
}

// Claims returns what is recorded of branches here, by the branch's short name,
// whether or not the task still exists. Symbolic refs are never packed: they are the files below one directory.
func (l *Ledger) Claims(_ context.Context) map[string]string {
	claims := map[string]string{}
	top := filepath.Join(l.repo.CommonDir(), filepath.FromSlash(headsPrefix))
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".lock") {
			return nil //nolint:nilerr // what can't be read means nothing
		}
		rel, err := filepath.Rel(top, path)
		if err != nil {
			return nil //nolint:nilerr // can't be: path is below top
		}
		branch := filepath.ToSlash(rel)
		if id, err := l.claimed(branch); err == nil && id != "" {
			claims[branch] = id
		}
		return nil
	})
	return claims
}
