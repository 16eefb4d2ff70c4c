package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// PlacedEnviron is the environment of a program that is run for this repository,
// in its work tree: git in it finds it by itself, and finds another one where the
// program goes elsewhere. Only where nothing in the work tree leads to the
// repository, it stays named.
func (r *Repo) PlacedEnviron() []string {
	env := gitcmd.WithoutPlace(r.Git.Env, nil)
	if r.Git.Env.Get("GIT_DIR") == "" && r.Git.Env.Get("GIT_WORK_TREE") == "" {
		return env
	}
	if r.WorkTree == "" { // git takes an empty name for a mistake
		return append(env, "GIT_DIR="+r.GitDir)
	}
	found, err := Open(Options{Dir: r.WorkTree, Environ: env, Name: r.Name})
	if err == nil {
		defer func() { _ = found.Close() }()
		if found.GitDir == r.GitDir && found.WorkTree == r.WorkTree {
			return env
		}
	}
	return append(env, "GIT_DIR="+r.GitDir, "GIT_WORK_TREE="+r.WorkTree)
}

// GitIn runs git in a directory, for the repository that is found there.
func (r *Repo) GitIn(dir string) *Git {
	return &Git{Dir: dir, Env: gitcmd.WithoutPlace(r.Git.Env, nil), NoLazyFetch: r.Git.NoLazyFetch}
}

// Submodule is the repository of a submodule by its path in this work tree, which ends
// with this one. ErrNotExist: none is checked out there. Symbolic links on the way lead
// nowhere.
func (r *Repo) Submodule(path string) (*Repo, error) {
	if open, ok := r.submodules.Load(path); ok {
		return open.(*Repo), nil
	}
	sub, err := r.submodule(filepath.FromSlash(path))
	if errors.Is(err, plumbing.ErrNotRepository) {
		err = plumbing.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("open submodule %q: %w", path, err)
	}
	r.submodules.Store(path, sub)
	return sub, nil
}

func (r *Repo) submodule(path string) (*Repo, error) {
	if r.WorkTree == "" || !filepath.IsLocal(path) || filepath.Clean(path) == "." {
		return nil, plumbing.ErrNotExist
	}
	top, err := filepath.EvalSymlinks(r.WorkTree)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(top, path)
	if at, err := filepath.EvalSymlinks(dir); err != nil || at != dir {
		return nil, plumbing.ErrNotExist
	}
	sub, err := Open(Options{
		Dir: dir, Environ: gitcmd.WithoutPlace(r.Git.Env, nil), Name: r.Name,
		NoLazyFetch: r.Git.NoLazyFetch, Now: r.Now,
	})
	if err != nil {
		return nil, err
	}
	// Where nothing is checked out, the search went up to this repository.
	if at, err := filepath.EvalSymlinks(sub.WorkTree); err != nil || at != dir {
		_ = sub.Close()
		return nil, plumbing.ErrNotExist
	}
	return sub, nil
}

// Superproject opens the repository around the work tree of this one, where this
// one is kept as git keeps submodules, and says at which path it lies there. It
// starts no process, and costs next to nothing where this is no submodule.
func (r *Repo) Superproject() (super *Repo, path string, ok bool) {
	kept := strings.Contains(filepath.ToSlash(r.GitDir), "/modules/") &&
		r.GitDir != filepath.Join(r.WorkTree, ".git")
	if !kept || r.WorkTree == "" || r.Git.Env.Get("GIT_DIR") != "" || r.Git.Env.Get("GIT_WORK_TREE") != "" {
		return nil, "", false
	}
	super, err := Open(Options{
		Dir: filepath.Dir(r.WorkTree), Environ: r.Git.Env, Name: r.Name,
		NoLazyFetch: r.Git.NoLazyFetch, Now: r.Now,
	})
	if err != nil {
		return nil, "", false
	}
	path, err = filepath.Rel(super.WorkTree, r.WorkTree)
	if super.WorkTree == "" || err != nil || !filepath.IsLocal(path) {
		_ = super.Close()
		return nil, "", false
	}
	return super, filepath.ToSlash(path), true
}

// Offline gives another handle on the same repository that never asks a remote
// for what is missing here. The caller closes it.
func (r *Repo) Offline() *Repo {
	git := *r.Git
	git.NoLazyFetch = true
	return openAt(r.With(git))
}

// Silent gives another handle on the same repository whose git asks nobody for a
// password, a passphrase or a yes: where that is wanted, it fails. The person's
// own way to run ssh stays as it is. The caller closes it.
func (r *Repo) Silent(ctx context.Context) *Repo {
	git := *r.Git
	git.Env = git.Env.With(r.Remote.Silence(ctx)...)
	return openAt(r.With(git))
}
