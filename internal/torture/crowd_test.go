//go:build unix

package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// crowd is a repository, or several clones of one, in which moody workers carry out a task.
type crowd struct {
	agents string
	phases int
}

// The task that the crowd works on, its branch, and the tiers of workers, from the lowest.
const (
	task   = "many-stories"
	target = "feature/many-stories"
	tiers  = "junior senior executive"
)

// keptTest is a test that is there before the workers are.
const keptTest = `package kept

import "testing"

func TestKept(t *testing.T) {
	if len("kept") != 4 {
		t.Fatal("it is not kept")
	}
}
`

// newCrowd makes the task in r, with so many phases, each with a command that verifies it.
func newCrowd(r *repo, phases int) crowd {
	c := crowd{agents: r.t.TempDir(), phases: phases}
	for _, name := range []string{"worker.sh", "claude"} {
		if err := os.WriteFile(filepath.Join(c.agents, name), []byte(moodyWorker), 0o777); err != nil {
			r.t.Fatal(err)
		}
	}
	c.hire(r)
	writeFile(r.t, filepath.Join(r.dir, "kept_test.go"), keptTest)
	r.git("add", "kept_test.go")
	r.git("commit", "-q", "-m", "Keep a test")
	r.must("create", "Many stories")
	for i := 1; i <= phases; i++ {
		args := []string{"phase", "add", fmt.Sprintf("Story %d", i), "--verify", verifies(i)}
		if i%2 > 0 || characterOf(i).tier != "" {
			args = append(args, "--tier", "junior") // others begin with a senior
		}
		if on := 1 + rand.N(i); i > 3 && on < i && rand.N(2) == 0 && !characterOf(on).doomed {
			args = append(args, "--depends-on", fmt.Sprint(on))
		}
		r.must(args...)
	}
	return c
}

// verifies is the command that verifies a phase.
func verifies(phase int) string { return fmt.Sprintf("test -f f%d", phase) }

// hire makes the moody workers those of a clone. Seniors write events, and whoever hangs is
// ended soon.
func (c crowd) hire(r *repo) {
	r.env = append(r.env, "AGENTS="+c.agents)
	worker := filepath.Join(c.agents, "worker.sh")
	for key, value := range map[string]string{
		"tier.junior.command": worker, "tier.executive.command": worker,
		"tier.senior.command": filepath.Join(c.agents, "claude") + " --output-format stream-json",
		"tier.junior.timeout": "1s", "run.silence": "1s", "run.review": "off",
		"escalate.juniorAfter": "50", "escalate.seniorAfter": "50",
	} {
		r.git("config", "brew."+key, value)
	}
	if *full {
		r.git("config", "gc.auto", "256") // git tidies up again and again, as it does in time
	}
	r.git("config", "gc.autoDetach", "false")
}

// run has the phases carried out until they all are; some fail.
func (c crowd) run(r *repo) result {
	r.t.Helper()
	res := r.brew("run", "--parallel", "8", task)
	if !isThrough(res.code, res.out) {
		r.t.Fatalf("exit %d\n%s%s%s", res.code, res.out, res.err, r.leftovers())
	}
	return res
}

// isThrough reports that a run came to its end, in which phases have failed.
func isThrough(code int, out string) bool { return code == 1 && strings.HasPrefix(out, "Ran ") }

// runUntil has the phases carried out, until they all are, or the run is killed after a while.
func (c crowd) runUntil(r *repo, while time.Duration) (through bool) {
	r.t.Helper()
	cmd := r.command(*program, "run", "--parallel", "8", task)
	out, said := &strings.Builder{}, &strings.Builder{}
	cmd.Stdout, cmd.Stderr = out, said
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	kill := time.AfterFunc(while, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	defer kill.Stop()
	err := cmd.Wait()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	through = isThrough(cmd.ProcessState.ExitCode(), out.String())
	if !through && status.Signal() != syscall.SIGKILL {
		r.t.Fatalf("%v\n%s%s%s", err, out, said, r.leftovers())
	}
	return through
}

// done says what has to be true once all is, on the clone r, with others: each phase came to
// what its workers' character predicts, the branch had no commit whose verification
// does not pass, never two workers were at one phase, nothing of them is left behind.
func (c crowd) done(r *repo, others ...*repo) {
	r.t.Helper()
	if data, err := os.ReadFile(filepath.Join(c.agents, "double")); err == nil {
		r.t.Errorf("two workers at once were at phases %s", data)
	}
	subjects := count(strings.Split(r.git("log", "--format=%s", target), "\n"))
	ends := map[string]int{} // the phase that came to the branch with a commit
	for line := range strings.Lines(r.must("phase", "list", "--porcelain", "--task", task).out) {
		fields := strings.Split(line, "\t")
		phase, _ := strconv.Atoi(fields[0])
		who, status, tier, commits := characterOf(phase), fields[1], fields[5], 1
		want := "completed"
		if who.doomed {
			want, commits = "failed", 0
		} else if status == want {
			ends[fields[7]] = phase
		}
		if status != want || who.tier != "" && strings.Index(tiers, tier) < strings.Index(tiers, who.tier) {
			r.t.Errorf("phase %d is %s, of tier %s, not %s, of tier %s at least:\n%s", phase, status, tier, want, who.tier,
				r.git("log", "--reverse", "--format=%s", fmt.Sprintf("--grep=^phase %d:", phase), "--glob=refs/brew/tasks"))
		}
		if n := subjects[fmt.Sprintf("Phase %d", phase)]; n != commits {
			r.t.Errorf("phase %d has %d commits on the branch, not %d", phase, n, commits)
		}
		if _, err := os.Stat(filepath.Join(c.agents, fields[0]+".told")); (err == nil) != who.told {
			r.t.Errorf("phase %d: its workers were told what is wrong: %v", phase, err == nil)
		}
	}
	if len(ends)+c.phases/10 != c.phases {
		r.t.Errorf("%d of %d phases came to the branch", len(ends), c.phases)
	}
	c.verified(r, ends, append(others, r)...)
	c.reachable(append(others, r)...)
	c.nobodyLeft(r)
	r.healthy()
}

// verified: each commit that the branch was ever at, on any clone, passes what verifies the
// phases that had come to it by then.
func (c crowd) verified(r *repo, ends map[string]int, clones ...*repo) {
	r.t.Helper()
	base := r.git("merge-base", "main", target)
	on := strings.Fields(r.git("rev-list", "--reverse", "--topo-order", base+".."+target))
	var at []string
	for _, clone := range clones {
		at = append(at, strings.Fields(clone.git("reflog", "show", "--format=%H", target))...)
	}
	for _, commit := range strings.Fields(r.git("log", "--format=%H", "--grep=^Brew-Phase: ", base+".."+target)) {
		if ends[commit] == 0 {
			r.t.Errorf("%s is merged, and is of no phase", commit)
		}
		at = append(at, commit)
	}
	for commit := range ends {
		at = append(at, commit)
	}
	slices.Sort(at)
	dir, index := r.t.TempDir(), filepath.Join(r.t.TempDir(), "index")
	git := *r
	git.env = append(slices.Clone(r.env), "GIT_INDEX_FILE="+index, "GIT_WORK_TREE="+dir)
	tree := repo{t: r.t, dir: dir, env: r.env}
	for _, commit := range slices.Compact(at) {
		if commit != base && !slices.Contains(on, commit) {
			r.t.Errorf("the branch was at %s, and has lost it", commit)
		}
		script := "! grep -rq '^<<<<<<<' .\n"
		for _, before := range strings.Fields(r.git("rev-list", commit, "^"+base)) {
			if phase := ends[before]; phase > 0 {
				script += verifies(phase) + "\n"
			}
		}
		git.git("read-tree", "--reset", "-u", commit)
		if res := tree.run(script, "sh", "-ex"); res.code != 0 {
			r.t.Errorf("the branch was at %s, which does not pass: exit %d\n%s", commit, res.code, res.err)
		}
		if kept, err := os.ReadFile(filepath.Join(dir, "kept_test.go")); err != nil || string(kept) != keptTest {
			r.t.Errorf("the branch was at %s, where a test is not what it was: %v\n%s", commit, err, kept)
		}
	}
}

// reachable: each commit of a worker is still led to by a ref of one of the clones.
func (c crowd) reachable(clones ...*repo) {
	r := clones[0]
	r.t.Helper()
	var all []string
	for _, clone := range clones {
		all = append(all, strings.Fields(clone.git("rev-list", "--all"))...)
	}
	there := count(all)
	made, err := os.ReadFile(filepath.Join(c.agents, "commits"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, commit := range strings.Fields(string(made)) {
		if there[commit] == 0 {
			r.t.Errorf("nothing leads to %s, which a worker made", commit)
		}
	}
}

// nobodyLeft: no worker, and nothing that one started, is there any more, or will be for long.
func (c crowd) nobodyLeft(r *repo) {
	r.t.Helper()
	left := ""
	for range 100 {
		left = ""
		for line := range strings.Lines(r.succeed(r.run("", "ps", "-A", "-ww", "-o", "pid=,stat=,args=")).out) {
			if strings.Contains(line, c.agents) {
				left += line
			}
		}
		if left == "" {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	r.t.Errorf("processes are left:\n%s", left)
}

// gone: no work tree and no branch of a worker is left, but those of phases that failed.
func (c crowd) gone(r *repo) {
	r.t.Helper()
	failed := c.phases / 10
	if trees := r.git("worktree", "list"); strings.Count(trees, "\n") != failed {
		r.t.Errorf("%d phases have failed, and these work trees are left:\n%s", failed, trees)
	}
	left := strings.Fields(r.git("for-each-ref", "--format=%(refname:lstrip=-1)", "refs/heads/brew"))
	if len(left) != failed || strings.Count(strings.Join(left, " ")+" ", "7 ") != failed {
		r.t.Errorf("%d phases have failed, and branches of these are left: %s", failed, left)
	}
}
