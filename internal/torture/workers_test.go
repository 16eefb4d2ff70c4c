//go:build unix

package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// moodyWorker is an agent in the mood of a die: it does its work and says so, says nothing,
// ends with an error, says that it is done with nothing done, or writes where others write.
// Two at once on one phase leave a mark, and so does a worker that outlives its run.
const moodyWorker = `#!/bin/sh
cat >"$AGENTS/$BREW_PHASE.prompt"
busy="$AGENTS/$BREW_PHASE.busy"
if ! mkdir "$busy" 2>/dev/null; then
	kill -0 "$(cat "$busy/pid")" 2>/dev/null && echo "$BREW_PHASE" >>"$AGENTS/double"
fi
echo $$ >"$busy/pid"
finish() { rm -rf "$busy"; exit "$1"; }
grep -q '^ *CONFLICT' "$AGENTS/$BREW_PHASE.prompt" && {
	onto=$(sed -n "s/.*'git merge \([0-9a-f]*\)'.*/\1/p" "$AGENTS/$BREW_PHASE.prompt")
	git merge -q -X ours --no-edit "$onto" >/dev/null 2>&1 || { git add -A; git commit -q --no-edit; }
}
die=$(( $(od -An -N2 -tu2 /dev/urandom) % 10 ))
sleep "0.$die"
case $die in
0) finish 0 ;;
1) echo broken >&2; finish 3 ;;
2) echo '<promise>COMPLETE'; finish 0 ;;
3) git log -1 --format=%s | grep -q "^Phase $BREW_PHASE\$" || { echo '<promise>COMPLETE</promise>'; finish 0; } ;;
esac
if [ ! -f "f$BREW_PHASE" ]; then
	echo "$BREW_PHASE" >"f$BREW_PHASE"
	[ "$die" -gt 7 ] && echo "$BREW_PHASE" >>shared
fi
if [ -n "$(git status --porcelain)" ]; then # also what one left that was killed
	git add -A && git commit -q -m "Phase $BREW_PHASE" || finish 4
fi
echo '<promise>COMPLETE</promise>'
finish 0
`

// crowd is a repository, or several clones of one, in which moody workers carry out a task.
type crowd struct {
	agents string
	phases int
}

// task is what the crowd works on.
const task = "many-stories"

// newCrowd makes the task in r, with so many phases, each with a command that verifies it.
func newCrowd(r *repo, phases int) crowd {
	c := crowd{agents: r.t.TempDir(), phases: phases}
	if err := os.WriteFile(filepath.Join(c.agents, "worker.sh"), []byte(moodyWorker), 0o777); err != nil {
		r.t.Fatal(err)
	}
	c.hire(r)
	r.must("create", "Many stories")
	for i := 1; i <= phases; i++ {
		args := []string{"phase", "add", fmt.Sprintf("Story %d", i), "--verify", fmt.Sprintf("test -f f%d", i)}
		if i > 3 && rand.N(2) == 0 {
			args = append(args, "--depends-on", fmt.Sprint(1+rand.N(i-1)))
		}
		r.must(args...)
	}
	return c
}

// hire makes the moody workers those of a clone.
func (c crowd) hire(r *repo) {
	r.env = append(r.env, "AGENTS="+c.agents)
	for _, tier := range []string{"junior", "senior", "executive"} {
		r.git("config", "brew.tier."+tier+".command", filepath.Join(c.agents, "worker.sh"))
	}
	r.git("config", "brew.run.review", "off")
	for _, key := range []string{"escalate.juniorAfter", "escalate.seniorAfter"} {
		r.git("config", "brew."+key, "50")
	}
}

// runUntil has the phases carried out, until they all are, or the run is killed after a while.
func (c crowd) runUntil(r *repo, while time.Duration) (through bool) {
	r.t.Helper()
	cmd := r.command(*program, "run", "--parallel", "8", task)
	said := &strings.Builder{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			r.t.Fatalf("%v\n%s%s", err, said, r.leftovers())
		}
		return true
	case <-time.After(while):
		_ = cmd.Process.Signal(syscall.SIGKILL)
		return <-ended == nil // it was through before
	}
}

// done says what has to be true once all is: each phase is completed once, with its one
// commit on the branch, never two workers were at one, nothing of them is left behind.
func (c crowd) done(r *repo) {
	r.t.Helper()
	list := r.must("phase", "list", "--porcelain", "--task", task).out
	if n := strings.Count(list, "\tcompleted\t"); n != c.phases {
		r.t.Errorf("%d of %d phases are completed:\n%s", n, c.phases, list)
	}
	if data, err := os.ReadFile(filepath.Join(c.agents, "double")); err == nil {
		r.t.Errorf("two workers at once were at phases %s", data)
	}
	subjects := strings.Split(r.git("log", "--format=%s", "feature/many-stories"), "\n")
	for i := 1; i <= c.phases; i++ {
		n := 0
		for _, s := range subjects {
			if s == fmt.Sprintf("Phase %d", i) {
				n++
			}
		}
		if n != 1 {
			r.t.Errorf("phase %d has %d commits on the branch", i, n)
		}
	}
	r.healthy()
}

// gone: no work tree and no branch of a worker is left.
func (c crowd) gone(r *repo) {
	r.t.Helper()
	if trees := r.git("worktree", "list"); strings.Contains(trees, "\n") {
		r.t.Errorf("work trees are left:\n%s", trees)
	}
	if left := r.git("branch", "--list", "brew/*"); left != "" {
		r.t.Errorf("branches are left:\n%s", left)
	}
}

// Workers carry out phases while the run is killed again and again.
func TestRun_BR24_killedAnywhere(t *testing.T) {
	r := newRepo(t)
	c := newCrowd(r, rounds(20, 200))
	kills := 0
	for kills < rounds(15, 100) && !c.runUntil(r, rand.N(1500*time.Millisecond)) {
		kills++
	}
	res := r.must("run", "--parallel", "8", task)
	t.Logf("%d phases, %d kills; %s", c.phases, kills, strings.TrimSpace(res.out))
	c.done(r)
	c.gone(r)
}

// Two clones take turns, each killed in the middle of its own: what was done on one is not
// done again on the other.
func TestRun_BR24_killedOnTwoClones(t *testing.T) {
	hub := newHub(t)
	desks := []*repo{hub.clone("laptop", hub.fileURL()), hub.clone("desk", hub.fileURL())}
	c := newCrowd(desks[0], rounds(10, 60))
	share := func(r *repo) {
		r.git("push", "-q", "origin", "feature/many-stories")
		r.must("sync")
	}
	goOn := func(r *repo) {
		r.must("sync")
		r.must("switch", task)
		r.git("pull", "-q", "--ff-only", "origin", "feature/many-stories")
		r.must("start", "--steal", task) // whose run was killed holds it
	}
	share(desks[0])
	c.hire(desks[1])
	desks[1].must("sync")
	hashes := slices.DeleteFunc(strings.Fields(desks[1].must("trust", "list", "--porcelain").out),
		func(word string) bool { return len(word) != 64 })
	desks[1].must(append([]string{"trust", "add"}, hashes...)...)
	kills, through := 0, false
	for kills < rounds(6, 40) && !through {
		r := desks[kills%2]
		goOn(r)
		if through = c.runUntil(r, 500*time.Millisecond+rand.N(1500*time.Millisecond)); !through {
			kills++
		}
		share(r)
	}
	last := desks[kills%2]
	goOn(last)
	res := last.must("run", "--parallel", "8", task)
	t.Logf("%d phases, %d kills; %s", c.phases, kills, strings.TrimSpace(res.out))
	c.done(last)
	for _, branch := range strings.Fields(last.git("for-each-ref", "--format=%(refname)", "refs/heads/brew/")) {
		if last.git("rev-list", "-n1", branch, "^feature/many-stories") == "" {
			t.Errorf("%s is left, and all of it is merged", branch)
		}
	}
}
