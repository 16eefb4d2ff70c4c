package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// runs asks about a directory below a fixture, where only the fixture's own
// repository is trusted.
func runs(f *gitstoretest.Fixture, dir string) string {
	return place.RunsHere(f.Dir+string(filepath.Separator)+dir, f.Env, filepath.Join(f.Dir, ".git"))
}

// TestRunsHere: git runs what the session's own repository names, and those below it;
// any other's is somebody else's to name.
func TestRunsHere(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	nested := func(name string, config ...string) {
		f.Git("init", "-q", name)
		for i := 0; i < len(config); i += 2 {
			f.In(filepath.Join(f.Dir, name)).Git("config", config[i], config[i+1])
		}
	}
	f.Git("config", "core.fsmonitor", "./mine") // of the trusted one
	f.Write("sub/deep/file", "text")
	f.Write(".git/hooks/post-index-change", "#!/bin/sh\n")
	f.Git("init", "-q", "--bare", "bare.git")
	f.Git("init", "-q", "--bare", "sub/hidden")
	f.Git("worktree", "add", "-q", "-b", "side", filepath.Join(f.Root, "linked"))
	f.In(f.Root).Git("init", "-q", "lib")
	f.In(filepath.Join(f.Root, "lib")).Git("commit", "-q", "--allow-empty", "-m", "first")
	f.Git("submodule", "--quiet", "add", filepath.Join(f.Root, "lib"), "module")
	f.In(f.Root).Git("clone", "-q", "lib", filepath.Join(f.Dir, "clone"))
	f.In(f.Root).Git("clone", "-q", "lib", filepath.Join(f.Dir, "used"))
	used := f.In(filepath.Join(f.Dir, "used"))
	used.Git("switch", "-q", "-c", "topic", "--track", "origin/main")
	used.Git("config", "user.name", "Ada")
	used.Git("worktree", "add", "-q", "-b", "other", filepath.Join(f.Root, "of-used"))
	nested("plain")
	nested("monitor", "core.fsmonitor", "./run")
	nested("unsure")
	f.Write("unsure/.git/HEAD", "nowhere\n")
	// A bare repository that only git's own, lighter test knows.
	f.Write("light/HEAD", "ref: refs/heads/main\n")
	f.Write("light/objects", "")
	f.Write("light/refs", "")
	f.Write("light/config", "[core]\n\tfsmonitor = ./run\n")
	noError(t, os.Chmod(filepath.Join(f.Dir, "light/objects"), 0o777))
	noError(t, os.Chmod(filepath.Join(f.Dir, "light/refs"), 0o777))
	// What says that it is a linked work tree of the trusted one, and is none.
	f.Write("forged/.git/HEAD", "ref: refs/heads/main\n")
	f.Write("forged/.git/commondir", "../../.git\n")
	f.Write("forged/.git/config.worktree", "[core]\n\tpager = ./run\n")
	f.Write("lost/.git", "nothing\n")
	noError(t, os.MkdirAll(filepath.Join(f.Dir, "empty/.git"), 0o777))
	noError(t, os.Symlink(filepath.Join(f.Dir, "monitor"), filepath.Join(f.Dir, "link")))
	noError(t, os.Symlink(filepath.Join(f.Dir, "sub/hidden/refs"), filepath.Join(f.Dir, "away")))

	for dir, want := range map[string]string{
		"": "", "sub": "", "sub/deep": "", "sub/..": "", ".git": "", ".git/refs": "", "empty": "",
		"../linked": "", "module": "", ".git/modules/module": "", "..": "",
		"../of-used": "session's own", "clone": "session's own", "used": "session's own", "plain": "session's own",
		"bare.git": "session's own", "bare.git/refs": "session's own", "sub/hidden": "session's own",
		"sub/hidden/objects": "session's own", "light": "session's own", "monitor": "session's own",
		"unsure": "session's own", "forged": "session's own", "link": "session's own",
		"lost": "not clear", "not/there": "can't be read",
		"away/..": "session's own", // to the system; to a shell it is the top
	} {
		if got := runs(f, dir); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// Where git takes another repository than the directory's, that one is asked about.
func TestRunsHere_environment(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("init", "-q", "other")
	f.In(filepath.Join(f.Dir, "other")).Git("config", "core.fsmonitor", "./run")
	f.Write("sub/x", "text")
	f.Setenv("GIT_DIR", filepath.Join(f.Dir, "other/.git"))
	if got := runs(f, "sub"); !strings.Contains(got, "session's own") {
		t.Errorf("%q", got)
	}
	f.Setenv("GIT_DIR", filepath.Join(f.Dir, ".git"))
	if got := runs(f, "other"); got != "" {
		t.Errorf("%q", got)
	}
}
