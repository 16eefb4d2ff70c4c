package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
)

// rig is a repository that processes of git-brew work in.
type rig struct {
	t   *testing.T
	dir string
	env []string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	dir := t.TempDir()
	r := &rig{t: t, dir: filepath.Join(dir, "repo"), env: append(hermetic(dir), "PATH="+os.Getenv("PATH"))}
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r.must("git", "init", "-q")
	r.must("git", "commit", "-q", "--allow-empty", "-m", "one")
	return r
}

// ran is what became of a process.
type ran struct {
	code           int
	stdout, stderr string
}

func (r *rig) run(args ...string) ran {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = r.dir, r.env
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	code := cmd.ProcessState.ExitCode()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		code = -1
	}
	return ran{code, out.String(), errOut.String()}
}

func (r *rig) must(args ...string) string {
	r.t.Helper()
	got := r.run(args...)
	if got.code != 0 {
		r.t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), got.code, got.stderr)
	}
	return got.stdout
}

// together runs commands at the same time.
func (r *rig) together(n int, args func(i int) []string) []ran {
	all := make([]ran, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i] = r.run(args(i)...) })
	}
	wg.Wait()
	return all
}

// Eight processes claim a task at the same instant: one gets it, the others are
// told who did.
func TestClaim_S10_oneOfEight(t *testing.T) {
	const workers, rounds = 8, 4
	r := newRig(t)
	r.must("git-brew", "create", "Add JWT auth")
	for round := range rounds {
		got := r.together(workers, func(i int) []string {
			return []string{"git-brew", "start", "--session", fmt.Sprintf("s%d-%d", round, i)}
		})
		winner := ""
		for i, g := range got {
			if g.code == cli.ExitDone {
				winner += fmt.Sprintf("s%d-%d", round, i)
			}
		}
		for i, g := range got {
			if g.code == cli.ExitDone {
				continue
			}
			if g.code != cli.ExitHeld || !strings.Contains(g.stderr, "is held by session "+winner+" on mara@") {
				t.Errorf("round %d: worker %d: exit %d: %s; the winner is %q", round, i, g.code, g.stderr, winner)
			}
		}
		if strings.Count(winner, "s") != 1 {
			t.Fatalf("round %d: winners: %q, want one", round, winner)
		}
		r.must("git-brew", "lock", "release")
	}
}

// Agents that write at once each change their own entity only, and nothing is
// lost.
func TestWriters_S40_eachItsOwn(t *testing.T) {
	const workers = 6
	r := newRig(t)
	args := []string{"git-brew", "create", "Add JWT auth"}
	for i := range workers {
		args = append(args, "--phase", fmt.Sprintf("Part %d", i+1))
	}
	r.must(args...)
	r.must("git-brew", "start")
	file := filepath.Join(r.dir, "text.md")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, g := range r.together(2*workers, func(i int) []string {
		phase := fmt.Sprint(i/2 + 1)
		if i%2 == 0 {
			return []string{"git-brew", "phase", "start", phase}
		}
		return []string{"git-brew", "doc", "set", "phases/" + phase + "/plan", "text.md"}
	}) {
		if g.code != cli.ExitDone {
			t.Errorf("writer %d: exit %d: %s", i, g.code, g.stderr)
		}
	}
	phases := r.must("git-brew", "phase", "list", "--porcelain")
	if n := strings.Count(phases, "\tin_progress\tnone\t1\t"); n != workers {
		t.Errorf("%d of %d phases are executing, each in its first iteration:\n%s", n, workers, phases)
	}
	docs := r.must("git-brew", "doc", "list", "--porcelain")
	if n := strings.Count(docs, "/plan\t5\t"); n != workers {
		t.Errorf("%d of %d plans are there:\n%s", n, workers, docs)
	}
}
