// Package place finds a repository, and makes files in it: locks, caches, scratch
// directories.
package place

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Place is a repository's place on the disk: where its parts are, and how git is run
// there. All paths are absolute.
type Place struct {
	GitDir    string // belongs to this work tree alone
	CommonDir string // all work trees share it
	ObjectDir string
	WorkTree  string // its top; "" in a bare repository and inside a git directory
	Format    Format
	Git       *gitcmd.Runner
	Name      string // the caller's private name under CommonDir
	Now       func() time.Time
}

// Find finds the repository around git.Dir as git does, and pins it: git.Env names it
// from now on wherever git is run. Name is the caller's private name under the common
// directory. It starts no process where the repository is the caller's own.
func Find(git gitcmd.Runner, name string, now func() time.Time) (*Place, error) {
	found, err := discover(git.Dir, git.Env)
	if err != nil {
		return nil, err
	}
	git.Env = found.pin(git.Env)
	found.Git, found.Name, found.Now = &git, name, now
	return &found, nil
}

// With is the same place with another way to run git.
func (r *Place) With(git gitcmd.Runner) *Place {
	other := *r
	other.Git = &git
	return &other
}

// Bare tells whether the repository is configured to have no work tree.
func (r *Place) Bare() bool { return r.Format.Bare && r.WorkTree == "" }

// WorktreeID names the work tree within its repository: "" the main one, else
// the name git gave to the linked one.
func (r *Place) WorktreeID() string {
	id, err := filepath.Rel(filepath.Join(r.CommonDir, "worktrees"), r.GitDir)
	if err != nil || id == "." || strings.HasPrefix(id, "..") || strings.ContainsRune(id, filepath.Separator) {
		return ""
	}
	return id
}

// CacheDir is the directory for what can be rebuilt. It need not exist.
func (r *Place) CacheDir() string { return filepath.Join(r.CommonDir, r.Name) }

// Shallow tells whether history was cut off here by a shallow clone or fetch.
func (r *Place) Shallow() bool {
	info, err := os.Stat(filepath.Join(r.CommonDir, "shallow"))
	return err == nil && info.Size() > 0
}

// Mkdir makes one directory, with the permissions of a shared repository.
func (r *Place) Mkdir(path string) error {
	err := os.Mkdir(path, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil || r.Format.Share.mode == 0 {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Chmod(path, r.Format.Share.dir(info.Mode().Perm()))
}

// MakeDirs makes a directory below the common directory with its parents,
// and gives those that gained an entry.
func (r *Place) MakeDirs(dir string) ([]string, error) {
	if gitfile.IsDir(dir) {
		return nil, nil
	}
	parent := filepath.Dir(dir)
	if parent == dir || dir == r.CommonDir {
		return nil, fs.ErrNotExist
	}
	changed, err := r.MakeDirs(parent)
	if err != nil {
		return nil, err
	}
	if err := r.Mkdir(dir); err != nil {
		return nil, err
	}
	return append(changed, parent), nil
}

// MakeDir makes a directory below CommonDir with its parents, as git makes its
// own here. One that is there is no error.
func (r *Place) MakeDir(dir string) error {
	_, err := r.MakeDirs(dir)
	return err
}

// Share gives a file that was just made what the others of a shared repository
// (core.sharedRepository) need. On somebody else's file it fails.
func (r *Place) Share(file *os.File) error { return r.Format.Share.Apply(file) }

// pin makes the location variables absolute, so that git finds the same
// repository wherever it is run.
func (r *Place) pin(env gitcmd.Environ) gitcmd.Environ {
	var pinned []string
	if env.Get("GIT_DIR") != "" {
		pinned = append(pinned, "GIT_DIR="+r.GitDir)
	}
	if env.Get("GIT_WORK_TREE") != "" {
		pinned = append(pinned, "GIT_WORK_TREE="+r.WorkTree)
	}
	if env.Get("GIT_COMMON_DIR") != "" {
		pinned = append(pinned, "GIT_COMMON_DIR="+r.CommonDir)
	}
	if env.Get("GIT_OBJECT_DIRECTORY") != "" {
		pinned = append(pinned, "GIT_OBJECT_DIRECTORY="+r.ObjectDir)
	}
	return env.With(pinned...)
}

// RunsHere says why git, started in dir, an absolute directory, may run a program
// that the repository there names: as the end of a sentence, "" where it does not. It
// starts no process. Repositories whose directory is a trusted one, or below it, as
// those of linked work trees and submodules are, run what the user had them run; of
// any other the configuration and the hooks are somebody else's. Where git finds none,
// it runs nothing.
func RunsHere(dir string, environment []string, trusted ...string) string {
	// A shell goes up from a link as it is written, git as the system does.
	var dirs []string
	for _, d := range []string{dir, filepath.Clean(dir)} {
		if real, err := filepath.EvalSymlinks(d); err == nil && !slices.Contains(dirs, real) {
			dirs = append(dirs, real)
		}
	}
	if len(dirs) == 0 {
		return "the directory can't be read"
	}
	for _, d := range dirs {
		switch f, err := search(d, gitcmd.Environ(environment)); {
		case err != nil:
			return "it is not clear which repository git takes there"
		case f.gitDir != "" && !(liesIn(f.gitDir, trusted) && liesIn(f.common, trusted)):
			return "the repository there is not the session's own"
		}
	}
	return ""
}

// liesIn reports whether a path is one of some directories, or lies below one.
func liesIn(path string, dirs []string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && slices.ContainsFunc(dirs, func(dir string) bool {
		base, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(base, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// trustPatience is how long git may take to say whether it trusts a repository.
const trustPatience = 10 * time.Second

// checkOwner refuses a repository that git refuses because it belongs to
// somebody else, who could have planted it. As in git, paths are those that led
// here: the ".git" file, the work tree, the git directory. git itself is asked
// only where one of them is not the caller's: safe.directory may allow it.
func checkOwner(dir string, env gitcmd.Environ, paths ...string) error {
	foreign, _ := ParseBool(env.Get("GIT_TEST_ASSUME_DIFFERENT_OWNER"))
	for _, path := range paths {
		foreign = foreign || !ownedByCaller(path, env)
	}
	if !foreign {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), trustPatience)
	defer cancel()
	_, err := (&gitcmd.Runner{Dir: dir, Env: env}).Run(ctx, "rev-parse", "--git-dir")
	if refusal, ok := errors.AsType[*gitcmd.CommandError](err); ok {
		return fmt.Errorf("%w: %s", plumbing.ErrNotTrusted, strings.TrimPrefix(strings.TrimSpace(refusal.Stderr), "fatal: "))
	}
	if err != nil {
		return fmt.Errorf("open repository: %w", err)
	}
	return nil
}
