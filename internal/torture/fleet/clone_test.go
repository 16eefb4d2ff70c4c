package fleet

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// fleet is some clones, and the hub that they share.
type fleet struct {
	t      testing.TB
	dice   *rand.Rand
	top    string
	env    []string
	hub    string
	clones []*machine
	// events: the clones share what happened in them; elsewhere: the hub takes
	// branches only.
	events, elsewhere bool
	longest           time.Duration // of the syncs at the beginning
	left              []*os.File    // ends with what an ended sync left running
	story             []string      // what was done, for a failure
}

// machine is one clone, with a clock of its own.
type machine struct {
	f    *fleet
	name string
	dir  string
	repo *gitstore.Repo
	dice *rand.Rand // its ids and its clock
	skew time.Duration
	now  time.Time
}

// source is where ids and nonces come from, so that a seed tells a history.
type source struct{ dice *rand.Rand }

func (s source) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s.dice.IntN(256))
	}
	return len(p), nil
}

var _ io.Reader = source{}

func newFleet(t testing.TB, seed uint64) *fleet {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{t: t, dice: rand.New(rand.NewPCG(seed, 15)), top: top, hub: filepath.Join(top, "hub.git")}
	f.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + top, "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(top, "gitconfig"),
		"GIT_CEILING_DIRECTORIES=" + top, "GIT_TERMINAL_PROMPT=0", "GIT_TEST_FSYNC=0", "LC_ALL=C", "TZ=UTC",
	}
	f.events, f.elsewhere = f.dice.IntN(3) == 0, f.dice.IntN(8) == 0
	config := "[user]\n\tname = Ada Example\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n" +
		"[core]\n\tfsync = none\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n" +
		"[brew \"archive\"]\n\tafter = 1d\n" +
		fmt.Sprintf("[brew \"sync\"]\n\tevents = %t\n", f.events)
	if f.elsewhere {
		config += "\tnamespace = refs/heads/brew\n"
	}
	// The ladder is near, so that histories get there.
	config += fmt.Sprintf("[brew \"review\"]\n\tby = agent\n\tmaxIterations = %d\n", 1+f.dice.IntN(3))
	if err := os.WriteFile(filepath.Join(top, "gitconfig"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	f.git(top, "init", "-q", "--bare", f.hub)
	for i := range 2 + f.dice.IntN(4) {
		f.clones = append(f.clones, f.newClone(i))
	}
	return f
}

func (f *fleet) newClone(i int) *machine {
	c := &machine{
		f: f, name: fmt.Sprintf("m%d", i), dir: filepath.Join(f.top, fmt.Sprintf("m%d", i)),
		dice: rand.New(rand.NewPCG(f.dice.Uint64(), 15)),
		skew: time.Duration(f.dice.IntN(2*365)-365) * 24 * time.Hour,
		now:  time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
	f.git(f.top, "init", "-q", c.dir)
	f.git(c.dir, "commit", "-q", "--allow-empty", "-m", "Begin")
	var remotes strings.Builder
	fmt.Fprintf(&remotes, "[remote \"hub\"]\n\turl = %s\n", f.hub)
	for p := range 5 {
		fmt.Fprintf(&remotes, "[remote \"m%d\"]\n\turl = %s\n", p, filepath.Join(f.top, fmt.Sprintf("m%d", p)))
	}
	file, err := os.OpenFile(filepath.Join(c.dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := file.WriteString(remotes.String()); err != nil {
		f.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		f.t.Fatal(err)
	}
	if i == 0 { // here a discussion ends with a text that nobody has trusted
		hook := filepath.Join(c.dir, ".brew", "hooks", "post-clarify.md")
		if err := os.MkdirAll(filepath.Dir(hook), 0o777); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(hook, []byte("# Tell\n"), 0o666); err != nil {
			f.t.Fatal(err)
		}
	}
	c.open()
	f.t.Cleanup(func() { _ = c.repo.Close() })
	return c
}

func (c *machine) open() {
	var err error
	if c.repo, err = gitstore.Open(gitstore.Options{Dir: c.dir, Environ: c.f.env, Name: "brew"}); err != nil {
		c.f.t.Fatal(err)
	}
}

func (c *machine) caller(session string) clone.Caller {
	return clone.Caller{User: "user-" + c.name, Host: c.name, Machine: c.name, Session: session}
}

// service is a new process, so to say: of the person, or of an agent's session.
func (c *machine) service(session string) *app.App {
	return app.New(app.Options{
		Repo: c.repo, Random: source{c.dice},
		Now: func() time.Time {
			c.now = c.now.Add(time.Duration(c.dice.IntN(3000)) * time.Millisecond)
			return c.now.Add(c.skew)
		},
		Caller: c.caller(session),
	})
}

func (f *fleet) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, f.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (f *fleet) git(dir string, args ...string) string {
	out, err := f.tryGit(dir, args...)
	if err != nil {
		f.fail("git %s in %s: %v\n%s", strings.Join(args, " "), dir, err, out)
	}
	return out
}

func (f *fleet) tell(format string, args ...any) {
	f.story = append(f.story, fmt.Sprintf(format, args...))
}

func (f *fleet) fail(format string, args ...any) {
	f.t.Helper()
	f.t.Fatalf(format+"\nwhat was done:\n  %s", append(args, strings.Join(f.story, "\n  "))...)
}

func pick[T any](f *fleet, from []T) T { return from[f.dice.IntN(len(from))] }

// shared are the refs that all clones must agree on, as a repository has them.
func (f *fleet) shared(dir string) []string {
	prefix := "refs/brew/"
	if f.elsewhere && dir == f.hub {
		prefix = "refs/heads/brew/"
	}
	kinds := []string{"tasks", "locks", "knowledge", "notes", "config", "archive"}
	if f.events {
		kinds = append(kinds, "clones")
	}
	args := []string{"for-each-ref", "--format=%(refname) %(objectname)"}
	for _, kind := range kinds {
		args = append(args, prefix+kind)
	}
	return slices.Collect(strings.Lines(strings.ReplaceAll(f.git(dir, args...), prefix, "")))
}
