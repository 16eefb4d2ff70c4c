package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// victim is a command that is killed while it writes, and the ref that it
// moves.
type victim struct {
	name string
	ref  string
	// begin gives the arguments of its i-th run, and its standard input.
	begin func(i int) (args []string, input string)
}

// Processes are killed at random points of writing. Behind each: the old state
// or the new one, every ref whole, and the very next command works.
func TestKills_S22_oldStateOrNew(t *testing.T) {
	r := newRepo(t)
	task := r.create("Mortal", "--phase", "One")
	r.must("mode", "implementation")
	plan := filepath.Join(filepath.Dir(r.dir), "plan.md")
	victims := []victim{
		{"learn", "refs/brew/tasks/" + task, func(i int) ([]string, string) {
			return []string{"learn", "--task", task, "-t", "fact", mortal(i)}, ""
		}},
		{"learn --project", "refs/brew/knowledge", func(i int) ([]string, string) {
			return []string{"learn", "--project", "-t", "fact", mortal(i)}, ""
		}},
		{"doc set", "refs/brew/tasks/" + task, func(i int) ([]string, string) {
			return []string{"doc", "set", "--task", task, "plan", plan}, ""
		}},
		{"lock", "refs/brew/locks/" + task, func(i int) ([]string, string) {
			return []string{"lock", []string{"acquire", "release"}[i%2], task}, ""
		}},
		{"mode", "", func(i int) ([]string, string) {
			return []string{"mode", []string{"discussion", "implementation"}[i%2]}, ""
		}},
		{"create", "", func(i int) ([]string, string) {
			return []string{"create", "--no-switch", fmt.Sprintf("Made in round %d", i), "--phase", "A", "--phase", "B"}, ""
		}},
		{"hook", "", func(i int) ([]string, string) {
			return []string{"hook"}, r.hook("SessionEnd", fmt.Sprintf("s%d", i), map[string]any{"reason": "other"})
		}},
	}
	acknowledged := map[string]bool{}
	total := rounds(60, 1000)
	died := 0
	usual := map[string]time.Duration{}
	for i := range total {
		v := victims[i%len(victims)]
		if v.name == "doc set" {
			writeFile(t, plan, mortal(i)+"\n"+strings.Repeat("more of the plan\n", i%50))
		}
		before := r.tip(v.ref)
		killed, ok := r.kill(v, i, usual[v.name])
		if killed {
			died++
		}
		if ok {
			acknowledged[mortal(i)] = strings.HasPrefix(v.name, "learn")
		}
		r.refsWhole()
		r.refsNotEmpty()
		if after := r.tip(v.ref); before != "" && after != before {
			if n := r.git("rev-list", "--count", before+".."+after); n != "1" {
				t.Fatalf("%s, killed in round %d: %s commits between the old state and the new", v.name, i, n)
			}
		} else if before != "" && ok && v.name == "learn" {
			t.Fatalf("%s was acknowledged in round %d, and its ref did not move", v.name, i)
		}
		// The next one of the same kind: what blocks it would be a lock that
		// its dead brother left.
		if v.name == "doc set" {
			writeFile(t, plan, fmt.Sprintf("after %d\n", i))
		}
		args, input := v.begin(i + 1)
		if v.name == "learn" || v.name == "learn --project" {
			args[len(args)-1] = "after " + mortal(i)
		}
		if v.name == "create" {
			args[2] = fmt.Sprintf("After round %d", i)
		}
		next := r.run(input, *program, args...)
		if next.code != 0 || r.late(next, 5*time.Second) {
			t.Fatalf("after %s was killed in round %d: %q: exit %d in %v\n%s", v.name, i, next.args, next.code, next.took,
				next.err)
		}
		usual[v.name] = next.took
		if t.Failed() {
			t.Fatalf("%s, killed in round %d", v.name, i)
		}
	}
	if died < total/4 {
		t.Errorf("only %d of %d were alive when they were killed: too little was tested", died, total)
	}
	t.Logf("%d of %d killed in the middle", died, total)
	have := r.texts(task)
	for text, n := range r.texts("") {
		have[text] += n
	}
	for i := range total {
		n := have[mortal(i)]
		if n > 1 || acknowledged[mortal(i)] && n == 0 {
			t.Errorf("round %d: its knowledge is there %d times (acknowledged: %v)", i, n, acknowledged[mortal(i)])
		}
		if name := victims[i%len(victims)].name; strings.HasPrefix(name, "learn") && have["after "+mortal(i)] != 1 {
			t.Errorf("round %d: what the next command remembered is there %d times", i, have["after "+mortal(i)])
		}
	}
	// A create that was killed may leave its branch, as git would; no more.
	r.healthy()
	r.git("pack-refs", "--all")
	r.healthy()
}

func mortal(i int) string { return fmt.Sprintf("round %d was lived through by somebody", i) }

// kill starts a command and kills it after a time that it survives, or not;
// usual is how long it took when it was last left alone. ok: it had ended with
// success before.
func (r *repo) kill(v victim, i int, usual time.Duration) (killed, ok bool) {
	r.t.Helper()
	args, input := v.begin(i)
	cmd := r.command(*program, args...)
	in, err := os.CreateTemp(r.t.TempDir(), "in")
	if err == nil {
		_, err = in.WriteString(input)
	}
	if err == nil {
		_, err = in.Seek(0, 0)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	defer in.Close()
	cmd.Stdin = in
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	// Half of them where it is at work; the others up to a time in which it is
	// done.
	longest := max(usual, 10*time.Millisecond)
	if i%2 == 1 {
		longest *= 3
	}
	time.Sleep(rand.N(longest))
	_ = cmd.Process.Kill()
	err = cmd.Wait()
	return err != nil && cmd.ProcessState.ExitCode() < 0, err == nil
}

func (r *repo) tip(ref string) string {
	if ref == "" {
		return ""
	}
	return strings.TrimSpace(r.run("", "git", "rev-parse", "--verify", "--quiet", ref).out)
}

// refsNotEmpty: an empty file under refs/ is what a crash leaves where a ref is
// written in place. Locks of the dead may be empty.
func (r *repo) refsNotEmpty() {
	r.t.Helper()
	_ = filepath.WalkDir(filepath.Join(r.dir, ".git", "refs"), func(path string, d os.DirEntry, _ error) error {
		if d == nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() == 0 {
			r.t.Errorf("%s is empty", path)
		}
		return nil
	})
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
