package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// withSubmodules is a repository with submodules at these paths.
func withSubmodules(t *testing.T, paths ...string) *gitstoretest.Fixture {
	t.Helper()
	lib := gitstoretest.New(t)
	f := gitstoretest.New(t)
	for _, path := range paths {
		f.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, path)
	}
	f.Commit("submodules")
	return f
}

func TestSubmodules_BW23_S37(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	f := withSubmodules(t, "services/api", "web")
	repo := f.Open()
	f.Git("submodule", "--quiet", "deinit", "-f", "web")
	all, err := repo.Tree.Submodules(ctx)
	if err != nil || len(all) != 2 || all[0].Path != "services/api" || !all[0].CheckedOut || all[1].CheckedOut ||
		all[0].Commit.IsZero() {
		t.Fatalf("Submodules() = %+v, %v", all, err)
	}
	if all, err = f.In(filepath.Join(f.Dir, "services")).Open().Tree.Submodules(ctx); err != nil || len(all) != 2 {
		t.Errorf("from a directory below: %+v, %v", all, err)
	}
	sub, err := repo.Submodule("services/api")
	if err != nil {
		t.Fatal(err)
	}
	if head, err := sub.Refs.Head(ctx); err != nil || head.OID != all[0].Commit {
		t.Errorf("its HEAD is %+v, %v", head, err)
	}
	super, path, ok := sub.Superproject()
	if !ok || path != "services/api" || super.GitDir != repo.GitDir {
		t.Errorf("Superproject() = %v %q %v", super, path, ok)
	}
	if _, _, ok := repo.Superproject(); ok {
		t.Error("the repository around is a submodule of something")
	}
	for _, none := range []string{"web", "nowhere", "services", "..", ".", "/etc", ""} {
		if _, err := repo.Submodule(none); !errors.Is(err, gitstore.ErrNotExist) {
			t.Errorf("Submodule(%q) = %v", none, err)
		}
	}
}

// What stands in .gitmodules is anybody's: only what the index has counts, and a
// symbolic link in place of a directory is no submodule.
func TestSubmodules_hostile(t *testing.T) {
	t.Parallel()
	f := withSubmodules(t, "services/api")
	outside := gitstoretest.New(t)
	for name, path := range map[string]string{
		"up": "../elsewhere", "abs": outside.Dir, "opt": "--upload-pack=x",
		"none": "README",
	} {
		f.Git("config", "--file", ".gitmodules", "submodule."+name+".path", path)
	}
	repo := f.Open()
	all, err := repo.Tree.Submodules(t.Context())
	if err != nil || len(all) != 1 || all[0].Path != "services/api" {
		t.Fatalf("Submodules() = %+v, %v", all, err)
	}
	if err := os.Symlink(outside.Dir, filepath.Join(f.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Submodule("link"); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("through a link: %v", err)
	}
}

// git started us with a repository in the environment: a submodule is another.
func TestSubmodule_ownEnvironment(t *testing.T) {
	t.Parallel()
	f := withSubmodules(t, "api")
	f.Setenv("GIT_DIR", filepath.Join(f.Dir, ".git"))
	f.Setenv("GIT_WORK_TREE", f.Dir)
	sub, err := f.Open().Submodule("api")
	if err != nil {
		t.Fatal(err)
	}
	out, err := sub.Git.Run(t.Context(), "rev-parse", "--show-toplevel")
	if want := filepath.Join(f.Dir, "api") + "\n"; err != nil || string(out) != want {
		t.Errorf("git is in %q, %v; want %q", out, err, want)
	}
}
