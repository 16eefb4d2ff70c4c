package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Wherever a search starts, it ends where git's own ends.
func TestOpen_likeGit(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Write("sub/deep/file", "text")
	f.Git("worktree", "add", "-q", "-b", "side", filepath.Join(f.Root, "linked"))
	f.Git("init", "-q", "nested")
	noError(t, os.Symlink(filepath.Join(f.Dir, "sub"), filepath.Join(f.Root, "link")))
	f.In(f.Root).Git("init", "-q", "--bare", "bare.git")
	f.In(f.Root).Git("init", "-q", "elsewhere")
	f.In(f.Root).Git("init", "-q", "moved")
	f.In(filepath.Join(f.Root, "moved")).Git("config", "core.worktree", filepath.Join(f.Root, "elsewhere"))

	for _, c := range []struct {
		name string
		dir  string // below Root
		env  []string
	}{
		{name: "top", dir: "repo"},
		{name: "below", dir: "repo/sub/deep"},
		{name: "linked work tree", dir: "linked"},
		{name: "nested repository", dir: "repo/nested"},
		{name: "inside .git", dir: "repo/.git"},
		{name: "inside .git/refs", dir: "repo/.git/refs/heads"},
		{name: "inside a linked work tree's git dir", dir: "repo/.git/worktrees/linked"},
		{name: "symbolic link", dir: "link"},
		{name: "bare", dir: "bare.git"},
		{name: "inside bare", dir: "bare.git/objects"},
		{name: "core.worktree", dir: "moved"},
		{name: "GIT_DIR", dir: "home", env: []string{"GIT_DIR", "../repo/.git"}},
		{name: "GIT_DIR of a linked work tree", dir: "linked", env: []string{"GIT_DIR", "../repo/.git/worktrees/linked"}},
		{name: "GIT_DIR that is a file", dir: "home", env: []string{"GIT_DIR", "../linked/.git"}},
		{name: "GIT_DIR bare", dir: "home", env: []string{"GIT_DIR", "../bare.git"}},
		{
			name: "GIT_DIR and GIT_WORK_TREE", dir: "home",
			env: []string{"GIT_DIR", "../repo/.git", "GIT_WORK_TREE", "../repo/sub"},
		},
		{name: "GIT_WORK_TREE", dir: "repo", env: []string{"GIT_WORK_TREE", "sub"}},
		{name: "nowhere", dir: "home"},
		{name: "GIT_DIR nowhere", dir: "repo", env: []string{"GIT_DIR", "sub"}},
		{
			name: "ceiling", dir: "repo/sub/deep",
			env: []string{"GIT_CEILING_DIRECTORIES", filepath.Join(f.Root, "repo", "sub")},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := f.In(filepath.Join(f.Root, c.dir))
			at.T = t
			for i := 0; i < len(c.env); i += 2 {
				at.Setenv(c.env[i], c.env[i+1])
			}
			repo, err := at.TryOpen(gitstore.Options{})
			want, gitErr := at.TryGit("rev-parse", "--path-format=absolute", "--git-dir")
			if gitErr != nil {
				if !errors.Is(err, gitstore.ErrNotRepository) {
					t.Errorf("git finds none; have %v", err)
				}
				return
			}
			noError(t, err)
			equal(t, "git dir", real(t, repo.GitDir), real(t, want))
			equal(t, "common dir", real(t, repo.CommonDir),
				real(t, at.Git("rev-parse", "--path-format=absolute", "--git-common-dir")))
			equal(t, "bare", repo.Bare(), at.Git("rev-parse", "--is-bare-repository") == "true")
			top, gitErr := at.TryGit("rev-parse", "--show-toplevel")
			if gitErr != nil {
				top = ""
			}
			equal(t, "work tree", real(t, repo.WorkTree), top)
			// Children find the same repository, wherever they are run.
			out, err := repo.Git.Run(t.Context(), "rev-parse", "--path-format=absolute", "--git-dir")
			noError(t, err)
			equal(t, "a child's git dir", real(t, string(out[:len(out)-1])), real(t, want))
		})
	}
}

func real(t *testing.T, path string) string {
	t.Helper()
	if path == "" {
		return ""
	}
	resolved, err := filepath.EvalSymlinks(path)
	noError(t, err)
	return resolved
}

func TestOpen_worktreeID(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	linked := filepath.Join(f.Root, "linked")
	f.Git("worktree", "add", "-q", "-b", "side", linked)
	equal(t, "main", f.Open().WorktreeID(), "")
	equal(t, "linked", f.In(linked).Open().WorktreeID(), "linked")
}

func TestOpen_formats(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config string
		works  bool
	}{
		"version 2":            {"[core]\nrepositoryformatversion = 2\n", false},
		"version in words":     {"[core]\nrepositoryformatversion = new\n", false},
		"unknown extension":    {"[core]\nrepositoryformatversion = 1\n[extensions]\nfuture = true\n", false},
		"unknown in version 0": {"[core]\nrepositoryformatversion = 0\n[extensions]\nfuture = true\n", true},
		"sha256":               {"[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n", false},
		"unknown ref storage":  {"[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = stone\n", false},
		"known extensions": {"[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha1\n" +
			"refStorage = files\nnoop = 1\n", true},
		"second object format":  {"[core]\nrepositoryformatversion = 1\n[extensions]\ncompatObjectFormat = sha256\n", false},
		"relative linked trees": {"[core]\nrepositoryformatversion = 1\n[extensions]\nrelativeWorktrees = true\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t).Unchecked()
			f.Write(".git/config", c.config)
			_, err := f.TryOpen(gitstore.Options{})
			if c.works {
				noError(t, err)
			} else if !errors.Is(err, gitstore.ErrUnsupported) {
				t.Errorf("want ErrUnsupported, have %v", err)
			}
		})
	}
}
