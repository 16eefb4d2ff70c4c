// Package worktree looks at a work tree and has git switch it.
package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
)

// Tree is a work tree.
type Tree struct {
	at     *place.Place
	config *config.Store
	refs   *refs.Store
}

// New is the work tree of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store, refs *refs.Store) *Tree {
	return &Tree{at: at, config: config, refs: refs}
}

// Switch switches this work tree to a local branch. What stands in the way
// is told in git's own words; nothing is forced.
func (r *Tree) Switch(ctx context.Context, branch string) error {
	return r.switchTo(ctx, branch, "--no-guess", branch)
}

// SwitchNew makes a branch at a revision and switches to it.
func (r *Tree) SwitchNew(ctx context.Context, branch, start string) error {
	if start == "" || strings.HasPrefix(start, "-") {
		return fmt.Errorf("create branch %q: %.100q is not a revision", branch, start)
	}
	return r.switchTo(ctx, branch, "-c", branch, start)
}

// SwitchUnborn makes branch the one that the first commit of a repository
// without commits will go to.
func (r *Tree) SwitchUnborn(ctx context.Context, branch string) error {
	return r.switchTo(ctx, branch, "-c", branch)
}

// SwitchOrphan switches to a branch that has no commit yet: the work tree
// keeps no file that git knows.
func (r *Tree) SwitchOrphan(ctx context.Context, branch string) error {
	return r.switchTo(ctx, branch, "--orphan", branch)
}

func (r *Tree) switchTo(ctx context.Context, branch string, args ...string) error {
	if _, err := plumbing.BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.at.Git.Run(ctx, append([]string{"switch"}, args...)...); err != nil {
		return fmt.Errorf("switch to branch %q: %w", branch, err)
	}
	return nil
}

// SwitchDetached switches this work tree to a commit, without a branch.
func (r *Tree) SwitchDetached(ctx context.Context, commit plumbing.OID) error {
	if _, err := r.at.Git.Run(ctx, "switch", "--detach", commit.String()); err != nil {
		return fmt.Errorf("switch to %s: %w", commit.Short(), err)
	}
	return nil
}

// ErrOutside says that a path leads out of the work tree.
var ErrOutside = errors.New("it leads out of the work tree")

// File reads a file of the work tree by its path there, with slashes; nil
// where there is none, or no work tree. Where links lead outside, it is ErrOutside;
// only regular files are read, and more than limit bytes are ErrTooLarge.
func (r *Tree) File(path string, limit int64) ([]byte, error) {
	local := filepath.FromSlash(path)
	if r.at.WorkTree() == "" || !filepath.IsLocal(local) {
		return nil, nil
	}
	root, err := os.OpenRoot(r.at.WorkTree())
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		// What os.Root refuses itself is no error of the system's.
		if _, system := errors.AsType[syscall.Errno](err); !system {
			return nil, fmt.Errorf("%s: %w", path, ErrOutside)
		}
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s: %w", path, plumbing.ErrTooLarge)
	}
	file, err := root.Open(local)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w", path, plumbing.ErrTooLarge)
	}
	return data, err
}
