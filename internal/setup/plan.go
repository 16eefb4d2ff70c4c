package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task/linemerge"
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
	// mode is that of a file that is made, under the umask; 0: 0666.
	mode fs.FileMode
	// lock names the file that others take before they write this one; "" for
	// none.
	lock string
	// aside is a directory on the same volume, for most, where nobody sees what is left of
	// a file when git brew is killed; "" for the file's own.
	aside string
	// Text is what kind of the plugin's texts it is, as plugin.Skills; "" for none.
	Text string
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

// Diff is the change as git would show it.
func (c Change) Diff() string {
	if c.MovedFrom != "" {
		return "rename to " + c.Name + "\n"
	}
	from, to := "a/"+c.Name, "b/"+c.Name
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	return linemerge.Unified(from, to, c.Before, c.After)
}

// Plan is what is to be done, in order.
type Plan struct {
	Changes []Change
	// Remarks say what was left alone, and why.
	Remarks []string
	// Kept are files that somebody changed, as they are and as they would be.
	Kept []Change
	// tidy are directories that go where they are empty in the end.
	tidy []string
	// caches can be rebuilt, and go with all that is in them.
	caches []string
	// alias: the name goes by which git's own commands read the notes.
	alias bool
	// locked runs what no other git brew shall run here at the same time.
	locked func(context.Context, func() error) error
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

func (w *planner) add(c Change) {
	c.Name, c.aside = w.name(c.Path), w.repo.CacheDir()
	if c.MovedFrom != "" || (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After) {
		w.Changes = append(w.Changes, c)
	}
}

func (w *planner) remark(format string, args ...any) {
	w.Remarks = append(w.Remarks, fmt.Sprintf(format, args...))
}

// read gives a file's contents, nil for none. A symbolic link, and a path that
// leads out of the repository, is errForeign.
func (w *planner) read(path string) ([]byte, error) {
	if err := w.inside(path); err != nil {
		return nil, err
	}
	data, _, err := readRegular(path)
	return data, err
}

// editable is read for a file that is to be edited; not ok where that is none of ours to
// edit, which is remarked with what follows from it, "" for nothing.
func (w *planner) editable(path, follows string) (before []byte, ok bool, err error) {
	before, err = w.read(path)
	if errors.Is(err, errForeign) {
		if follows != "" {
			w.remark("%s: %v; %s", w.name(path), err, follows)
		}
		return nil, false, nil
	}
	return before, err == nil, err
}

// inside refuses a path whose directory, links followed, is none, or neither in the
// work tree nor in the git directory.
func (w *planner) inside(path string) error {
	dir := filepath.Dir(path)
	for {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil && !gitfile.IsDir(real) {
			return fmt.Errorf("%w: %s is no directory", errForeign, w.name(dir))
		}
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
	for _, root := range []string{w.top, w.repo.CommonDir, w.repo.GitDir} {
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

// inTree reports a path in the work tree, which git may show.
func (w *planner) inTree(path string) bool {
	return w.top != "" && within(w.top, path) && !within(w.repo.CommonDir, path) && !within(w.repo.GitDir, path)
}

// name is how people know a path.
func (w *planner) name(path string) string {
	root, in := w.top, ""
	switch {
	case within(w.repo.CommonDir, path):
		root = w.repo.CommonDir
		if w.top != "" { // else the repository itself is the directory
			in = ".git"
		}
	case w.top == "" || !within(w.top, path):
		return path
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(filepath.Join(in, rel))
}

// Edit adds to a plan that a file of the work tree, named relative to its top,
// becomes what edit makes of it; nil stands for no file.
func (p *Plan) Edit(repo *gitstore.Repo, name string, edit func(before []byte) []byte) error {
	w := planner{Plan: *p, repo: repo, top: repo.WorkTree}
	if w.top == "" {
		return errors.New("there is no work tree here")
	}
	path := filepath.Join(w.top, filepath.FromSlash(name))
	before, err := w.read(path)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.add(Change{Path: path, Before: before, After: edit(before)})
	w.locked = repo.Locked
	*p = w.Plan
	return nil
}

// globbed is a path as a pattern that means it alone.
func globbed(path string) string {
	if os.PathSeparator == '\\' {
		return path // nothing is quoted in patterns there
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// textWord is what one of a kind is called.
func textWord(kind string) string { return strings.TrimSuffix(kind, "s") }
