// Package trees keeps the linked work trees of a task's phases, each on a branch of its own,
// in which workers are at work. It reads and changes branches and trees, and no record. What
// a worker did to its tree is no reason to believe it.
package trees

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// AsStored is the variable that has git take commits as they are stored, whatever 'git replace'
// made of them.
const AsStored = "GIT_NO_REPLACE_OBJECTS=1"

// Trees are the work trees of a task's phases.
type Trees struct {
	Repo *gitstore.Repo
	ID   task.ID
}

// git runs in the repository, gitIn in a directory.
func (a *Trees) git() *gitstore.Git {
	git := *a.Repo.Git
	git.Env = git.Env.With(AsStored)
	return &git
}

func (a *Trees) gitIn(dir string) *gitstore.Git {
	git := a.Repo.GitIn(dir)
	git.Env = git.Env.With(AsStored)
	return git
}

// How long git may take: with what checks files out, with the rest, and with all that takes back what
// one left that was ended as a run was.
const (
	checkoutLimit = 10 * time.Minute
	plainLimit    = 2 * time.Minute
	mendLimit     = 10 * time.Second
)

func limitOf(args []string) time.Duration {
	switch gitcmd.CommandName(args) {
	case "worktree", "checkout", "merge", "read-tree", "clean", "restore":
		return checkoutLimit
	}
	return plainLimit
}

// bounded runs git, and ends it, with what it started, where it takes too long.
func bounded(ctx context.Context, git *gitstore.Git, stdin []byte, args ...string) ([]byte, error) {
	return git.Within(ctx, limitOf(args), stdin, args...)
}

// Main is the repository as a tree in which git compares commits; it has no branch.
func (a *Trees) Main() Tree { return Tree{git: a.git()} }

// Of is where the tree of a phase is, or would be.
func (a *Trees) Of(p task.Phase) Tree {
	dir := worktree.Handed(a.Repo.CommonDir, a.ID, p.ID)
	return Tree{
		Dir: dir, Branch: "brew/" + string(a.ID) + "/" + p.ID, git: a.gitIn(dir),
		Prompt: filepath.Join(filepath.Dir(dir), ".prompt-"+p.ID+".md"), common: a.Repo.CommonDir,
		fresh: filepath.Join(filepath.Dir(dir), ".fresh-"+p.ID),
	}
}

// Make makes the tree of a phase, or takes the one that is there. Its branch begins
// at a commit.
func (a *Trees) Make(ctx context.Context, p task.Phase, start string) (Tree, error) {
	w := a.Of(p)
	_, err := a.Repo.Refs.Get(ctx, w.Ref())
	isNew := errors.Is(err, gitstore.ErrNotExist)
	if err != nil && !isNew {
		return w, err
	}
	if w.isCutOff() {
		if err := w.putAside(); err != nil {
			return w, err
		}
	}
	_, err = os.Stat(w.Dir)
	isThere := err == nil
	if isThere || !isNew { // git makes the branch first
		if err := a.takeAway(ctx, w); err != nil {
			return w, err
		}
		_, err = os.Stat(w.Dir)
		isThere = err == nil
	}
	if !isThere {
		_ = os.Remove(w.fresh) // there may be none
		if err := os.MkdirAll(filepath.Dir(w.Dir), 0o777); err != nil {
			return w, err
		}
		args := []string{"worktree", "add", "-q", "-f", w.Dir, w.Branch}
		if isNew {
			args = []string{"worktree", "add", "-q", "-f", "-b", w.Branch, w.Dir, start}
		}
		if _, err := bounded(ctx, a.git(), nil, args...); err != nil {
			return w, a.whyNoTree(ctx, w, p, err)
		}
	}
	return w, w.Check(ctx)
}

// HookError says that the tree is made, and that a hook of git's failed after it.
type HookError struct{ error }

// whyNoTree says why git did not make a tree: it did, and a hook failed; or a person has
// locked the one that was there.
func (a *Trees) whyNoTree(ctx context.Context, w Tree, p task.Phase, err error) error {
	if w.Check(ctx) == nil && w.stands(ctx, string(w.Ref())) {
		return HookError{fmt.Errorf("git's hook post-checkout failed in %s: %s", w.Dir, invisible.LastLine(err.Error()))}
	}
	if why, is := a.locked(ctx, w); is {
		return clone.Refuse("'git worktree unlock "+w.Dir+"', or put the directory back where it was",
			"the work tree of phase %s is locked%s, and is not there", p.ID, why)
	}
	return fmt.Errorf("make a work tree for phase %s: %w", p.ID, err)
}

// PutAway takes away the tree and the branch of a phase that workers had, where they hold nothing
// that does not lead to tip. It says why they stay, "" where they are gone.
func (a *Trees) PutAway(ctx context.Context, p task.Phase, tip gitstore.OID) (why string) {
	w := a.Of(p)
	at, err := a.Repo.Refs.Get(ctx, w.Ref())
	if errors.Is(err, gitstore.ErrNotExist) {
		return ""
	}
	merged := false
	if err == nil {
		merged, err = a.IsAncestor(ctx, at, tip)
	}
	if err != nil {
		return err.Error()
	}
	if !merged {
		return "commits that are not merged stay on " + w.Branch + ", in " + w.Dir
	}
	if p.Status != task.PhaseCompleted { // else its commands left what is there
		if open, err := w.Run(ctx, "status", "--porcelain", "--untracked-files=all"); err == nil && open != "" {
			return "what is not committed stays in " + w.Dir
		}
	}
	if err := a.Remove(ctx, w, at); err != nil {
		return err.Error()
	}
	return ""
}

// Remove takes away a tree, and its branch, where that is still at a commit and nobody else
// has it checked out: else somebody goes on with it.
func (a *Trees) Remove(ctx context.Context, w Tree, at gitstore.OID) error {
	if tip, err := a.Repo.Refs.Get(ctx, w.Ref()); err != nil || tip != at {
		return errors.Join(err, fmt.Errorf("%s has moved since it was merged, and stays, with %s", w.Branch, w.Dir))
	}
	if why, is := a.locked(ctx, w); is {
		return fmt.Errorf("%s is locked%s, and stays, with %s; 'git worktree unlock %s' lets the next run take them away",
			w.Dir, why, w.Branch, w.Dir)
	}
	dir, err := a.checkedOut(ctx, w.Branch)
	if err != nil {
		return err
	}
	if _, err := os.Stat(w.Dir); err == nil || dir == filepath.ToSlash(w.Dir) { // a git was killed that removed it
		if _, err := bounded(ctx, a.git(), nil, "worktree", "remove", "-f", w.Dir); err != nil {
			return err
		}
		if dir, err = a.checkedOut(ctx, w.Branch); err != nil {
			return err
		}
	}
	if dir != "" {
		return fmt.Errorf("%s is checked out in %s, and stays", w.Branch, dir)
	}
	_ = os.Remove(w.Prompt)            // there may be none
	_ = os.Remove(w.fresh)             // nor this
	_ = os.Remove(filepath.Dir(w.Dir)) // where it was the last one of the task
	_ = os.Remove(filepath.Dir(filepath.Dir(w.Dir)))
	return a.Repo.Branches.Delete(ctx, w.Branch, at)
}

type entry struct {
	dir, ref string
	locked   bool
	why      string // it is locked
}

func (a *Trees) list(ctx context.Context) (all []entry, err error) {
	out, err := bounded(ctx, a.git(), nil, "worktree", "list", "--porcelain", "-z")
	for line := range bytes.SplitSeq(out, []byte{0}) {
		name, value, _ := strings.Cut(string(line), " ")
		if name == "worktree" {
			all = append(all, entry{dir: value})
		}
		if len(all) == 0 {
			continue
		}
		switch last := &all[len(all)-1]; name {
		case "branch":
			last.ref = value
		case "locked":
			last.locked, last.why = true, value
		}
	}
	return all, err
}

// checkedOut is the work tree that has a branch checked out, "" for none.
func (a *Trees) checkedOut(ctx context.Context, branch string) (string, error) {
	all, err := a.list(ctx)
	for _, e := range all {
		if e.ref == "refs/heads/"+branch {
			return e.dir, err
		}
	}
	return "", err
}

// locked reports whether somebody locked a tree, with the reason in brackets.
func (a *Trees) locked(ctx context.Context, w Tree) (why string, is bool) {
	all, _ := a.list(ctx) // what git can't list, it says when it is asked for more
	for _, e := range all {
		if e.dir == filepath.ToSlash(w.Dir) && e.locked {
			if e.why != "" {
				why = " (" + invisible.Line(e.why) + ")"
			}
			return why, true
		}
	}
	return "", false
}
