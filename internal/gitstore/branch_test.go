package gitstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func TestBranches(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	ctx := t.Context()
	exists := func(branch string) bool {
		t.Helper()
		ok, err := repo.Branches.Exists(ctx, branch)
		noError(t, err)
		return ok
	}
	noError(t, repo.Branches.Create(ctx, "topic", "main"))
	equal(t, "created", exists("topic"), true)
	equal(t, "absent", exists("other"), false)
	noError(t, repo.Tree.Switch(ctx, "topic"))
	equal(t, "checked out", f.Git("symbolic-ref", "--short", "HEAD"), "topic")
	noError(t, repo.Tree.SwitchNew(ctx, "other", "main"))
	equal(t, "checked out", f.Git("symbolic-ref", "--short", "HEAD"), "other")

	f.Write("file", "one")
	f.Git("add", "file")
	f.Commit("file")
	f.Write("file", "changed")
	err := repo.Tree.Switch(ctx, "main")
	var command *gitstore.CommandError
	if !errors.As(err, &command) || !strings.Contains(err.Error(), "local changes") {
		t.Errorf("want git's own words, have %v", err)
	}
	for _, branch := range []string{"-f", "--detach", "a..b", "", "HEAD"} {
		if repo.Tree.Switch(ctx, branch) == nil || repo.Branches.Create(ctx, branch, "main") == nil ||
			repo.Tree.SwitchNew(ctx, branch, "main") == nil {
			t.Errorf("branch %q was taken", branch)
		}
	}
	for _, start := range []string{"", "--force", "nowhere"} {
		if repo.Branches.Create(ctx, "new", start) == nil || repo.Tree.SwitchNew(ctx, "new", start) == nil {
			t.Errorf("start %q was taken", start)
		}
	}
}

func TestBranches_remote(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("branch", "feature/x")
	clone := f.Clone()
	clone.Git("remote", "add", "fork", f.Dir)
	clone.Git("fetch", "-q", "fork", "main")
	repo := clone.Open()
	refs, err := repo.Branches.Remote(t.Context(), "feature/x")
	noError(t, err)
	equal(t, "found", fmt.Sprint(refs), fmt.Sprint([]gitstore.Ref{{
		Name: "refs/remotes/origin/feature/x",
		OID:  f.OID("main"),
	}}))
	refs, err = repo.Branches.Remote(t.Context(), "main")
	noError(t, err)
	equal(t, "on two remotes", len(refs), 2)
	noError(t, repo.Tree.SwitchNew(t.Context(), "feature/x", "origin/feature/x"))
	equal(t, "tracks", clone.Git("rev-parse", "--abbrev-ref", "feature/x@{upstream}"), "origin/feature/x")
}

func TestBranches_S38_renamed(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	f.Git("branch", "first")
	f.Git("branch", "-m", "first", "second/name")
	f.Git("branch", "-m", "second/name", "third")
	for _, old := range []string{"first", "second/name"} {
		now, err := repo.Branches.RenamedTo(t.Context(), old)
		noError(t, err)
		equal(t, old, now, "third")
	}
	if _, err := repo.Branches.RenamedTo(t.Context(), "never"); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("have %v", err)
	}
}

func TestGit(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Setenv("LC_ALL", "de_DE.UTF-8")
	repo := f.Open()
	ctx := t.Context()
	out, err := repo.Git.Input(ctx, []byte("text"), "hash-object", "--stdin")
	noError(t, err)
	equal(t, "output", strings.TrimSpace(string(out)), gitstore.HashBlob([]byte("text")).String())

	_, err = repo.Git.Run(ctx, "rev-parse", "--verify", "nowhere")
	var command *gitstore.CommandError
	if !errors.As(err, &command) || command.Code != 128 || command.Stderr == "" || command.Args[0] != "rev-parse" {
		t.Errorf("have %#v", err)
	}
	var stdout, stderr bytes.Buffer
	code, err := repo.Git.Stream(ctx, strings.NewReader(""), &stdout, &stderr, "", "log", "--format=%s")
	noError(t, err)
	equal(t, "streamed", fmt.Sprintf("%d %s", code, stdout.String()), "0 first\n")
	code, err = repo.Git.Stream(ctx, nil, &stdout, &stderr, "", "log", "--no-such-option")
	noError(t, err)
	equal(t, "exit status", code, 128)

	brief, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := repo.Git.Run(brief, "-c", "alias.wait=!sleep 60", "wait"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a git that takes too long: %v", err)
	}
}
