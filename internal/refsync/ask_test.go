package refsync

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// S-34: a remote is asked what it has, under whatever names it has it, and
// nothing of it is taken.
func TestAsk_S34_countsAndTakesNothing(t *testing.T) {
	t.Parallel()
	there := gitstoretest.New(t)
	f := there.Clone()
	ask := func(namespace string, want map[string]Found) {
		t.Helper()
		got, err := Ask(t.Context(), f.Open(), Remote{Name: "origin", Namespace: namespace}, shortName, time.Minute)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %+v, %v; want %+v", namespace, got, err, want)
		}
	}
	ask("", nil)
	for _, ref := range []string{
		"refs/brew/tasks/one", "refs/brew/tasks/two", "refs/brew/locks/one", "refs/elsewhere/refs/brew/tasks/three",
		"refs/heads/brew/tasks/four", "refs/heads/brew/archive", "refs/heads/mine/archive", "refs/heads/yours/locks/six",
		"refs/brew/remotes/origin/tasks/five", "refs/heads/my/tasks/no-task",
	} {
		there.Git("update-ref", ref, "HEAD")
	}
	all := map[string]Found{
		"refs/brew/": {Tasks: 2}, "refs/elsewhere/refs/brew/": {Tasks: 1}, "refs/heads/brew/": {Tasks: 1, Archive: true},
		"refs/heads/yours/": {},
	}
	ask("", all)
	ask("refs/heads/none/", all)
	all["refs/heads/mine/"] = Found{Archive: true}
	ask("refs/heads/mine/", all)
	if out := f.Git("for-each-ref", "refs/brew"); out != "" {
		t.Errorf("it took %s", out)
	}
	if _, err := Ask(t.Context(), f.Open(), Remote{Name: "nowhere"}, shortName, time.Minute); err == nil {
		t.Error("a remote that git does not know answered")
	}
}

// shortName stands for what a task can be called.
func shortName(id string) bool { return len(id) <= 5 }

// Nobody is asked for a password, and nobody waits for a remote that says
// nothing; the person's own way to run ssh is used as it is.
func TestAsk_asksNobodyAndWaitsForNobody(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	seen := filepath.Join(f.Root, "seen")
	script := func(name, text string) string {
		path := filepath.Join(f.Root, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f.Git("remote", "add", "origin", "ssh://example.invalid/repo")
	f.Setenv("GIT_SSH_COMMAND", script("own-ssh",
		"echo \"$GIT_TERMINAL_PROMPT $GIT_ASKPASS.\" >"+seen+"\nsleep 20\necho >"+seen+"-awake\n"))
	_, err := Ask(t.Context(), f.Open().Silent(t.Context()), Remote{Name: "origin"}, shortName, 300*time.Millisecond)
	if !errors.Is(err, ErrUnreachable) {
		t.Errorf("no answer: %v", err)
	}
	if _, err := os.Stat(seen + "-awake"); err == nil {
		t.Error("it waited until the remote had ended")
	}
	if data, err := os.ReadFile(seen); err != nil || string(data) != "0 .\n" {
		t.Errorf("the person's ssh ran with %q, %v", data, err)
	}

	// Without one of their own, ssh itself is told to ask nothing.
	f.Setenv("GIT_SSH_COMMAND", "")
	script("ssh", "echo \"$@\" >"+seen+"\nexit 1\n")
	f.Setenv("PATH", f.Root+":"+os.Getenv("PATH"))
	_, err = Ask(t.Context(), f.Open().Silent(t.Context()), Remote{Name: "origin"}, shortName, time.Minute)
	if !errors.Is(err, ErrUnreachable) {
		t.Errorf("ssh that fails: %v", err)
	}
	if data, err := os.ReadFile(seen); err != nil || string(data[:min(len(data), 16)]) != "-o BatchMode=yes" {
		t.Errorf("ssh ran with %q, %v", data, err)
	}
}
