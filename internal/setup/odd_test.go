package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/hooks/settings"
)

// oddTexts are what stands in files that were edited by hand, by other tools, or by accident.
var oddTexts = []string{
	"", " \n", "\ufeff", "\ufeff{\"a\": 1}\r\n", "{\t}", "{ }", "null", "[]", "{}\x00", "\xff\xfe{",
	"{\r\n\t\"hooks\" : {\r\n\t\t\"Stop\" : [ ]\r\n\t}\r\n}\r\n", `{"a":"\ud800"}`, `{"hooks":null}`,
	"{\"hooks\":{\"PreToolUse\":[\n{\"matcher\":\"X\",\"hooks\":[]} ] } }", `{"hooks":{},"hooks":{"Stop":[]}}`,
	"// a comment\n{\"a\": 1}\n", `{"a": 1,}`, `{"version":1,"hooks":{"stop":[{"command":"x"}]}}`,
	`{"permissions":{"allow":["Bash(git brew next:*)"]}}`, strings.Repeat("[", 20000),
	"#!/bin/sh\r\nexit 0\r\n", "# Rules\r\nno end",
}

// place puts something where git brew wants a file, in one of the ways that are met.
func (s *sandbox) place(rt *rapid.T, name string) {
	path := s.path(name)
	_ = os.RemoveAll(path)
	dir := filepath.Dir(path)
	text := rapid.SampledFrom(oddTexts).Draw(rt, name)
	link := func(to, at string) {
		_ = os.MkdirAll(filepath.Dir(at), 0o777)
		_ = os.Symlink(to, at) // one that is there stays
	}
	switch how := rapid.SampledFrom([]string{
		"none", "none", "file", "file", "file", "read-only", "link", "link out", "dangling", "directory", "below a file",
		"below a link out",
	}).Draw(rt, "how"); {
	case how == "none":
	case how == "link":
		link(s.path("kept.json"), path)
	case how == "link out":
		link(filepath.Join(s.root, "elsewhere", "file"), path)
	case how == "dangling":
		link("nowhere", path)
	case how == "directory":
		_ = os.MkdirAll(path, 0o777)
	case strings.HasPrefix(how, "below") && (dir == s.path("") || strings.Contains(name, ".git/")):
	case how == "below a file":
		if os.MkdirAll(filepath.Dir(dir), 0o777) == nil && os.Remove(dir) == nil || !exists(dir) {
			_ = os.WriteFile(dir, []byte(text), 0o600)
		}
	case how == "below a link out":
		link(filepath.Join(s.root, "elsewhere"), dir)
	default:
		mode := map[string]os.FileMode{"file": 0o640, "read-only": 0o444}[how]
		if os.MkdirAll(dir, 0o777) == nil && os.WriteFile(path, []byte(text), mode) == nil {
			_ = os.Chmod(path, mode)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// TestUninit_oddFiles (BC-83): whatever stands where git brew wants a file, and however
// often which clients are asked for, an init that fails changes nothing, the same one again
// changes nothing, and after uninit all is there byte for byte.
func TestUninit_oddFiles(t *testing.T) {
	template := newSandbox(t)
	names := []string{
		".claude/settings.json", ".agents/skills/brew-spec/SKILL.md", ".claude/skills/brew-plan/SKILL.md",
		".claude/agents/brew-tester.md", AgentsFile,
		".git/info/exclude", ".git/hooks/pre-push", ".git/hooks/post-rewrite",
	}
	for _, c := range settings.Clients() {
		names = append(names, c.Local)
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := &sandbox{t: t, root: t.TempDir(), env: template.env}
		if err := os.CopyFS(s.root, os.DirFS(template.root)); err != nil {
			t.Fatal(err)
		}
		s.mkdir("elsewhere")
		s.write("kept.json", "{}", 0o644)
		switch rapid.IntRange(0, 4).Draw(rt, "one directory for all skills") {
		case 1:
			_ = os.Symlink(".claude", s.path(".agents"))
		case 2:
			s.mkdir("repo/.agents/skills")
			s.mkdir("repo/.claude")
			_ = os.Symlink("../.agents/skills", s.path(".claude/skills"))
		}
		for _, name := range names {
			s.place(rt, name)
		}
		if rapid.Bool().Draw(rt, "tracked") {
			s.git("add", "-f", ".")
		}
		before := s.everything()
		for range rapid.IntRange(1, 3).Draw(rt, "times") {
			o := Options{
				Agents: rapid.SampledFrom(agentChoices()).Draw(rt, "agents"), Shared: rapid.Bool().Draw(rt, "shared"),
				AgentsFile: rapid.Bool().Draw(rt, "in AGENTS.md"),
			}
			was := s.everything()
			if s.try(Init, o) != nil {
				s.same(was)
				continue
			}
			if again := s.do(Init, o); len(again.Changes) > 0 {
				rt.Errorf("a second init changes %s", again.Changes[len(again.Changes)-1].Diff())
			}
		}
		s.do(Uninit, Options{})
		s.same(before)
		if t.Failed() {
			rt.Fatalf("see above")
		}
	})
}

// TestUninit_oddFilesSeen has the cases of TestUninit_oddFiles that once failed.
func TestUninit_oddFilesSeen(t *testing.T) {
	var all []string
	for _, c := range settings.Clients() {
		all = append(all, c.Name)
	}
	link := func(s *sandbox, to, at string) {
		if err := os.Symlink(to, s.path(at)); err != nil {
			s.t.Fatal(err)
		}
	}
	for name, prepare := range map[string]func(*sandbox){
		"a file for a directory": func(s *sandbox) { s.write(".claude", "x", 0o644) },
		"skills are linked": func(s *sandbox) {
			s.mkdir("repo/.agents/skills")
			s.mkdir("repo/.claude")
			link(s, "../.agents/skills", ".claude/skills")
		},
		"skills are linked, and in git": func(s *sandbox) {
			s.do(Init, Options{Shared: true, Agents: []string{"codex"}})
			s.git("add", ".agents")
			s.git("commit", "-q", "-m", "skills")
			s.do(Uninit, Options{})
			s.git("checkout", "-q", ".")
			s.mkdir("repo/.claude")
			link(s, "../.agents/skills", ".claude/skills")
		},
		"all is linked": func(s *sandbox) {
			s.mkdir("repo/.claude")
			link(s, ".claude", ".agents")
		},
		"a rule of one's own": func(s *sandbox) {
			s.write(".claude/settings.local.json", `{"permissions":{"allow":["Bash(git brew next:*)"]}}`, 0o644)
		},
		"settings are linked": func(s *sandbox) {
			s.mkdir("repo/.claude")
			link(s, "elsewhere", ".claude/settings.local.json")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			prepare(s)
			before := s.everything()
			for _, o := range []Options{
				{Agents: all}, {Shared: true}, {}, {Agents: all}, {Shared: true}, {Shared: true, Agents: all}, {Agents: all},
			} {
				s.do(Init, o)
				if again := s.do(Init, o); len(again.Changes) > 0 {
					t.Errorf("a second init changes %s", again.Changes[0].Diff())
				}
			}
			s.do(Uninit, Options{})
			if name == "skills are linked, and in git" { // which this init renewed, for everybody
				s.git("checkout", "-q", ".agents")
			}
			s.same(before)
		})
	}
}

// try is do for a plan that may not be made.
func (s *sandbox) try(plan planFunc, o Options) error {
	repo := s.open("repo")
	defer repo.Close()
	p, err := plan(s.t.Context(), repo, o)
	if err == nil {
		err = p.Apply(s.t.Context())
	}
	return err
}

// TestApply_oneAtATime: of two plans that were made at the same time the second changes
// nothing, and no plan is carried out while another one is.
func TestApply_oneAtATime(t *testing.T) {
	s := newSandbox(t)
	s.write("AGENTS.md", "x", 0o644)
	untouched := s.everything()
	repo := s.open("repo")
	defer repo.Close()
	var plans []Plan
	for _, o := range []Options{{Agents: []string{"codex"}, AgentsFile: true}, {}} {
		p, err := Init(t.Context(), repo, o)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	before := s.everything()
	ended, end := context.WithCancel(t.Context())
	end()
	if err := repo.Locked(t.Context(), func() error { return plans[0].Apply(ended) }); err == nil {
		t.Error("it did not wait for its turn")
	}
	s.same(before)
	if err := plans[0].Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	set := s.everything()
	if err := plans[1].Apply(t.Context()); !errors.Is(err, ErrChanged) {
		t.Errorf("the second one: %v", err)
	}
	s.same(set)
	s.do(Uninit, Options{})
	s.same(untouched)
}

// TestInit_hookThatWasMovedOnly: an init that was killed when it had moved a person's hook,
// and not yet put its own there, is made whole by the next one, and taken back by uninit.
func TestInit_hookThatWasMovedOnly(t *testing.T) {
	for name, plans := range map[string][]planFunc{"init": {Init, Uninit}, "uninit": {Uninit}} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			s.write(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n", 0o755)
			before := s.everything()
			if err := os.Rename(s.path(".git/hooks/pre-push"), s.path(".git/hooks/pre-push"+asideSuffix)); err != nil {
				t.Fatal(err)
			}
			for i, plan := range plans {
				s.do(plan, Options{})
				if len(plans) > 1 && i == 0 && !strings.Contains(s.read(".git/hooks/pre-push"), asideSuffix) {
					t.Error("the person's hook does not run any more")
				}
			}
			s.same(before)
		})
	}
}
