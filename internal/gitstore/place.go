package gitstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// GitDir is the directory that belongs to this work tree alone, absolute.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir is the directory that all work trees share, absolute.
func (r *Repo) CommonDir() string { return r.commonDir }

// WorkTree is the top of the work tree, absolute; "" in a bare repository and
// inside a git directory.
func (r *Repo) WorkTree() string { return r.workTree }

// Bare tells whether the repository is configured to have no work tree.
func (r *Repo) Bare() bool { return r.format.bare && r.workTree == "" }

// WorktreeID names the work tree within its repository: "" the main one, else
// the name git gave to the linked one.
func (r *Repo) WorktreeID() string {
	id, err := filepath.Rel(filepath.Join(r.commonDir, "worktrees"), r.gitDir)
	if err != nil || id == "." || strings.HasPrefix(id, "..") || strings.ContainsRune(id, filepath.Separator) {
		return ""
	}
	return id
}

// Name is Options.Name.
func (r *Repo) Name() string { return r.name }

// CacheDir is the directory for what can be rebuilt. It need not exist.
func (r *Repo) CacheDir() string { return filepath.Join(r.commonDir, r.name) }

// Dir is the directory that the repository was opened from, absolute.
func (r *Repo) Dir() string { return r.dir }

// Shallow tells whether history was cut off here by a shallow clone or fetch.
func (r *Repo) Shallow() bool {
	info, err := os.Stat(filepath.Join(r.commonDir, "shallow"))
	return err == nil && info.Size() > 0
}

// makeDir makes one directory, with the permissions of a shared repository.
func (r *Repo) makeDir(path string) error {
	err := os.Mkdir(path, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil || r.format.share.mode == 0 {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Chmod(path, r.format.share.dir(info.Mode().Perm()))
}

// makeRefDirs makes a directory below the common directory with its parents,
// and gives those that gained an entry.
func (r *Repo) makeRefDirs(dir string) ([]string, error) {
	if isDir(dir) {
		return nil, nil
	}
	parent := filepath.Dir(dir)
	if parent == dir || dir == r.commonDir {
		return nil, fs.ErrNotExist
	}
	changed, err := r.makeRefDirs(parent)
	if err != nil {
		return nil, err
	}
	if err := r.makeDir(dir); err != nil {
		return nil, err
	}
	return append(changed, parent), nil
}

// MakeDir makes a directory below CommonDir with its parents, as git makes its
// own here. One that is there is no error.
func (r *Repo) MakeDir(dir string) error {
	_, err := r.makeRefDirs(dir)
	return err
}

// Share gives a file that was just made what the others of a shared repository
// (core.sharedRepository) need. On somebody else's file it fails.
func (r *Repo) Share(file *os.File) error { return r.format.share.apply(file) }

// layout is where the parts of a repository are; all paths are absolute.
type layout struct {
	gitDir    string
	commonDir string
	objectDir string
	workTree  string
	format    format
}

// pin makes the location variables absolute, so that git finds the same
// repository wherever it is run.
func (l layout) pin(env environ) environ {
	var pinned []string
	if env.get("GIT_DIR") != "" {
		pinned = append(pinned, "GIT_DIR="+l.gitDir)
	}
	if env.get("GIT_WORK_TREE") != "" {
		pinned = append(pinned, "GIT_WORK_TREE="+l.workTree)
	}
	if env.get("GIT_COMMON_DIR") != "" {
		pinned = append(pinned, "GIT_COMMON_DIR="+l.commonDir)
	}
	if env.get("GIT_OBJECT_DIRECTORY") != "" {
		pinned = append(pinned, "GIT_OBJECT_DIRECTORY="+l.objectDir)
	}
	return env.with(pinned...)
}
