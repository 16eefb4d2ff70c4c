package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Change is one file as it is and as it is to be.
type Change struct {
	// Path is absolute, Name is how people know it: relative to the work tree,
	// or to the git directory, which is then called .git.
	Path, Name string
	// About says what the change does, for people.
	About string
	// Before and After are its contents; nil: no such file.
	Before, After []byte
	// MovedFrom is set on a file that is only moved.
	MovedFrom string
	// mode is the mode of a file that is made; 0: 0666 under the umask.
	mode fs.FileMode
	// lock names the file that others take before they write this one; "" for
	// none.
	lock string
	// private: kept for git brew itself, not worth showing.
	private bool
}

// Kind says what happens to the file: create, change, remove or move.
func (c Change) Kind() string {
	switch {
	case c.MovedFrom != "":
		return "move"
	case c.Before == nil:
		return "create"
	case c.After == nil:
		return "remove"
	}
	return "change"
}

// Plan is what is to be done, in order.
type Plan struct {
	Changes []Change
	// Remarks say what was left alone, and why.
	Remarks []string
	// tidy are directories that go where they are empty in the end.
	tidy []string
	// caches can be rebuilt, and go with all that is in them.
	caches []string
	// alias: the name goes by which git's own commands read the notes.
	alias bool
}

// Refs are the names that go beside the files; none is a record.
func (p Plan) Refs() []gitstore.RefName {
	if p.alias {
		return []gitstore.RefName{ledger.NotesAlias}
	}
	return nil
}

// Whole: nothing of what was set up stays, of other work trees neither.
func (p Plan) Whole() bool { return len(p.caches) > 0 }

// Empty says that there is nothing to do.
func (p Plan) Empty() bool { return len(p.Changes) == 0 }

// Visible are the changes that concern a person.
func (p Plan) Visible() []Change {
	var found []Change
	for _, c := range p.Changes {
		if !c.private {
			found = append(found, c)
		}
	}
	return found
}

func (p *Plan) add(c Change) {
	if c.MovedFrom != "" || (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After) {
		p.Changes = append(p.Changes, c)
	}
}

func (p *Plan) remark(format string, args ...any) {
	p.Remarks = append(p.Remarks, fmt.Sprintf(format, args...))
}

// ErrChanged: a file is not what it was when the plan was made.
var ErrChanged = errors.New("it changed meanwhile; try again")

// maxFile bounds the files that are edited, in bytes.
const maxFile = 8 << 20

// errForeign: a file that is none of ours to edit; the text says why.
var errForeign = errors.New("left alone")

// place is where a plan works.
type place struct {
	repo *gitstore.Repo
	top  string // of the work tree; "" in a bare repository
	// namespace is what the names of records begin with on remotes; "" means
	// ledger.Prefix.
	namespace string
}

// read gives a file's contents, nil for none. A symbolic link, and a path that
// leads out of the repository, is errForeign.
func (w place) read(path string) ([]byte, error) {
	if err := w.inside(path); err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%w: it is a symbolic link", errForeign)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: it is no file", errForeign)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%w: it is larger than 8 MiB", errForeign)
	}
	data, err := gitfile.ReadFile(path)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// inside refuses a path whose directory, links followed, is neither in the
// work tree nor in the git directory.
func (w place) inside(path string) error {
	dir := filepath.Dir(path)
	for {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			dir = real
			break
		}
		if _, lerr := os.Lstat(dir); lerr == nil {
			return fmt.Errorf("%w: %s leads nowhere", errForeign, dir)
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		return err
	}
	for _, root := range []string{w.top, w.repo.CommonDir(), w.repo.GitDir()} {
		if root == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(root); err == nil && within(real, dir) {
			return nil
		}
	}
	return fmt.Errorf("%w: it is outside this repository", errForeign)
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// name is how people know a path.
func (w place) name(path string) string {
	if within(w.repo.CommonDir(), path) {
		rel, err := filepath.Rel(w.repo.CommonDir(), path)
		if err == nil {
			if w.top == "" { // bare: the repository itself is the directory
				return filepath.ToSlash(rel)
			}
			return filepath.ToSlash(filepath.Join(".git", rel))
		}
	}
	if w.top != "" && within(w.top, path) {
		if rel, err := filepath.Rel(w.top, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// ErrNoWorkTree: the repository has no files to edit.
var ErrNoWorkTree = errors.New("there is no work tree here")

// Edit adds to a plan that a file of the work tree, named relative to its top,
// becomes what edit makes of it; nil stands for no file.
func (p *Plan) Edit(repo *gitstore.Repo, name string, edit func(before []byte) []byte) error {
	w := place{repo: repo, top: repo.WorkTree()}
	if w.top == "" {
		return ErrNoWorkTree
	}
	path := filepath.Join(w.top, filepath.FromSlash(name))
	before, err := w.read(path)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.add(Change{Path: path, Name: w.name(path), Before: before, After: edit(before)})
	return nil
}
