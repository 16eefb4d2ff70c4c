package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/setup"
)

// TestTarget_BW48_anySpelling: what keeps the gate is known by whatever path, and
// what may be written in a discussion is by none but its own.
func TestTarget_BW48_anySpelling(t *testing.T) {
	f := gitstoretest.New(t)
	top, home := f.Dir, f.Home
	link := func(target, name string) {
		t.Helper()
		name = filepath.Join(top, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must(t, os.Symlink(target, name))
	}
	for _, name := range []string{"docs/a.md", "src/a.go", ".claude/settings.json", "docs/sub/b.md"} {
		f.Write(name, "x\n")
	}
	must(t, os.MkdirAll(filepath.Join(top, "nested", ".git"), 0o777))
	link(".git", "docs/innocent")
	link("../.git/config", "docs/config.md")
	link("../src", "docs/src")
	link("../../outside.md", "docs/outside.md") // of the work tree, and not there yet
	link("../src/new.go", "docs/new.md")        // to what is not there yet
	link("loop", "docs/loop")
	link("sub/b.md", "docs/fine.md")
	link("../.claude", "docs/claude")
	f.Git("config", "include.path", filepath.Join(top, "team.gitconfig"))
	f.Git("worktree", "add", "-q", "-b", "other", filepath.Join(f.Root, "linked"))

	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	must(t, s.Config.ConfigSet(t.Context(), "gate.allowedPath", []string{"docs/**", "nested/**", ".claude/**"}, false))
	must(t, os.Link(filepath.Join(top, ".git", "config"), filepath.Join(top, "docs", "hard.md")))
	target := func(s *app.App, path string) worktree.Target {
		t.Helper()
		got, err := s.Place.Target(context.Background(), path, home,
			setup.AgentSettings(top, top, filepath.Join(home, ".claude")))
		must(t, err)
		return got
	}
	const allowed = "allowed"
	in := func(name string) string { return filepath.Join(top, name) }
	for path, want := range map[string]string{
		in("docs/a.md"):                     allowed,
		in("docs/not/there/yet.md"):         allowed,
		in("docs/fine.md"):                  allowed,
		"docs/a.md":                         allowed,
		top + "/src/../docs/a.md":           allowed,
		top + "//docs/./a.md":               allowed,
		in("src/a.go"):                      "",
		top + "/docs/../src/a.go":           "",
		in("docs/src/a.go"):                 "",
		in("docs/new.md"):                   "",
		in("docs/outside.md"):               "",
		in("docs/loop"):                     "",
		in("docs/loop/a.md"):                "",
		top + "/docs/src/../a.md":           "",      // after the link it is beside src
		top + "/docs/src/../docs/a.md":      allowed, // followed or tidied up, it is below docs
		"/etc/passwd":                       "",
		filepath.Dir(top) + "/docs/a.md":    "",
		"":                                  "",
		"docs/\x00a.md":                     "",
		strings.Repeat("docs/", 2000) + "a": "",

		in(".codex/hooks.json"):                      "settings",
		in(".github/copilot/settings.local.json"):    "settings",
		"~/.copilot/settings.json":                   "settings",
		in(".github/workflows/settings.json"):        "",
		in("sub/.Gemini/settings.json"):              "settings",
		in(".opencode/plugins/git-brew.js"):          "settings",
		in(".opencode/plugins/mine.js"):              "",
		in(".git/config"):                            "git",
		in(".git"):                                   "git",
		".git/config":                                "git",
		in(".GIT/config"):                            "git",
		in(".git/hooks/pre-commit"):                  "git",
		in(".git/refs/brew/config"):                  "git",
		in(".git/store/snapshots/x"):                 "git",
		top + "/docs/../.git/config":                 "git",
		top + "/./.git//config":                      "git",
		in("docs/innocent/config"):                   "git",
		in("docs/innocent/HEAD"):                     "git",
		in("docs/config.md"):                         "git",
		in("docs/hard.md"):                           "git",
		in("nested/.git/config"):                     "git",
		" " + in(".git/config") + " ":                "git",
		"file://" + in(".git/config"):                "git",
		in("team.gitconfig"):                         "git",
		in(".claude/settings.json"):                  "settings",
		in(".claude/settings.local.json"):            "settings",
		in(".CLAUDE/Settings.json"):                  "settings",
		in("docs/claude/settings.json"):              "settings",
		filepath.Join(home, ".claude/settings.json"): "settings",
		"~/.claude/settings.json":                    "settings",
		"~/.gitconfig":                               "git",
		filepath.Join(home, ".config/git/config"):    "git",
	} {
		got := target(s, path)
		said := got.Own
		switch {
		case strings.Contains(said, "git's"):
			said = "git"
		case said != "":
			said = "settings"
		case got.Allowed:
			said = allowed
		}
		if said != want {
			t.Errorf("%q: %q, want %q", path, said, want)
		}
	}

	// From a linked work tree the common directory is ours too.
	other := open(t, f.In(filepath.Join(f.Root, "linked")), clone.Caller{User: "mara", Host: "laptop"})
	for _, path := range []string{".git", in(".git/config"), in("docs/innocent/config")} {
		if got := target(other, path); got.Own == "" {
			t.Errorf("%s from a linked work tree: %+v", path, got)
		}
	}
	if got := target(other, in("docs/a.md")); got.Allowed {
		t.Error("another work tree's files are not this one's")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
