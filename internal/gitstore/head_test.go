package gitstore_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func TestHead(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	check := func(what string, want gitstore.Head) {
		t.Helper()
		have, err := repo.Refs.Head(t.Context())
		noError(t, err)
		equal(t, what, have, want)
	}
	tip := f.OID("HEAD")
	check("on a branch", gitstore.Head{Branch: "main", OID: tip})
	f.Git("pack-refs", "--all")
	check("packed", gitstore.Head{Branch: "main", OID: tip})
	f.Git("checkout", "-q", "--detach")
	check("detached", gitstore.Head{OID: tip})
	f.Git("checkout", "-q", "--orphan", "unborn/branch")
	check("unborn", gitstore.Head{Branch: "unborn/branch"})

	f.Git("checkout", "-q", "main")
	f.Write("file", "base")
	f.Git("add", "file")
	f.Commit("base")
	f.Git("checkout", "-q", "-b", "topic")
	f.Write("file", "topic")
	f.Git("commit", "-q", "-am", "topic")
	f.Git("checkout", "-q", "main")
	f.Write("file", "main")
	f.Git("commit", "-q", "-am", "main")
	tip = f.OID("main")
	for _, way := range []string{"--merge", "--apply"} {
		f.Git("checkout", "-q", "topic")
		if _, err := f.TryGit("rebase", "-q", way, "main"); err == nil {
			t.Fatal("the rebase had to stop")
		}
		check("rebase "+way, gitstore.Head{OID: tip, Rebasing: "topic"})
		f.Git("rebase", "--abort")
	}
}
