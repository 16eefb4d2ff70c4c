package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Submodule is a submodule of this work tree.
type Submodule struct {
	// Path is where it lies, with slashes, from the top of the work tree.
	Path string
	// Commit is the one that the index records for it.
	Commit OID
	// CheckedOut: there is a repository at Path.
	CheckedOut bool
}

// maxSubmodules bounds what a .gitmodules, which anybody may have written, can
// make us look at.
const maxSubmodules = 10_000

// Submodules lists the submodules that .gitmodules names and the index has, in
// the order of that file.
func (r *Repo) Submodules(ctx context.Context) ([]Submodule, error) {
	if r.workTree == "" {
		return nil, nil
	}
	file := filepath.Join(r.workTree, ".gitmodules")
	if info, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // git reads no other kind either
	}
	out, err := r.Git(ctx, "config", "--file", file, "-z", "--get-regexp", `^submodule\..*\.path$`)
	if exitCode(err) == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	args := []string{"-C", r.workTree, "--literal-pathspecs", "ls-files", "--stage", "--full-name", "-z", "--"}
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
	if out, err = r.Git(ctx, append(args, order...)...); err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	recorded := map[string]OID{}
	for record := range strings.SplitSeq(string(out), "\x00") {
		head, path, ok := strings.Cut(record, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 || fields[0] != "160000" {
			continue
		}
		if recorded[path], err = ParseOID(fields[1]); err != nil {
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
		_, err := os.Lstat(filepath.Join(r.workTree, filepath.FromSlash(path), ".git"))
		all = append(all, Submodule{Path: path, Commit: commit, CheckedOut: err == nil})
	}
	return all, nil
}

// Submodule opens the repository of a submodule by its path in this work tree.
// ErrNotExist: none is checked out there. Symbolic links on the way lead nowhere.
func (r *Repo) Submodule(path string) (*Repo, error) {
	if local := filepath.FromSlash(path); r.workTree == "" || !filepath.IsLocal(local) || filepath.Clean(local) == "." {
		return nil, fmt.Errorf("open submodule %q: %w", path, ErrNotExist)
	}
	top, err := filepath.EvalSymlinks(r.workTree)
	if err != nil {
		return nil, fmt.Errorf("open submodule %q: %w", path, err)
	}
	dir := filepath.Join(top, filepath.FromSlash(path))
	if at, err := filepath.EvalSymlinks(dir); err != nil || at != dir {
		return nil, fmt.Errorf("open submodule %q: %w", path, ErrNotExist)
	}
	sub, err := Open(Options{Dir: dir, Environ: WithoutPlace(r.env, nil), Name: r.name, NoLazyFetch: r.noLazyFetch, Now: r.now})
	if errors.Is(err, ErrNotRepository) {
		return nil, fmt.Errorf("open submodule %q: %w", path, ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("open submodule %q: %w", path, err)
	}
	// Where nothing is checked out, the search went up to this repository.
	if at, err := filepath.EvalSymlinks(sub.workTree); err != nil || at != dir {
		_ = sub.Close()
		return nil, fmt.Errorf("open submodule %q: %w", path, ErrNotExist)
	}
	return sub, nil
}

// Superproject opens the repository around the work tree of this one, where this
// one is kept as git keeps submodules, and says at which path it lies there. It
// starts no process, and costs next to nothing where this is no submodule.
func (r *Repo) Superproject() (super *Repo, path string, ok bool) {
	kept := strings.Contains(filepath.ToSlash(r.gitDir), "/modules/") && r.gitDir != filepath.Join(r.workTree, ".git")
	if !kept || r.workTree == "" || r.env.get("GIT_DIR") != "" || r.env.get("GIT_WORK_TREE") != "" {
		return nil, "", false
	}
	super, err := Open(Options{Dir: filepath.Dir(r.workTree), Environ: r.env, Name: r.name, NoLazyFetch: r.noLazyFetch, Now: r.now})
	if err != nil {
		return nil, "", false
	}
	path, err = filepath.Rel(super.workTree, r.workTree)
	if super.workTree == "" || err != nil || !filepath.IsLocal(path) {
		_ = super.Close()
		return nil, "", false
	}
	return super, filepath.ToSlash(path), true
}
