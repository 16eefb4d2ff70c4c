package gitstore_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A program that is run in the work tree finds the repository that it is run for,
// wherever the variables of whoever asked put the two.
func TestPlacedEnviron_findsTheRepository(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Write("sub/file", "text")
	f.In(f.Root).Git("init", "-q", "--bare", "bare.git")
	for name, c := range map[string]struct {
		dir  string // below Root
		env  []string
		bare bool
	}{
		"no variable":               {dir: "repo"},
		"GIT_DIR":                   {dir: "repo", env: []string{"GIT_DIR", ".git"}},
		"GIT_DIR elsewhere":         {dir: "home", env: []string{"GIT_DIR", "../repo/.git"}},
		"GIT_WORK_TREE":             {dir: "repo", env: []string{"GIT_WORK_TREE", "../home"}},
		"GIT_WORK_TREE, in it":      {dir: "repo", env: []string{"GIT_WORK_TREE", "."}},
		"GIT_DIR and GIT_WORK_TREE": {dir: "repo", env: []string{"GIT_DIR", ".git", "GIT_WORK_TREE", "../home"}},
		"GIT_DIR bare":              {dir: "home", env: []string{"GIT_DIR", "../bare.git"}, bare: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := f.In(filepath.Join(f.Root, c.dir))
			at.T = t
			for i := 0; i < len(c.env); i += 2 {
				at.Setenv(c.env[i], c.env[i+1])
			}
			repo := at.Open()
			program := f.In(cmp.Or(repo.WorkTree, f.Root))
			program.T, program.Env = t, repo.PlacedEnviron()
			equal(t, "git dir", real(t, program.Git("rev-parse", "--path-format=absolute", "--git-dir")), real(t, repo.GitDir))
			equal(t, "bare", program.Git("rev-parse", "--is-bare-repository") == "true", c.bare)
			if !c.bare {
				equal(t, "work tree", real(t, program.Git("rev-parse", "--show-toplevel")), real(t, repo.WorkTree))
			}
		})
	}
}

// What git itself takes out for a command elsewhere is taken out, but for settings
// of a command line, which belong to the person.
func TestWithoutPlace_isGitsOwnList(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	env := []string{"PATH=/bin", "GIT_AUTHOR_NAME=mara", "GIT_SSH_COMMAND=ssh", "MINE=1"}
	kept := slices.Clone(env)
	for name := range strings.FieldsSeq(f.Git("rev-parse", "--local-env-vars")) {
		pair := name + "=x"
		if env = append(env, pair); strings.HasPrefix(name, "GIT_CONFIG_") {
			kept = append(kept, pair)
		}
	}
	if got := gitcmd.WithoutPlace(env, nil); !slices.Equal(got, kept) {
		t.Errorf("left is %q, want %q", got, kept)
	}
	if got := gitcmd.WithoutPlace(env, func(name string) bool {
		return name == "MINE" || strings.HasPrefix(name, "GIT_CONFIG_")
	}); !slices.Equal(got, kept[:3]) {
		t.Errorf("left is %q", got)
	}
}
