package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/cli/work"
)

// days is how many random days at work TestNext_BC47_SP3_obeyedAfterAnyDay lives
// through.
var days = flag.Int("days", 8, "how many random days at work next is obeyed after")

// day is a repository in which people and agents do whatever they like to a task,
// and then one does what next says.
type day struct {
	*sequence
	*rand.Rand
	said  []string // the commands so far
	named int
}

func newDay(t *testing.T, seed uint64) *day {
	dir := t.TempDir()
	d := &day{Rand: rand.New(rand.NewPCG(seed, 1)), sequence: &sequence{
		t: t, repo: filepath.Join(dir, "repo"), now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
		env: append(hermetic(dir), "PATH="+os.Getenv("PATH")),
	}}
	if err := os.MkdirAll(filepath.Join(dir, "home"), 0o777); err != nil {
		t.Fatal(err)
	}
	d.git(dir, "init", "-q", "repo")
	d.write("text.md", "# Text\n\nSomething is said here.\n")
	d.git(d.repo, "add", "text.md")
	d.git(d.repo, "commit", "-q", "-m", "first")
	return d
}

func (d *day) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.repo, name), []byte(text), 0o666); err != nil {
		d.t.Fatal(err)
	}
}

// brew runs a command. Whatever was typed, it is done or refused: it neither
// fails nor breaks.
func (d *day) brew(args ...string) (out string, ok bool) {
	d.t.Helper()
	d.now = d.now.Add(time.Minute)
	code, out, errs := d.run(d.repo, "", args...)
	d.said = append(d.said, fmt.Sprintf("git brew %s  # %d %s", strings.Join(args, " "), code, strings.TrimSpace(errs)))
	if !slices.Contains([]int{0, 3, 4, 5, work.ExitVerification, 129}, code) {
		d.stop("exit %d", code)
	}
	return out, code == 0
}

func (d *day) stop(format string, args ...any) {
	d.t.Helper()
	_, list, _ := d.run(d.repo, "", "phase", "list")
	d.t.Fatalf("%s\n%s\n%s", fmt.Sprintf(format, args...), strings.Join(d.said, "\n"), list)
}

func (d *day) oneOf(words ...string) string { return words[d.IntN(len(words))] }

// phase is the id of one that there is, or could be.
func (d *day) phase() string {
	return d.oneOf("1", "1", "2", "2", "3", "1V", "2V", "1.1", "1.2", "2.1", "1R", "1a", "1b", "FR")
}

// acts are what may happen on a day, the more often the more often they stand
// here.
func (d *day) acts() []func() {
	brew := func(args ...string) func() { return func() { d.brew(args...) } }
	p := d.phase()
	work := func() {
		d.brew("phase", "start", p)
		d.brew("phase", "done", p)
	}
	reject := func() {
		work()
		d.brew("phase", "reject", p, "-m", "not yet")
	}
	up := func() {
		action := d.oneOf("research", "split", "upgrade", "reassign", "ask")
		more := map[string][]string{
			"split": {"--into", "Half", "--into", "Half"}, "reassign": {"--agent", d.oneOf("developer", "tester")},
			"ask": {"-m", "what is wanted?", "--agree", "tester", "--agree", "developer"},
		}
		d.brew(append([]string{"escalate", p, "--action", action}, more[action]...)...)
	}
	return []func(){
		work, work, work, reject, reject, reject, up, up,
		brew("start"), brew("pause"), brew("pause", "-m", "waits"), brew("start", "--restart"),
		brew("phase", "start"), brew("phase", "done"), brew("phase", "start", p), brew("phase", "done", p),
		brew("phase", "approve", p), brew("phase", "approve", p), brew("phase", "reject", p, "-m", "no"),
		brew("phase", "revise", p), brew("phase", "drop", p, "-m", "not wanted"), brew("phase", "fail", p, "-m", "stuck"),
		brew("phase", "fail", p, "-m", "stuck"),
		brew("phase", "reset", p), brew("phase", "split", p, "--into", "Half", "--into", "The other half"),
		brew("phase", "add", "More", "--depends-on", p), brew("phase", "add", "Look", "--kind", "verification", "--of", p),
		brew("phase", "add", "Why", "--kind", "research", "--of", p),
		brew("phase", "add", "All of it", "--kind", "final_review"),
		brew("phase", "edit", p, "--verify", "test -f ok"), brew("phase", "edit", p, "--no-verify", "test -f ok"),
		brew("phase", "edit", p, "--tier", d.oneOf("junior", "senior", "executive")),
		brew("phase", "edit", p, "--agent", "developer"),
		brew("verify", p), brew("verify", p),
		func() { d.write("ok", "ok\n") }, func() { _ = os.Remove(filepath.Join(d.repo, "ok")) },
		func() { d.git(d.repo, "add", "-A"); d.git(d.repo, "commit", "-q", "--allow-empty", "-m", "more") },
		brew("stage", d.oneOf("clarify", "research", "plan", "execute")),
		brew("next", "--skip", d.oneOf("clarify", "research", "plan"), "-m", "simple"),
		brew("next", "--claim", "--worker", d.oneOf("ann", "bob")), brew("phase", "done", p, "--worker", "ann"),
		brew("question", "add", "why?"), brew("question", "resolve", "1", "so"),
		brew("doc", "set", d.oneOf("spec", "plan", "phases/1/plan"), "text.md"),
		brew("remark", "add", d.oneOf("plan", "FR", "phases/1"), "a gap", "--reviewer", "ann", "--severity", "major"),
		brew("config", "set", "review.maxIterations", d.oneOf("1", "2", "3")),
		brew("config", "set", "escalate.ladder", d.oneOf("brew", "kitchen")),
		brew("config", "set", "escalate.seniorAfter", d.oneOf("1", "5")),
		brew("undo"), brew("undo"),
	}
}

// next is the step that comes next for a worker, or for who is none, and its command.
func (d *day) next(worker string) (step, command string) {
	d.t.Helper()
	args := []string{"next", "--json"}
	if worker != "" {
		args = append(args, "--worker", worker)
	}
	out, _ := d.brew(args...)
	var doc struct {
		Next struct{ Step, Command string }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		d.stop("next --json: %v: %s", err, out)
	}
	return doc.Next.Step, doc.Next.Command
}

// obey runs what next prints; what stands for something else is filled in. It
// reports whether there was anything to run.
func (d *day) obey(command string) bool {
	d.t.Helper()
	words := strings.Fields(strings.TrimPrefix(command, "git brew "))
	for i, w := range words {
		switch w {
		case "-":
			words[i] = "text.md"
		case "NAME":
			d.named++
			words[i] = "reviewer" + strconv.Itoa(d.named)
		}
	}
	switch {
	case strings.Join(words, " ") == "phase list", words[0] == "show":
		return false // somebody has to look
	case strings.Join(words, " ") == "next --all": // each of several workers goes on with its own
		words = []string{"phase", "done", d.found("in_progress", "phase", "list")}
	case words[0] == "question":
		words = []string{"question", "resolve", d.found("open", "question", "list"), "-m", "so"}
	case words[0] == "verify":
		d.write("ok", "ok\n")
	case words[0] == "escalate":
		words = d.rung(words[1])
	}
	if _, ok := d.brew(words...); !ok {
		d.stop("next says %s, and that is refused", command)
	}
	return true
}

// found is the first field of the first of a command's lines that have a word in
// the second.
func (d *day) found(word string, args ...string) string {
	d.t.Helper()
	out, _ := d.brew(append(args, "--porcelain")...)
	for line := range strings.Lines(out) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) > 1 && f[1] == word {
			return f[0]
		}
	}
	d.stop("no %s in %s", word, out)
	return ""
}

// rung is the command of a rung that is open to a phase.
func (d *day) rung(phase string) []string {
	d.t.Helper()
	out, _ := d.brew("escalate", phase, "--agree", "tester", "--agree", "developer", "--porcelain")
	d.named++
	other := "somebody" + strconv.Itoa(d.named)
	more := map[string][]string{
		"research": nil, "upgrade": nil, "split": {"--into", "Half", "--into", "Half"}, "reassign": {"--agent", other},
		"ask": {"-m", "what is wanted?", "--agree", "tester", "--agree", "developer"},
	}
	var open [][]string
	for line := range strings.Lines(out) {
		action, rest, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(rest, "open") {
			open = append(open, append([]string{"escalate", phase, "--action", action}, more[action]...))
		}
	}
	if len(open) == 0 {
		d.stop("no rung is open to phase %s: %s", phase, out)
	}
	return open[d.IntN(len(open))]
}

// BC-47, SP-3: whatever people and agents do on a day, by whichever settings, who
// runs what next prints is never refused, and comes to the end, or to where a
// person has to decide; alone, or in turns with a worker (S-11).
func TestNext_BC47_SP3_obeyedAfterAnyDay(t *testing.T) {
	for seed := range uint64(*days) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			d := newDay(t, seed)
			create := []string{"create", "Add JWT auth"}
			for range d.IntN(4) {
				create = append(create, "--phase", "Work")
			}
			if d.IntN(2) == 0 {
				create = append(create, "--plan", "text.md")
			}
			d.brew(create...)
			d.brew("start")
			for range 5 + d.IntN(30) {
				acts := d.acts()
				acts[d.IntN(len(acts))]()
			}
			d.said = append(d.said, "# and from here on by next alone")
			crew := [][]string{{""}, {"ann", ""}}[seed%2]
			const most = 250
			for i := range most {
				worker := crew[i%len(crew)]
				step, command := d.next(worker)
				if step == "done" {
					return
				}
				if worker != "" && step == "wait" && command == "git brew next --all" {
					continue
				}
				if command == "" {
					d.stop("%s, and no command", step)
				}
				if !d.obey(command) {
					return
				}
			}
			d.stop("no end after %d steps", most)
		})
	}
}
