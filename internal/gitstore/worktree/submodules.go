package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

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
	if r.at.WorkTree() == "" {
		return nil, nil
	}
	file := filepath.Join(r.at.WorkTree(), ".gitmodules")
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
	args := []string{"-C", r.at.WorkTree(), "--literal-pathspecs", "ls-files", "--stage", "--full-name", "-z", "--"}
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
		_, err := os.Lstat(filepath.Join(r.at.WorkTree(), filepath.FromSlash(path), ".git"))
		all = append(all, Submodule{Path: path, Commit: commit, CheckedOut: err == nil})
	}
	return all, nil
}
