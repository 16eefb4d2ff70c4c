package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Somebody else's repository is opened where git itself would, and only there.
func TestOpen_somebodyElses(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("worktree", "add", "-q", "-b", "side", filepath.Join(f.Root, "linked"))
	f.In(f.Root).Git("init", "-q", "--bare", "bare.git")
	trace := traceProcesses(f)
	f.Open()
	equal(t, "processes to open one's own", trace.count("rev-parse"), 0)
	f.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	for _, dir := range []string{"repo", "repo/.git", "linked", "bare.git"} {
		at := f.In(filepath.Join(f.Root, dir))
		_, gitErr := at.TryGit("rev-parse", "--git-dir")
		_, err := at.TryOpen(gitstore.Options{})
		if gitErr == nil || !errors.Is(err, gitstore.ErrNotTrusted) || !strings.Contains(err.Error(), "safe.directory") {
			t.Errorf("%s: git says %v, we say %v", dir, gitErr, err)
		}
	}
	at := f.In(filepath.Join(f.Root, "home"))
	at.Setenv("GIT_DIR", "../repo/.git")
	at.Open()
	f.In(f.Home).Git("config", "--global", "safe.directory", "*")
	f.Open()
}

func TestOpen_ofAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	t.Parallel()
	const other = 12345
	for _, path := range []string{"repo", "repo/.git", "linked", "linked/.git", "repo/.git/worktrees/linked"} {
		f := gitstoretest.New(t)
		f.Git("worktree", "add", "-q", "-b", "side", filepath.Join(f.Root, "linked"))
		noError(t, os.Lchown(filepath.Join(f.Root, path), other, other))
		for _, sudo := range []string{"", strconv.Itoa(other)} {
			f.Setenv("SUDO_UID", sudo)
			for _, dir := range []string{"repo", "linked"} {
				at := f.In(filepath.Join(f.Root, dir))
				_, gitErr := at.TryGit("rev-parse", "--git-dir")
				_, err := at.TryOpen(gitstore.Options{})
				if (gitErr == nil) != (err == nil) {
					t.Errorf("%s from %s, sudo %q: git says %v, we say %v", path, dir, sudo, gitErr, err)
				}
			}
		}
		noError(t, os.Lchown(filepath.Join(f.Root, path), 0, 0))
	}
}
