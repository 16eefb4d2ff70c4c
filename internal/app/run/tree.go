package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// tree is the linked work tree of a phase, on a branch of its own.
type tree struct {
	dir    string
	branch string // short
	prompt string // a file beside it, which the worker may be told its work by
	git    *gitstore.Git
}

func (w tree) ref() gitstore.RefName { return gitstore.RefName("refs/heads/" + w.branch) }

// run runs git in the tree, and gives what it printed without the last line's end.
func (w tree) run(ctx context.Context, args ...string) (string, error) {
	out, err := w.git.Run(ctx, args...)
	return strings.TrimRight(string(out), "\n"), err
}

// trees are the work trees of a task's phases.
type trees struct {
	repo *gitstore.Repo
	id   task.ID
}

// of is where the tree of a phase is, or would be: beside the main work tree, for
// tools pass over what lies inside of .git.
func (a *trees) of(p task.Phase) tree {
	main := a.repo.CommonDir
	if filepath.Base(main) == ".git" {
		main = filepath.Dir(main)
	}
	dir := filepath.Join(main+".trees", string(a.id), p.ID)
	return tree{
		dir: dir, branch: "brew/" + string(a.id) + "/" + p.ID, git: a.repo.GitIn(dir),
		prompt: filepath.Join(filepath.Dir(dir), ".prompt-"+p.ID+".md"),
	}
}

// make makes the tree of a phase, or takes the one that is there. Its branch begins
// at a commit.
func (a *trees) make(ctx context.Context, p task.Phase, start string) (tree, error) {
	w := a.of(p)
	git := a.repo.Git
	_, err := a.repo.Refs.Get(ctx, w.ref())
	isNew := errors.Is(err, gitstore.ErrNotExist)
	if err != nil && !isNew {
		return w, err
	}
	if err := a.takeAway(ctx, w); err != nil {
		return w, err
	}
	if _, err := os.Stat(w.dir); err != nil {
		if err := os.MkdirAll(filepath.Dir(w.dir), 0o777); err != nil {
			return w, err
		}
		args := []string{"worktree", "add", "-q", "-f", w.dir, w.branch}
		if isNew {
			args = []string{"worktree", "add", "-q", "-f", "-b", w.branch, w.dir, start}
		}
		if _, err := git.Run(ctx, args...); err != nil {
			return w, fmt.Errorf("make a work tree for phase %s: %w", p.ID, err)
		}
	}
	return w, w.check(ctx)
}

// takeAway takes away what a git left that was killed while it made the tree, and the lock
// of one that was killed while it worked there. No worker is there: its run is over, and so
// is its keeper.
func (a *trees) takeAway(ctx context.Context, w tree) error {
	out, err := a.repo.Git.Run(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(string(out), "\n\n") {
		if strings.HasPrefix(entry, "worktree "+filepath.ToSlash(w.dir)+"\n") &&
			strings.Contains(entry, "locked initializing") {
			_, err := a.repo.Git.Run(ctx, "worktree", "remove", "-f", "-f", w.dir)
			return err
		}
	}
	dir, err := w.run(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil || w.check(ctx) != nil {
		return nil // there is no tree
	}
	if err := os.Remove(filepath.Join(dir, "index.lock")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.comeBack(ctx)
}

// comeBack has the tree stand on its branch again, where a run was killed while it looked
// at what a merge makes. What a worker has checked out stays.
func (w tree) comeBack(ctx context.Context) error {
	head, err := w.run(ctx, "rev-parse", "--symbolic-full-name", "HEAD")
	if err != nil || head != "HEAD" {
		return err
	}
	at, err := w.run(ctx, "rev-parse", "HEAD^{commit}", w.branch+"^{commit}")
	if err != nil {
		return err
	}
	message, err := w.run(ctx, "log", "-1", "--format=%B")
	if err != nil {
		return err
	}
	switch here, there, _ := strings.Cut(at, "\n"); {
	case strings.Contains(message, "\nBrew-Phase: "):
		return w.onBranch(ctx)
	case here == there: // with whatever a worker has left there
		_, err = w.run(ctx, "checkout", "-q", w.branch, "--")
	}
	return err
}

// check refuses what is not the work tree that it should be: a worker would work elsewhere.
func (w tree) check(ctx context.Context) error {
	top, err := w.run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return clone.Refuse("move it away", "%s is no work tree of this repository: %v", w.dir, err)
	}
	want, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		return err
	}
	if have, err := filepath.EvalSymlinks(filepath.FromSlash(top)); err != nil || have != want {
		return clone.Refuse("move it away", "%s is no work tree: git is at work in %s", w.dir, top)
	}
	return nil
}

// fresh has the tree hold a commit, and nothing else that git knows of: a file that was
// hidden from git's looks is as the commit has it, too.
func (w tree) fresh(ctx context.Context, commit string) error {
	if _, err := w.run(ctx, "checkout", "-q", "--detach", commit, "--"); err != nil {
		return err
	}
	index, err := w.run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.FromSlash(index)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = w.run(ctx, "read-tree", "--reset", "-u", commit)
	return err
}

// onBranch has the tree stand on its branch, with nothing beside what is committed there.
// The runner alone leaves it elsewhere: it looks at what a merge would make.
func (w tree) onBranch(ctx context.Context) error {
	if _, err := w.run(ctx, "checkout", "-q", "-f", w.branch, "--"); err != nil {
		return err
	}
	_, err := w.run(ctx, "clean", "-q", "-d", "-f")
	return err
}

// remove takes away a tree, and its branch, where that is still at a commit and nobody else
// has it checked out: else somebody goes on with it.
func (a *trees) remove(ctx context.Context, w tree, at gitstore.OID) error {
	if tip, err := a.repo.Refs.Get(ctx, w.ref()); err != nil || tip != at {
		return errors.Join(err, fmt.Errorf("%s has moved since it was merged, and stays, with %s", w.branch, w.dir))
	}
	if _, err := os.Stat(w.dir); err == nil {
		if _, err := a.repo.Git.Run(ctx, "worktree", "remove", "-f", w.dir); err != nil {
			return err
		}
	}
	if dir, err := a.checkedOut(ctx, w.branch); err != nil || dir != "" {
		return errors.Join(err, fmt.Errorf("%s is checked out in %s, and stays", w.branch, dir))
	}
	_ = os.Remove(w.prompt)            // there may be none
	_ = os.Remove(filepath.Dir(w.dir)) // where it was the last one of the task
	_ = os.Remove(filepath.Dir(filepath.Dir(w.dir)))
	return a.repo.Branches.Delete(ctx, w.branch, at)
}

// where says where a commit is, as seen from another one.
type where int

const (
	contained where = iota // it leads to the other one
	ahead                  // it goes on from the other one
	elsewhere              // it is another line
	missing                // it is not here
)

// has says where a commit is, as seen from a tip.
func (a *trees) has(ctx context.Context, tip, commit gitstore.OID) (where, error) {
	if there, err := a.repo.Objects.Has(ctx, commit); err != nil || !there {
		return missing, err
	}
	if is, err := a.repo.History.IsAncestor(ctx, commit, tip); err != nil || is {
		return contained, err
	}
	if is, err := a.repo.History.IsAncestor(ctx, tip, commit); err != nil || is {
		return ahead, err
	}
	return elsewhere, nil
}

// sweep takes away the trees and branches of phases that are completed, whose run was ended
// before it could.
func (a *trees) sweep(ctx context.Context, t task.Task, tip gitstore.OID) error {
	for _, p := range t.Phases {
		if p.Status != task.PhaseCompleted || len(p.Turns) == 0 {
			continue
		}
		w := a.of(p)
		at, err := a.repo.Refs.Get(ctx, w.ref())
		if errors.Is(err, gitstore.ErrNotExist) {
			continue
		}
		merged := false
		if err == nil {
			merged, err = a.repo.History.IsAncestor(ctx, at, tip)
		}
		if err == nil && merged {
			err = a.remove(ctx, w, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkedOut is the work tree that has a branch checked out, "" for none.
func (a *trees) checkedOut(ctx context.Context, branch string) (string, error) {
	out, err := a.repo.Git.Run(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return "", err
	}
	dir := ""
	for line := range bytes.SplitSeq(out, []byte{0}) {
		name, value, _ := strings.Cut(string(line), " ")
		switch {
		case name == "worktree":
			dir = value
		case name == "branch" && value == "refs/heads/"+branch:
			return dir, nil
		}
	}
	return "", nil
}
