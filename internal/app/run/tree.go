package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// asStored has git take commits as they are stored, whatever 'git replace' made of them.
const asStored = "GIT_NO_REPLACE_OBJECTS=1"

// git runs in the repository of the run.
func (a *trees) git() *gitstore.Git {
	git := *a.repo.Git
	git.Env = git.Env.With(asStored)
	return &git
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
	git := a.repo.GitIn(dir)
	git.Env = git.Env.With(asStored)
	return tree{
		dir: dir, branch: "brew/" + string(a.id) + "/" + p.ID, git: git,
		prompt: filepath.Join(filepath.Dir(dir), ".prompt-"+p.ID+".md"),
	}
}

// make makes the tree of a phase, or takes the one that is there. Its branch begins
// at a commit.
func (a *trees) make(ctx context.Context, p task.Phase, start string) (tree, error) {
	w := a.of(p)
	git := a.git()
	_, err := a.repo.Refs.Get(ctx, w.ref())
	isNew := errors.Is(err, gitstore.ErrNotExist)
	if err != nil && !isNew {
		return w, err
	}
	_, err = os.Stat(w.dir)
	isThere := err == nil
	if isThere || !isNew { // git makes the branch first
		if err := a.takeAway(ctx, w); err != nil {
			return w, err
		}
		_, err = os.Stat(w.dir)
		isThere = err == nil
	}
	if !isThere {
		if err := os.MkdirAll(filepath.Dir(w.dir), 0o777); err != nil {
			return w, err
		}
		args := []string{"worktree", "add", "-q", "-f", w.dir, w.branch}
		if isNew {
			args = []string{"worktree", "add", "-q", "-f", "-b", w.branch, w.dir, start}
		}
		if _, err := git.Run(ctx, args...); err != nil {
			return w, a.whyNoTree(ctx, w, p, err)
		}
	}
	return w, w.check(ctx)
}

// hookError says that the tree is made, and that a hook of git's failed after it.
type hookError struct{ error }

// whyNoTree says why git did not make a tree: it did, and a hook failed; or a person has
// locked the one that was there.
func (a *trees) whyNoTree(ctx context.Context, w tree, p task.Phase, err error) error {
	if w.check(ctx) == nil && w.stands(ctx, string(w.ref())) {
		return hookError{fmt.Errorf("git's hook post-checkout failed in %s: %s", w.dir, lastLine(err.Error()))}
	}
	if why, is := a.locked(ctx, w); is {
		return clone.Refuse("'git worktree unlock "+w.dir+"', or put the directory back where it was",
			"the work tree of phase %s is locked%s, and is not there", p.ID, why)
	}
	return fmt.Errorf("make a work tree for phase %s: %w", p.ID, err)
}

// takeAway takes away what a git left that was killed while it made the tree, and the lock
// of one that was killed while it worked there. No worker is there: its run is over, and so
// is its keeper.
func (a *trees) takeAway(ctx context.Context, w tree) error {
	if why, is := a.locked(ctx, w); is && why == " (initializing)" {
		_, err := a.repo.Git.Run(ctx, "worktree", "remove", "-f", "-f", w.dir)
		return err
	}
	if there := w.check(ctx) == nil; !there {
		return nil
	}
	dir, err := w.run(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
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
		return w.checkout(ctx, string(w.ref()), w.branch)
	}
	return err
}

// checkout has the tree stand on a branch, or at a commit, which HEAD then names. What a hook
// makes of it is told once, where the tree is made.
func (w tree) checkout(ctx context.Context, head string, args ...string) error {
	_, err := w.run(ctx, slices.Concat([]string{"checkout", "-q"}, args, []string{"--"})...)
	if err != nil && w.stands(ctx, head) {
		return nil
	}
	return err
}

// stands reports whether the tree's HEAD is a branch, by its full name, or a commit.
func (w tree) stands(ctx context.Context, head string) bool {
	args := []string{"rev-parse", "HEAD"}
	if strings.HasPrefix(head, "refs/") {
		args = []string{"symbolic-ref", "HEAD"}
	}
	at, err := w.run(ctx, args...)
	return err == nil && at == head
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

// fresh has the tree hold a commit, the whole of it, and nothing else: a file that was hidden
// from git's looks is as the commit has it, too, one that is ignored is gone, and so are settings
// of this tree alone. index is where its index is.
func (w tree) fresh(ctx context.Context, commit string) (index string, err error) {
	if err := w.checkout(ctx, commit, "--detach", commit); err != nil {
		return "", err
	}
	index, err = w.run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return "", err
	}
	index = filepath.FromSlash(index)
	for _, name := range []string{"index", "config.worktree", "info/sparse-checkout"} {
		if err := os.Remove(filepath.Join(filepath.Dir(index), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if _, err = w.run(ctx, "-c", "core.sparseCheckout=false", "read-tree", "--reset", "-u", commit); err != nil {
		return "", err
	}
	_, err = w.run(ctx, "clean", "-q", "-d", "-x", "-f", "-f")
	return index, err
}

// unlike does something in a tree that was made fresh, and names the files that are not as the
// commit has them afterwards. What is new beside them may stay: it is never merged.
func (w tree) unlike(ctx context.Context, index, commit string, do func() error) (string, error) {
	was, err := os.ReadFile(index)
	if err != nil {
		return "", err
	}
	at, err := os.Stat(index)
	if err != nil {
		return "", err
	}
	if err := do(); err != nil {
		return "", err
	}
	if err := os.Remove(index); err != nil && !errors.Is(err, fs.ErrNotExist) { // what is there now may be a link
		return "", err
	}
	if err := os.WriteFile(index, was, 0o666); err != nil {
		return "", err
	}
	if err := os.Chtimes(index, at.ModTime(), at.ModTime()); err != nil { // by which git knows what is new
		return "", err
	}
	return w.run(ctx, "diff", "--name-only", "--no-ext-diff", "--ignore-submodules=dirty", commit, "--")
}

// onBranch has the tree stand on its branch, with nothing beside what is committed there,
// repositories that the commands made among it: a worker's own were refused before.
// The runner alone leaves it elsewhere: it looks at what a merge would make.
func (w tree) onBranch(ctx context.Context) error {
	if err := w.checkout(ctx, string(w.ref()), "-f", w.branch); err != nil {
		return err
	}
	_, err := w.run(ctx, "clean", "-q", "-d", "-f", "-f")
	return err
}
