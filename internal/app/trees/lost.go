package trees

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// IsGone reports that there is no such directory any more, or that what git keeps of the tree in
// the repository is gone.
func (w Tree) IsGone() bool {
	_, err := os.Lstat(w.Dir)
	return errors.Is(err, fs.ErrNotExist) || w.isCutOff()
}

// isCutOff reports that the tree's file .git leads to a directory of work trees that is not there.
func (w Tree) isCutOff() bool {
	const most = 4096
	file, err := gitfile.OpenRegular(filepath.Join(w.Dir, ".git"))
	if err != nil {
		return false
	}
	defer file.Close()
	data, _ := io.ReadAll(io.LimitReader(file, most))
	name, is := strings.CutPrefix(string(data), "gitdir: ")
	name = filepath.FromSlash(strings.TrimRight(name, "\r\n"))
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.Dir, name)
	}
	_, err = os.Lstat(name)
	if !is || !errors.Is(err, fs.ErrNotExist) || filepath.Base(filepath.Dir(name)) != "worktrees" {
		return false
	}
	of, err := os.Stat(filepath.Dir(filepath.Dir(name)))
	mine, merr := os.Stat(w.common)
	return err == nil && merr == nil && os.SameFile(of, mine)
}

// putAside moves a directory away that is no tree of git's any more, with whatever is in it.
func (w *Tree) putAside() error {
	for n := 1; ; n++ {
		w.Aside = fmt.Sprintf("%s.lost-%d", w.Dir, n)
		if _, err := os.Lstat(w.Aside); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(w.Dir, w.Aside)
		} else if err != nil {
			return err
		}
	}
}

// takeAway takes away what a git left that was killed while it made the tree, and the locks
// of one that was killed while it worked there. No worker is there: its run is over, and so
// is its keeper.
func (a *Trees) takeAway(ctx context.Context, w Tree) error {
	if why, is := a.locked(ctx, w); is && why == " (initializing)" {
		_, err := bounded(ctx, a.Repo.Git, nil, "worktree", "remove", "-f", "-f", w.Dir)
		return err
	}
	if there := w.Check(ctx) == nil; !there {
		return nil
	}
	dir, err := w.Run(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
	}
	for _, lock := range []string{
		filepath.Join(dir, "index.lock"), filepath.Join(dir, "HEAD.lock"), filepath.Join(dir, "ORIG_HEAD.lock"),
		filepath.Join(a.Repo.CommonDir, filepath.FromSlash(string(w.Ref()))+".lock"),
	} {
		if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return w.comeBack(ctx)
}

// comeBack has the tree stand on its branch again, with nothing else, where a run was killed while it
// looked at what a merge makes. What a worker has left there, or checked out, stays.
func (w Tree) comeBack(ctx context.Context) error {
	if _, err := os.Lstat(w.fresh); err == nil {
		return w.OnBranch(ctx)
	}
	head, err := w.Run(ctx, "rev-parse", "--symbolic-full-name", "HEAD")
	if err != nil || head != "HEAD" {
		return err
	}
	at, err := w.Run(ctx, "rev-parse", "HEAD^{commit}", w.Branch+"^{commit}")
	if here, there, _ := strings.Cut(at, "\n"); err == nil && here == there {
		return w.checkout(ctx, string(w.Ref()), w.Branch)
	}
	return err
}
