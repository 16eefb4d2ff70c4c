// Package place finds a repository, and makes files in it: locks, caches, scratch
// directories.
package place

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// Place is a repository's place on the disk: where its parts are, and how git is run
// there.
type Place struct {
	layout
	Git  *gitcmd.Runner
	name string
	now  func() time.Time
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
	return &Place{layout: found, Git: &git, name: name, now: now}, nil
}

// With is the same place with another way to run git.
func (r *Place) With(git gitcmd.Runner) *Place {
	return &Place{layout: r.layout, Git: &git, name: r.name, now: r.now}
}

// Now is the clock's time.
func (r *Place) Now() time.Time { return r.now() }

// ObjectDir is where objects are, absolute.
func (r *Place) ObjectDir() string { return r.objectDir }

// GitDir is the directory that belongs to this work tree alone, absolute.
func (r *Place) GitDir() string { return r.gitDir }

// CommonDir is the directory that all work trees share, absolute.
func (r *Place) CommonDir() string { return r.commonDir }

// WorkTree is the top of the work tree, absolute; "" in a bare repository and
// inside a git directory.
func (r *Place) WorkTree() string { return r.workTree }

// Bare tells whether the repository is configured to have no work tree.
func (r *Place) Bare() bool { return r.Format.Bare && r.workTree == "" }

// WorktreeID names the work tree within its repository: "" the main one, else
// the name git gave to the linked one.
func (r *Place) WorktreeID() string {
	id, err := filepath.Rel(filepath.Join(r.commonDir, "worktrees"), r.gitDir)
	if err != nil || id == "." || strings.HasPrefix(id, "..") || strings.ContainsRune(id, filepath.Separator) {
		return ""
	}
	return id
}

// Name is the caller's private name under the common directory.
func (r *Place) Name() string { return r.name }

// CacheDir is the directory for what can be rebuilt. It need not exist.
func (r *Place) CacheDir() string { return filepath.Join(r.commonDir, r.name) }

// Dir is the directory that the repository was opened from, absolute.
func (r *Place) Dir() string { return r.Git.Dir }

// Shallow tells whether history was cut off here by a shallow clone or fetch.
func (r *Place) Shallow() bool {
	info, err := os.Stat(filepath.Join(r.commonDir, "shallow"))
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
	if parent == dir || dir == r.commonDir {
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

// layout is where the parts of a repository are; all paths are absolute.
type layout struct {
	gitDir    string
	commonDir string
	objectDir string
	workTree  string
	Format    Format
}

// pin makes the location variables absolute, so that git finds the same
// repository wherever it is run.
func (l layout) pin(env gitcmd.Environ) gitcmd.Environ {
	var pinned []string
	if env.Get("GIT_DIR") != "" {
		pinned = append(pinned, "GIT_DIR="+l.gitDir)
	}
	if env.Get("GIT_WORK_TREE") != "" {
		pinned = append(pinned, "GIT_WORK_TREE="+l.workTree)
	}
	if env.Get("GIT_COMMON_DIR") != "" {
		pinned = append(pinned, "GIT_COMMON_DIR="+l.commonDir)
	}
	if env.Get("GIT_OBJECT_DIRECTORY") != "" {
		pinned = append(pinned, "GIT_OBJECT_DIRECTORY="+l.objectDir)
	}
	return env.With(pinned...)
}
