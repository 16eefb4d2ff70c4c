package trees

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// Tree is the linked work tree of a phase, on a branch of its own.
type Tree struct {
	Dir    string
	Branch string // short
	Prompt string // a file beside it, which the worker may be told its work by
	Aside  string // where a directory went that git knew nothing of any more; "": there was none
	git    *gitstore.Git
	common string // the repository's common directory
	fresh  string // a file beside it, which is there while the tree holds a commit that is looked at
}

// Ref is the full name of its branch.
func (w Tree) Ref() gitstore.RefName { return gitstore.RefName("refs/heads/" + w.Branch) }

// Run runs git in the tree, and gives what it printed without the last line's end.
func (w Tree) Run(ctx context.Context, args ...string) (string, error) {
	out, err := bounded(ctx, w.git, nil, args...)
	return strings.TrimRight(string(out), "\n"), err
}

// checkout has the tree stand on a branch, or at a commit, which HEAD then names. What a hook
// makes of it is told once, where the tree is made.
func (w Tree) checkout(ctx context.Context, head string, args ...string) error {
	_, err := w.Run(ctx, slices.Concat([]string{"checkout", "-q"}, args, []string{"--"})...)
	if err != nil && w.stands(ctx, head) {
		return nil
	}
	return err
}

// stands reports whether the tree's HEAD is a branch, by its full name, or a commit.
func (w Tree) stands(ctx context.Context, head string) bool {
	args := []string{"rev-parse", "HEAD"}
	if strings.HasPrefix(head, "refs/") {
		args = []string{"symbolic-ref", "HEAD"}
	}
	at, err := w.Run(ctx, args...)
	return err == nil && at == head
}

// Check refuses what is not the work tree that it should be: a worker would work elsewhere.
func (w Tree) Check(ctx context.Context) error {
	top, err := w.Run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return clone.Refuse("move it away", "%s is no work tree of this repository: %v", w.Dir, err)
	}
	want, err := filepath.EvalSymlinks(w.Dir)
	if err != nil {
		return err
	}
	if have, err := filepath.EvalSymlinks(filepath.FromSlash(top)); err != nil || have != want {
		return clone.Refuse("move it away", "%s is no work tree: git is at work in %s", w.Dir, top)
	}
	return nil
}

// Fresh has the tree hold a commit, the whole of it, and nothing else: a file that was hidden
// from git's looks is as the commit has it, too, one that is ignored is gone, and so are settings
// of this tree alone. index is where its index is.
func (w Tree) Fresh(ctx context.Context, commit string) (index string, err error) {
	if err := os.WriteFile(w.fresh, nil, 0o666); err != nil {
		return "", err
	}
	if err := w.checkout(ctx, commit, "--detach", commit); err != nil {
		return "", err
	}
	index, err = w.Run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return "", err
	}
	index = filepath.FromSlash(index)
	for _, name := range []string{"index", "config.worktree", "info/sparse-checkout"} {
		if err := os.Remove(filepath.Join(filepath.Dir(index), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if _, err = w.Run(ctx, "-c", "core.sparseCheckout=false", "read-tree", "--reset", "-u", commit); err != nil {
		return "", err
	}
	_, err = w.Run(ctx, "clean", "-q", "-d", "-x", "-f", "-f")
	return index, err
}

// Unlike does something in a tree that was made fresh, and names the files that are not as the
// commit has them afterwards. What is new beside them may stay: it is never merged.
func (w Tree) Unlike(ctx context.Context, index, commit string, do func() error) (string, error) {
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
	return w.Run(ctx, "diff", "--name-only", "--no-ext-diff", "--ignore-submodules=dirty", commit, "--")
}

// OnBranch has the tree stand on its branch, with nothing beside what is committed there,
// repositories that the commands made among it: a worker's own were refused before.
// The runner alone leaves it elsewhere: it looks at what a merge would make.
func (w Tree) OnBranch(ctx context.Context) error {
	if err := w.checkout(ctx, string(w.Ref()), "-f", w.Branch); err != nil {
		return err
	}
	if _, err := w.Run(ctx, "clean", "-q", "-d", "-f", "-f"); err != nil {
		return err
	}
	_ = os.Remove(w.fresh) // where it stays, this is done again
	return nil
}
