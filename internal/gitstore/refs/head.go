package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Head is what is checked out in a work tree.
type Head struct {
	// Branch is the short name of the branch; "" when HEAD is detached.
	Branch string
	// OID is zero while the branch has no commit yet.
	OID plumbing.OID
	// Rebasing is the short name of the branch that a rebase in progress
	// will move, "" when there is none.
	Rebasing string
}

// Head reads this work tree's HEAD. It starts no process, except for a
// storage that only git can read.
func (r *Store) Head(ctx context.Context) (Head, error) {
	id, target, err := r.readRef(ctx, "HEAD")
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	head := Head{OID: id, Branch: target.Branch()}
	if target != "" {
		head.OID, err = r.resolve(ctx, target)
		if err != nil && !errors.Is(err, plumbing.ErrNotExist) {
			return Head{}, fmt.Errorf("read HEAD: %w", err)
		}
	}
	head.Rebasing, err = rebasing(r.at.GitDir())
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	return head, nil
}

func rebasing(gitDir string) (string, error) {
	for _, dir := range []string{"rebase-merge", "rebase-apply"} {
		data, err := gitfile.ReadFile(filepath.Join(gitDir, dir, "head-name"))
		if errors.Is(err, fs.ErrNotExist) || gitfile.IsNotDir(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		// A rebase of a detached HEAD says so in words.
		return plumbing.RefName(strings.TrimSpace(string(data))).Branch(), nil
	}
	return "", nil
}
