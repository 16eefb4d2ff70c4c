package setup

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/plugin"
)

// TestMain runs fewer cases than rapid would: each one starts a dozen processes.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "25")
	gitstoretest.InMemory()
	os.Exit(m.Run())
}

// sandbox is a repository in a directory of its own, and a git that knows
// nothing of this machine.
type sandbox struct {
	t    testing.TB
	root string
	env  []string
}

func newSandbox(t testing.TB) *sandbox {
	t.Helper()
	root := t.TempDir()
	s := &sandbox{t: t, root: root, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + filepath.Join(root, "none"),
		"GIT_AUTHOR_NAME=Mara", "GIT_AUTHOR_EMAIL=m@example.org", "GIT_COMMITTER_NAME=Mara",
		"GIT_COMMITTER_EMAIL=m@example.org",
	}}
	s.mkdir("repo")
	s.git("init", "-q", "--template=", "-b", "main")
	s.git("config", "advice.detachedHead", "false")
	s.git("remote", "add", "origin", "../origin")
	s.git("commit", "-q", "--allow-empty", "-m", "first")
	return s
}

func (s *sandbox) path(name string) string { return filepath.Join(s.root, "repo", name) }

func (s *sandbox) mkdir(name string) {
	if err := os.MkdirAll(filepath.Join(s.root, name), 0o777); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) write(name, text string, mode fs.FileMode) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chmod(s.path(name), mode); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = filepath.Join(s.root, "repo"), s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (s *sandbox) open(dir string) *gitstore.Repo {
	s.t.Helper()
	repo, err := gitstore.Open(gitstore.Options{Dir: filepath.Join(s.root, dir), Environ: s.env, Name: "brew"})
	if err != nil {
		s.t.Fatal(err)
	}
	return repo
}

type planFunc func(context.Context, *gitstore.Repo, Options) (Plan, error)

func (s *sandbox) do(plan planFunc, o Options) Plan {
	s.t.Helper()
	return s.doIn("repo", plan, o)
}

func (s *sandbox) doIn(dir string, plan planFunc, o Options) Plan {
	s.t.Helper()
	repo := s.open(dir)
	defer repo.Close()
	p, err := plan(s.t.Context(), repo, o)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := p.Apply(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// everything is each file and directory with its mode and contents. git's own
// cache of the index is not a person's file, nor is the lock of git brew's writers.
func (s *sandbox) everything() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(s.root, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case rel == filepath.Join("repo", ".git", "index"), rel == filepath.Join("repo", ".git", "brew.lock"):
			return nil
		case d.IsDir():
			all[rel] = "directory"
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			all[rel] = "link to " + to
		default:
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[rel] = fmt.Sprintf("%v\n%s", info.Mode(), data)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

func (s *sandbox) same(before map[string]string) {
	s.t.Helper()
	after := s.everything()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if got, ok := after[name]; !ok {
			s.t.Errorf("%s is gone", name)
		} else if got != before[name] {
			s.t.Errorf("%s was\n%s\nand is\n%s", name, before[name], got)
		}
	}
	for name, text := range after {
		if _, ok := before[name]; !ok {
			s.t.Errorf("%s was left behind:\n%s", name, text)
		}
	}
}

// TestUninit_property (BC-83): whatever files a person has, after init and
// uninit they are there again byte for byte, and nothing else is.
// othersFiles are what people have in files of other clients.
var othersFiles = map[string][]string{
	".codex/hooks.json": {
		"", "{}", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`,
	},
	".codex/config.toml":            {"model = 1\n"},
	".github/hooks/git-brew.json":   {"", "{\"version\": 1}\n"},
	".github/hooks/mine.json":       {`{"version":1,"hooks":{}}`},
	".cursor/hooks.json":            {"", "{\n  \"version\": 1\n}\n", `{"version":1,"hooks":{"stop":[{"command":"x"}]}}`},
	".gemini/settings.json":         {"", "{\n  \"theme\": \"dark\"\n}\n", `{"hooks":{ }}`},
	".opencode/plugins/git-brew.js": {"// mine\n", ""},
	"AGENTS.md": {
		"", "# Rules\n", "no end", "<!-- git brew: begin -->\n", "a\n" + plugin.MarkBegin + "1 2 -->\n",
	},
	".qwen/settings.json":               {"", `{ "hooks": {"Stop": [ ]} }`},
	".agents/skills/brew-spec/SKILL.md": {"---\nname: brew-spec\n---\nMine.\n", ""},
	".agents/skills/mine/SKILL.md":      {"# Mine\n"},
}

// agentChoices are the clients that may be asked for: none, each, and all of them.
func agentChoices() [][]string {
	choices := [][]string{nil, nil}
	var all []string
	for _, c := range settings.Clients() {
		choices, all = append(choices, []string{c.Name}), append(all, c.Name)
	}
	return append(choices, all, all, all)
}

// TestUninit_property: whatever a person has, of whichever clients, is there again byte for
// byte after init and uninit, of one client and of all together.
func TestUninit_property(t *testing.T) {
	template := newSandbox(t)
	plain := template.read(".git/config")
	rapid.Check(t, func(rt *rapid.T) {
		s := &sandbox{t: t, root: t.TempDir(), env: template.env}
		if err := os.CopyFS(s.root, os.DirFS(template.root)); err != nil {
			t.Fatal(err)
		}
		one := func(name string, mode fs.FileMode, texts ...string) {
			switch text := rapid.SampledFrom(append(texts, "-")).Draw(rt, name); text {
			case "-":
				_ = os.Remove(s.path(name))
			default:
				s.write(name, text, mode)
			}
		}
		one(".claude/settings.local.json", 0o640, "", "{}", "{ }\n", "{\n  \"model\": \"opus\"\n}",
			"{\"hooks\":{\"Stop\":[]}}\n")
		one(".claude/settings.json", 0o644, "{\"env\": {}}\n")
		if rapid.Bool().Draw(rt, "no .claude") {
			_ = os.RemoveAll(s.path(".claude"))
		}
		one(".git/info/exclude", 0o644, "", "*.o\n", "*.o", "/.claude/\n", "# git brew: begin\n", "# git brew: begin\n*.o")
		if rapid.Bool().Draw(rt, "no info") {
			_ = os.RemoveAll(s.path(".git/info"))
		}
		one(".git/hooks/post-rewrite", 0o755, "#!/bin/sh\ncat >seen\n", "")
		one(".git/hooks/pre-push", 0o755, "#!/bin/sh\nexit 1\n", "#!/bin/sh\n"+hookMark)
		shared := rapid.Bool().Draw(rt, "shared by a sync")
		if rapid.Bool().Draw(rt, "no hooks") {
			_ = os.RemoveAll(s.path(".git/hooks"))
		}
		one(".gitignore", 0o644, ".claude/settings.local.json\n")
		if _, err := os.Stat(s.path(".git/config")); err != nil {
			t.Fatal(err)
		}
		s.write(".git/config", rapid.SampledFrom([]string{
			plain, strings.TrimSuffix(plain, "\n"), plain + "[brew]\n\tremote = other\n", plain + "# the end\n",
			plain + "[remote \"ot.her\"]\n\turl = x\n", plain + "[remote \"a\"] url = x\n",
		}).Draw(rt, "config"), 0o644)
		for name, texts := range othersFiles {
			one(name, 0o600, texts...)
		}
		o := Options{Shared: rapid.Bool().Draw(rt, "shared"), NoAgent: rapid.Bool().Draw(rt, "no agent")}
		o.AgentsFile = rapid.Bool().Draw(rt, "in AGENTS.md")
		o.Agents = rapid.SampledFrom(agentChoices()).Draw(rt, "agents")
		if rapid.Bool().Draw(rt, "remote") {
			o.Remote = "origin"
		}
		before := s.everything()
		share := func(ctx context.Context, repo *gitstore.Repo, _ Options) (Plan, error) {
			return Share(ctx, repo, "origin", "")
		}
		if shared && rapid.Bool().Draw(rt, "before init") {
			s.do(share, o)
		}
		s.do(Init, o)
		if shared {
			s.do(share, o)
		}
		if again := s.do(Init, o); len(again.Changes) > 0 {
			t.Errorf("a second init changes %+v", again.Changes)
		}
		s.do(Uninit, Options{})
		s.same(before)
		if t.Failed() {
			rt.Fatalf("see above")
		}
	})
}

func TestUninit_keepsWhatWasEditedSince(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/info/exclude", "*.o", 0o644)
	s.do(Init, Options{Remote: "origin"})
	s.git("config", "brew.advice", "false")
	s.git("config", "--add", "remote.origin.fetch", "+refs/pull/*:refs/pull/*")
	settings := s.read(".claude/settings.local.json")
	s.write(".claude/settings.local.json", strings.Replace(settings, "{", "{\n  \"model\": \"opus\",", 1), 0o644)
	s.write(".git/info/exclude", s.read(".git/info/exclude")+"\n*.a\n", 0o644)
	s.do(Uninit, Options{})
	if got := s.read(".git/info/exclude"); got != "*.o\n*.a\n" {
		t.Errorf("exclude: %q", got)
	}
	if got := s.read(".claude/settings.local.json"); !strings.Contains(got, "opus") || strings.Contains(got, "git-brew") {
		t.Errorf("settings:\n%s", got)
	}
	config := s.read(".git/config")
	if !strings.Contains(config, "refs/pull") || !strings.Contains(config, "advice = false") ||
		strings.Contains(config, "refs/brew") || strings.Contains(config, "remote = origin\n[") {
		t.Errorf("config:\n%s", config)
	}
}

func TestInit_hookOfAPersonStays(t *testing.T) {
	for name, prepare := range map[string]func(*sandbox){
		"in git": func(s *sandbox) {
			for _, hook := range gitHooks() {
				s.write("githooks/"+hook.name, "#!/bin/sh\n", 0o755)
			}
			s.git("add", "githooks")
			s.git("config", "core.hooksPath", "githooks")
		},
		"outside": func(s *sandbox) {
			s.mkdir("global")
			s.git("config", "core.hooksPath", filepath.Join(s.root, "global"))
		},
		"outside through a link": func(s *sandbox) {
			s.mkdir("global")
			if err := os.Symlink(filepath.Join(s.root, "global"), s.path(".git/hooks")); err != nil {
				s.t.Fatal(err)
			}
		},
		"turned off": func(s *sandbox) { s.git("config", "core.hooksPath", os.DevNull) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			prepare(s)
			before := s.everything()
			p := s.do(Init, Options{NoAgent: true})
			want := len(gitHooks())
			if name == "turned off" {
				want = 1
			}
			if len(p.Remarks) != want {
				t.Errorf("remarks: %q", p.Remarks)
			}
			for _, c := range p.Visible() {
				if c.Name != ".git/config" {
					t.Errorf("it would %s %s", c.Kind(), c.Name)
				}
			}
			s.do(Uninit, Options{})
			s.same(before)
		})
	}
}

func TestInit_hookThatIsALinkIsMovedAside(t *testing.T) {
	s := newSandbox(t)
	s.write("scripts/rewrite", "#!/bin/sh\n", 0o755)
	s.mkdir("repo/.git/hooks")
	if err := os.Symlink("../../scripts/rewrite", s.path(".git/hooks/post-rewrite")); err != nil {
		t.Fatal(err)
	}
	before := s.everything()
	s.do(Init, Options{})
	if got := s.read("scripts/rewrite"); got != "#!/bin/sh\n" {
		t.Errorf("the link was followed: %q", got)
	}
	s.do(Uninit, Options{})
	s.same(before)
}

func TestUninit_hookChangedByHandStays(t *testing.T) {
	s := newSandbox(t)
	s.do(Init, Options{})
	s.write(".git/hooks/post-rewrite", s.read(".git/hooks/post-rewrite")+"# mine\n", 0o755)
	p := s.do(Uninit, Options{})
	if len(p.Remarks) != 1 || !strings.HasSuffix(s.read(".git/hooks/post-rewrite"), "# mine\n") {
		t.Errorf("remarks: %q", p.Remarks)
	}
}

func TestInit_neverWritesOutsideTheRepository(t *testing.T) {
	for name, link := range map[string]string{"directory": ".claude", "file": ".claude/settings.local.json"} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			s.mkdir("elsewhere")
			if err := os.WriteFile(filepath.Join(s.root, "elsewhere", "settings.local.json"), []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(s.root, "elsewhere")
			if link != ".claude" {
				s.mkdir("repo/.claude")
				target = filepath.Join(target, "settings.local.json")
			}
			if err := os.Symlink(target, s.path(link)); err != nil {
				t.Fatal(err)
			}
			before := s.everything()
			if p := s.do(Init, Options{}); len(p.Remarks) != 1 {
				t.Errorf("remarks: %q", p.Remarks)
			}
			if data, err := os.ReadFile(filepath.Join(s.root, "elsewhere", "settings.local.json")); err != nil ||
				string(data) != "{}" {
				t.Errorf("%q, %v", data, err)
			}
			s.do(Uninit, Options{})
			s.same(before)
		})
	}
}

func TestInit_eachWorkTree(t *testing.T) {
	s := newSandbox(t)
	s.git("worktree", "add", "-q", "../other")
	before := s.everything()
	s.do(Init, Options{})
	s.doIn("other", Init, Options{})
	p := s.doIn("other", Uninit, Options{})
	if len(p.Remarks) != 1 || !strings.Contains(s.read(".git/config"), "refs/brew") {
		t.Errorf("what belongs to all work trees went with one: %q", p.Remarks)
	}
	s.do(Uninit, Options{})
	s.same(before)
}

func TestInit_sharedAndLocalDontMeet(t *testing.T) {
	s := newSandbox(t)
	s.do(Init, Options{})
	s.do(Init, Options{Shared: true})
	if _, err := os.Stat(s.path(".claude/settings.local.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("every hook would run twice: %v", err)
	}
	if p := s.do(Init, Options{}); len(p.Visible()) != 0 {
		t.Errorf("every hook would run twice: %+v", p.Visible())
	}
	if got := s.read(".claude/settings.json"); !strings.Contains(got, "command -v git-brew") {
		t.Errorf("not guarded:\n%s", got)
	}
}

// TestInit_localThenShared: with another client, too, the file for everybody is guarded,
// git shows it, and what a person had in it stays.
func TestInit_localThenShared(t *testing.T) {
	for _, c := range settings.Clients()[1:] {
		t.Run(c.Name, func(t *testing.T) {
			s := newSandbox(t)
			local, shared := Options{Agents: []string{c.Name}}, Options{Agents: []string{c.Name}, Shared: true}
			s.do(Init, local)
			if got := s.git("status", "--porcelain"); got != "" {
				t.Fatalf("git shows %s", got)
			}
			s.do(Init, shared)
			if got := s.git("status", "--porcelain", "-uall"); !strings.Contains(got, c.Shared) {
				t.Errorf("git shows %s", got)
			}
			after := s.read(c.Shared)
			if n := strings.Count(after, `"git-brew hook`); c.Text == "" && n != 0 {
				t.Errorf("%d are not guarded:\n%s", n, after)
			}
			if p := s.do(Init, shared); len(p.Visible()) != 0 {
				t.Errorf("again: %+v", p.Visible())
			}
			s.do(Uninit, Options{})
			if got := s.git("status", "--porcelain", "-uall"); strings.Contains(got, c.Shared) {
				t.Errorf("left: %s", got)
			}
		})
	}
}

func TestInit_errors(t *testing.T) {
	s := newSandbox(t)
	repo := s.open("repo")
	defer repo.Close()
	if _, err := Init(t.Context(), repo, Options{Remote: "nowhere"}); !errors.Is(err, ErrNoRemote) {
		t.Errorf("an unknown remote: %v", err)
	}
}

// TestApply_allOrNothing: where one file can't be written, those before it are
// what they were.
func TestApply_allOrNothing(t *testing.T) {
	for name, spoil := range map[string]func(*sandbox){
		"git holds its lock":            func(s *sandbox) { s.write(".git/config.lock", "", 0o644) },
		"somebody changed it meanwhile": func(s *sandbox) { s.git("config", "a.b", "c") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			s.write(".git/hooks/post-rewrite", "#!/bin/sh\n", 0o755)
			repo := s.open("repo")
			defer repo.Close()
			p, err := Init(t.Context(), repo, Options{})
			if err != nil {
				t.Fatal(err)
			}
			spoil(s)
			before := s.everything()
			if err := p.Apply(s.t.Context()); err == nil {
				t.Fatal("it was applied")
			}
			s.same(before)
		})
	}
}

func TestChange_Diff(t *testing.T) {
	text := func(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	for _, c := range []struct {
		name          string
		before, after []byte
		want          string
	}{
		{"new", nil, text("a", "b"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"gone", text("a"), nil, "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"},
		{
			"two places", text("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"),
			text("0", "x", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "y"),
			"--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n 0\n-1\n+x\n 2\n 3\n 4\n@@ -10,3 +10,4 @@\n 9\n 10\n 11\n+y\n",
		},
		{"between", text("a", "c"), text("a", "b", "c"), "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n+b\n c\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (Change{Name: "f", Before: c.before, After: c.after}).Diff(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestShare: what a first sync arranged without init is taken out by uninit, and
// init is not said to have been there.
func TestShare(t *testing.T) {
	s := newSandbox(t)
	s.git("remote", "add", "fork", "../fork")
	before := s.everything()
	share := func(remote string) Plan {
		return s.do(func(ctx context.Context, repo *gitstore.Repo, _ Options) (Plan, error) {
			return Share(ctx, repo, remote, "")
		}, Options{})
	}
	share("origin")
	if got := s.git("config", "brew.remote"); got != "origin\n" {
		t.Errorf("brew.remote is %q", got)
	}
	if p := share("origin"); len(p.Changes) > 0 {
		t.Errorf("a second time changes %+v", p.Changes)
	}
	share("fork")
	if got := s.git("config", "brew.remote"); got != "origin\n" {
		t.Errorf("with a second remote brew.remote is %q", got)
	}
	if got := s.git("config", "--get-all", "remote.fork.fetch"); !strings.Contains(got, "refs/brew/tasks/*") {
		t.Errorf("fork fetches %q", got)
	}
	repo := s.open("repo")
	defer repo.Close()
	if missing, err := HooksMissing(t.Context(), repo); err != nil || len(missing) > 0 {
		t.Errorf("nobody ran init: %v, %v", missing, err)
	}
	s.do(Uninit, Options{})
	s.same(before)
}

// A remote that takes our names only elsewhere is fetched from there.
func TestShare_namespace(t *testing.T) {
	s := newSandbox(t)
	before := s.everything()
	s.do(func(ctx context.Context, repo *gitstore.Repo, _ Options) (Plan, error) {
		return Share(ctx, repo, "origin", "refs/heads/brew/")
	}, Options{})
	if got := s.git("config", "--get-all", "remote.origin.fetch"); !strings.Contains(got,
		"+refs/heads/brew/tasks/*:refs/brew/remotes/origin/tasks/*\n") {
		t.Errorf("origin fetches %q", got)
	}
	s.do(Uninit, Options{})
	s.same(before)
}
