package trees

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/runner"
)

// Mend takes back what a git left that was killed while it moved a branch to a commit: its locks,
// and, in the work tree dir that has the branch checked out, what is by now as the commit has it,
// was taken away, or was not written to its end. What is neither as the branch nor as the commit
// has it is somebody's, and stays. dir is "" where nothing was left.
func (a *Trees) Mend(ctx context.Context, branch string, from, to gitstore.OID) (dir string, err error) {
	lock := filepath.Join(a.Repo.CommonDir, "refs", "heads", filepath.FromSlash(branch)+".lock")
	if data, _ := readBegin(lock); strings.TrimSpace(string(data)) == to.String() {
		if err := os.Remove(lock); err != nil {
			return "", err
		}
	}
	if dir, err = a.checkedOut(ctx, branch); err != nil || dir == "" {
		return "", err
	}
	w := Tree{Dir: dir, Branch: branch, git: a.gitIn(dir)}
	w.git.Env = w.git.Env.With("GIT_OPTIONAL_LOCKS=0")
	if err := a.unlock(ctx, w, from, to); err != nil {
		return "", err
	}
	left, err := a.leftIn(ctx, w, from, to)
	if err != nil || len(left) == 0 {
		return "", err
	}
	return dir, w.takeBack(ctx, from, left)
}

// Behind is the work tree that has a branch checked out and did not go along as somebody moved that: what
// a commit there would have is as the branch was. "": there is none.
func (a *Trees) Behind(ctx context.Context, branch string, was, tip gitstore.OID) (dir string, err error) {
	if dir, err = a.checkedOut(ctx, branch); err != nil || dir == "" {
		return "", err
	}
	w := a.At(dir)
	old, err := w.Run(ctx, "diff-index", "--cached", "--name-only", was.String(), "--")
	if err != nil || old != "" {
		return "", err
	}
	if now, err := w.Run(ctx, "diff-index", "--cached", "--name-only", tip.String(), "--"); err != nil || now == "" {
		return "", err
	}
	return dir, nil
}

// At is a work tree of the repository that is no phase's.
func (a *Trees) At(dir string) Tree {
	w := Tree{Dir: dir, git: a.gitIn(dir)}
	w.git.Env = w.git.Env.With("GIT_OPTIONAL_LOCKS=0")
	return w
}

// readBegin reads the first bytes of a file, as many as a ref has.
func readBegin(path string) ([]byte, error) {
	const most = 100
	file, err := gitfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

const (
	// deadAfter is how old a lock is at least that is taken for one of a git that was killed, and
	// lockPatience how long one is waited for that a git has open.
	deadAfter    = 3 * time.Second
	lockPatience = 30 * time.Second
)

// unlock takes away the locks of the tree that a git left which was killed while it merged a commit.
// One that has anything else in it is somebody's.
func (a *Trees) unlock(ctx context.Context, w Tree, from, to gitstore.OID) error {
	dir, err := w.Run(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
	}
	for _, name := range []string{"index.lock", "ORIG_HEAD.lock", "HEAD.lock"} {
		path := filepath.Join(filepath.FromSlash(dir), name)
		if err := a.awaitDead(ctx, path); err != nil {
			return err
		}
		data, err := readBegin(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && name == "index.lock" && len(data) > 0 {
			in := *w.git
			in.Env = in.Env.With("GIT_INDEX_FILE=" + path)
			_, err = bounded(ctx, &in, nil, "diff-index", "--cached", "--quiet", to.String(), "--")
			data = nil
		}
		if said := strings.TrimSpace(string(data)); err != nil || said != "" && said != from.String() {
			return lockedError(path)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

func lockedError(path string) error {
	return clone.Refuse("end the git that has it; where there is none, take the lock away",
		"%s keeps what is merged out: it is a lock that another git has, or one that was killed", path)
}

// awaitDead waits until a lock is gone, or old, and open in no process.
func (a *Trees) awaitDead(ctx context.Context, path string) error {
	const pause = 50 * time.Millisecond
	for range lockPatience / pause {
		at, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case a.Repo.Now().Sub(at.ModTime()).Abs() > deadAfter && !runner.IsOpen(path):
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	return lockedError(path)
}
