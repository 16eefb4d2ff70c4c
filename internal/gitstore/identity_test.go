package gitstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// The author and the committer are whom git would write into a commit.
func TestIdentity_likeGit(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{
		"configured": nil,
		"environment": {
			"GIT_AUTHOR_NAME", "Grace", "GIT_AUTHOR_EMAIL", "grace@example.com", "GIT_COMMITTER_NAME",
			"Kay",
		},
		"half":            {"GIT_AUTHOR_NAME", "Grace"},
		"crud":            {"GIT_AUTHOR_NAME", " <Grace\n>, ", "GIT_AUTHOR_EMAIL", "<g@x>"},
		"date, raw":       {"GIT_AUTHOR_DATE", "1700000000 +0230", "GIT_COMMITTER_DATE", "@1600000000 -0700"},
		"date, RFC 3339":  {"GIT_AUTHOR_DATE", "2023-11-14T22:13:20-03:00"},
		"date, own words": {"GIT_AUTHOR_DATE", "14 Nov 2023 12:00:00 +0100"},
		"separate author": {
			"GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "author.email", "GIT_CONFIG_VALUE_0",
			"w@example.com",
		},
		"separate committer": {"GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "committer.name", "GIT_CONFIG_VALUE_0", "Bot"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t)
			for i := 0; i < len(env); i += 2 {
				f.Setenv(env[i], env[i+1])
			}
			repo, err := f.TryOpen(gitstore.Options{Now: func() time.Time { return time.Unix(1_650_000_000, 999).UTC() }})
			noError(t, err)
			author, err := repo.Config.Identity(t.Context())
			noError(t, err)
			compareIdent(t, f, "GIT_AUTHOR", author)
		})
	}
}

func compareIdent(t *testing.T, f *gitstoretest.Fixture, role string, have gitstore.Signature) {
	t.Helper()
	if f.Getenv(role+"_DATE") == "" {
		f.Setenv(role+"_DATE", "1650000000 +0000") // what Now says
	}
	equal(t, role, have.String(), f.Git("var", role+"_IDENT"))
}

func TestIdentity_none(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("config", "--global", "--unset", "user.email")
	f.Git("config", "user.useConfigOnly", "true")
	if _, err := f.Open().Config.Identity(t.Context()); !errors.Is(err, gitstore.ErrNoIdentity) {
		t.Errorf("want ErrNoIdentity, have %v", err)
	}
}
