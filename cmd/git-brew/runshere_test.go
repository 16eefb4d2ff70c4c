package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/hooks"
)

// What the repository of the session names is the user's own; what others name is not,
// wherever the agent is.
func TestAgent_runsHere(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	e, _, _ := testEnv()
	e.Dir, e.Environ, e.Getenv, e.User, e.Host = f.Dir, f.Env, f.Getenv, "mara", "laptop"
	if code := run(t.Context(), []string{"create", "Add JWT auth"}, e); code != cli.ExitDone {
		t.Fatal(code)
	}
	f.Git("config", "core.fsmonitor", "./mine")
	f.Git("init", "-q", "nested")
	f.In(filepath.Join(f.Dir, "nested")).Git("config", "core.fsmonitor", "./theirs")
	f.Git("init", "-q", "--bare", "bare.git")
	tmp := filepath.Join(f.Root, "tmp")
	if err := os.Mkdir(tmp, 0o777); err != nil {
		t.Fatal(err)
	}
	nested := filepath.Join(f.Dir, "nested")
	for _, c := range []struct {
		at        hooks.Place
		dir, want string
	}{
		{hooks.Place{Cwd: f.Dir}, "", ""},
		{hooks.Place{}, "", ""},
		{hooks.Place{Cwd: f.Dir}, "nested", "session's own"},
		{hooks.Place{Cwd: f.Dir}, "bare.git", "session's own"},
		{hooks.Place{Cwd: f.Dir}, nested, "session's own"},
		{hooks.Place{Cwd: nested, Here: f.Dir}, "", "session's own"},
		{hooks.Place{Cwd: nested, Here: f.Dir}, "..", ""},
		{hooks.Place{Cwd: nested, ProjectDir: f.Dir}, "", "session's own"},
		{hooks.Place{Cwd: nested, ProjectDir: f.Dir}, "..", ""},
		{hooks.Place{Cwd: tmp}, "", ""},
		{hooks.Place{Cwd: tmp}, f.Dir, "session's own"},
		{hooks.Place{Cwd: tmp, ProjectDir: f.Dir}, "../repo", ""},
		{hooks.Place{Cwd: tmp, ProjectDir: f.Dir}, "../gone", "can't be read"},
	} {
		a := &adapter.Agent{Env: e, Open: map[hooks.Place]*app.App{}}
		got, err := a.RunsHere(t.Context(), c.at, c.dir)
		if err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v, %q: %q, %v, want %q", c.at, c.dir, got, err, c.want)
		}
		a.Close()
	}
}
