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
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
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
	if r.at.WorkTree == "" || !filepath.IsLocal(local) {
		return nil, nil
	}
	root, err := os.OpenRoot(r.at.WorkTree)
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

// Submodule is a submodule of this work tree.
type Submodule struct {
	// Path is where it lies, with slashes, from the top of the work tree.
	Path string
	// Commit is the one that the index records for it.
	Commit plumbing.OID
	// CheckedOut: there is a repository at Path.
	CheckedOut bool
}

// maxSubmodules bounds what a .gitmodules, which anybody may have written, can
// make us look at.
const maxSubmodules = 10_000

// Submodules lists the submodules that .gitmodules names and the index has, in
// the order of that file.
func (r *Tree) Submodules(ctx context.Context) ([]Submodule, error) {
	if r.at.WorkTree == "" {
		return nil, nil
	}
	file := filepath.Join(r.at.WorkTree, ".gitmodules")
	if info, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // git reads no other kind either
	}
	out, err := r.at.Git.Run(ctx, "config", "--file", file, "-z", "--get-regexp", `^submodule\..*\.path$`)
	if gitcmd.ExitCode(err) == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	args := []string{"-C", r.at.WorkTree, "--literal-pathspecs", "ls-files", "--stage", "--full-name", "-z", "--"}
	var order []string
	for record := range strings.SplitSeq(string(out), "\x00") {
		_, path, ok := strings.Cut(record, "\n")
		if ok && path != "" && filepath.IsLocal(path) && len(order) < maxSubmodules {
			order = append(order, path)
		}
	}
	if len(order) == 0 {
		return nil, nil
	}
	if out, err = r.at.Git.Run(ctx, append(args, order...)...); err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	recorded := map[string]plumbing.OID{}
	for record := range strings.SplitSeq(string(out), "\x00") {
		head, path, ok := strings.Cut(record, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 || fields[0] != "160000" {
			continue
		}
		if recorded[path], err = plumbing.ParseOID(fields[1]); err != nil {
			return nil, fmt.Errorf("list submodules: %w", err)
		}
	}
	var all []Submodule
	for _, path := range order {
		commit, ok := recorded[path]
		if !ok {
			continue
		}
		delete(recorded, path)
		_, err := os.Lstat(filepath.Join(r.at.WorkTree, filepath.FromSlash(path), ".git"))
		all = append(all, Submodule{Path: path, Commit: commit, CheckedOut: err == nil})
	}
	return all, nil
}
