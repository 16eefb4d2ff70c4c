package gitstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

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
	if got := gitstore.WithoutPlace(env, nil); !slices.Equal(got, kept) {
		t.Errorf("left is %q, want %q", got, kept)
	}
	if got := gitstore.WithoutPlace(env, func(name string) bool { return name == "MINE" || strings.HasPrefix(name, "GIT_CONFIG_") }); !slices.Equal(got, kept[:3]) {
		t.Errorf("left is %q", got)
	}
}
