package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// PlacedEnviron is the environment of a program that is run for this repository,
// in its work tree: git in it finds it by itself, and finds another one where the
// program goes elsewhere. Only where nothing in the work tree leads to the
// repository, it stays named.
func (r *Repo) PlacedEnviron() []string {
	env := WithoutPlace(r.env, nil)
	if r.env.get("GIT_DIR") == "" && r.env.get("GIT_WORK_TREE") == "" {
		return env
	}
	if r.workTree == "" { // git takes an empty name for a mistake
		return append(env, "GIT_DIR="+r.gitDir)
	}
	found, err := Open(Options{Dir: r.workTree, Environ: env, Name: r.name})
	if err == nil {
		defer func() { _ = found.Close() }()
		if found.gitDir == r.gitDir && found.workTree == r.workTree {
			return env
		}
	}
	return append(env, "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.workTree)
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

// Offline gives another handle on the same repository that never asks a remote
// for what is missing here. The caller closes it.
func (r *Repo) Offline() *Repo {
	other := r.again()
	other.noLazyFetch = true
	return other
}

// Silent gives another handle on the same repository whose git asks nobody for a
// password, a passphrase or a yes: where that is wanted, it fails. The person's
// own way to run ssh stays as it is. The caller closes it.
func (r *Repo) Silent(ctx context.Context) *Repo {
	other := r.again()
	other.env = other.env.with(r.silence(ctx)...)
	return other
}

func (r *Repo) again() *Repo {
	return &Repo{layout: r.layout, dir: r.dir, env: r.env, name: r.name, noLazyFetch: r.noLazyFetch, now: r.now}
}
