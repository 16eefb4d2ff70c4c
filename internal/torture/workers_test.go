//go:build unix

package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
grep -q '^CONFLICT' "$AGENTS/$BREW_PHASE.prompt" && {
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

// Workers carry out phases while the run is killed again and again: each phase is completed
// once, with its commit on the branch, never two workers are at one, and nothing of them is
// left behind.
func TestRun_BR24_killedAnywhere(t *testing.T) {
	r := newRepo(t)
	agents := t.TempDir()
	script := filepath.Join(agents, "worker.sh")
	if err := os.WriteFile(script, []byte(moodyWorker), 0o777); err != nil {
		t.Fatal(err)
	}
	r.env = append(r.env, "AGENTS="+agents)
	r.git("config", "core.logAllRefUpdates", "true")
	for _, tier := range []string{"junior", "senior", "executive"} {
		r.git("config", "brew.tier."+tier+".command", script)
	}
	r.git("config", "brew.run.review", "off")
	for _, key := range []string{"escalate.juniorAfter", "escalate.seniorAfter"} {
		r.git("config", "brew."+key, "50")
	}
	phases := rounds(20, 200)
	id := "many-stories"
	r.must("create", "Many stories")
	for i := 1; i <= phases; i++ {
		args := []string{"phase", "add", fmt.Sprintf("Story %d", i), "--verify", fmt.Sprintf("test -f f%d", i)}
		if i > 3 && rand.N(2) == 0 {
			args = append(args, "--depends-on", fmt.Sprint(1+rand.N(i-1)))
		}
		r.must(args...)
	}
	kills := 0
	for kills < rounds(15, 100) {
		cmd := r.command(*program, "run", "--parallel", "8", id)
		said := &strings.Builder{}
		cmd.Stderr = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err == nil {
				kills = rounds(15, 100) // it was through
				break
			}
			t.Fatalf("after %d kills: %v\n%s%s", kills, err, said, r.leftovers())
		case <-time.After(rand.N(1500 * time.Millisecond)):
			_ = cmd.Process.Signal(syscall.SIGKILL)
			if err := <-ended; err == nil { // it was through before
				continue
			}
			kills++
		}
	}
	res := r.must("run", "--parallel", "8", id)
	t.Logf("%d phases, %d kills; %s", phases, kills, strings.TrimSpace(res.out))
	list := r.must("phase", "list", "--porcelain", "--task", id).out
	if n := strings.Count(list, "\tcompleted\t"); n != phases {
		t.Errorf("%d of %d phases are completed:\n%s", n, phases, list)
	}
	if data, err := os.ReadFile(filepath.Join(agents, "double")); err == nil {
		t.Errorf("two workers at once were at phases %s", data)
	}
	subjects := strings.Split(r.git("log", "--format=%s", "feature/many-stories"), "\n")
	for i := 1; i <= phases; i++ {
		n := 0
		for _, s := range subjects {
			if s == fmt.Sprintf("Phase %d", i) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("phase %d has %d commits on the branch", i, n)
		}
	}
	if trees := r.git("worktree", "list"); strings.Contains(trees, "\n") {
		t.Errorf("work trees are left:\n%s", trees)
	}
	if left := r.git("branch", "--list", "brew/*"); left != "" {
		t.Errorf("branches are left:\n%s", left)
	}
	r.healthy()
}
