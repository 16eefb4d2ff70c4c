package torture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// clear is what every failure has to be: the code that the contract names, and
// one line that says what is wrong and holds all of these words.
func (r *repo) clear(res result, code int, words ...string) {
	r.t.Helper()
	if res.code != code {
		r.t.Errorf("%q: exit %d, want %d\n%s%s", res.args, res.code, code, res.out, res.err)
		return
	}
	if strings.Count(res.err, "\n") != 1 || !strings.HasPrefix(res.err, "git-brew: ") {
		r.t.Errorf("%q: standard error is not one line:\n%s", res.args, res.err)
	}
	for _, word := range words {
		if !strings.Contains(res.err, word) {
			r.t.Errorf("%q: %q does not say %q", res.args, res.err, word)
		}
	}
	if strings.Contains(res.err, "goroutine") || strings.Contains(res.err, "panic") ||
		strings.Contains(res.err, "internal error") {
		r.t.Errorf("%q: it crashed:\n%s", res.args, res.err)
	}
}

// A lock that a killed git left behind: the message has its path, comes soon,
// and removing the file is all there is to do.
func TestLeftoverLock_S21_namedSoon(t *testing.T) {
	r := newRepo(t)
	task := r.create("Stuck", "--phase", "One")
	r.must("learn", "--task", task, "-t", "fact", "the first thing that was learned")
	for _, c := range []struct {
		lock string
		args []string
	}{
		{"refs/brew/tasks/" + task + ".lock", []string{
			"learn", "--task", task, "-t", "fact",
			"the second thing that was learned",
		}},
		{"refs/brew/locks/" + task + ".lock", []string{"lock", "acquire", task}},
		{"refs/brew/knowledge.lock", []string{"learn", "--project", "-t", "fact", "a thing that everybody has to know"}},
		{"refs/brew/tasks/" + task + ".lock", []string{"start", task}}, // two refs in one transaction
		{"config.lock", []string{"config", "set", "gate", "off"}},
	} {
		path := filepath.Join(r.dir, ".git", filepath.FromSlash(c.lock))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, "")
		res := r.brew(c.args...)
		r.clear(res, 1, path)
		if r.late(res, 4*time.Second) {
			t.Errorf("%q: it took %v to say so", c.args, res.took)
		}
		if err := os.Remove(path); err != nil {
			t.Errorf("%q: the lock of somebody else is gone: %v", c.args, err)
		}
		r.must(c.args...)
	}
	// packed-refs is not in the way of what does not pack.
	path := filepath.Join(r.dir, ".git", "packed-refs.lock")
	writeFile(t, path, "")
	r.must("learn", "--task", task, "-t", "fact", "the third thing that was learned")
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
	r.healthy()
}

// A lock file of ours that nobody holds, as an unclean end of the machine may
// leave it, blocks nobody.
func TestLeftoverLock_S21_ourOwnBlockNobody(t *testing.T) {
	r := newRepo(t)
	task := r.create("Free")
	writeFile(t, filepath.Join(r.dir, ".git", "brew.lock"), "")
	r.must("learn", "--task", task, "-t", "fact", "the first thing that was learned")
	r.must("mode", "implementation")
	r.healthy()
}

// A hook that can't write for such a lock gives up in its time, stops nobody,
// and what it was to record is recorded later.
func TestLeftoverLock_S21_hookGivesUp(t *testing.T) {
	r := newRepo(t)
	r.create("Stuck")
	r.must("mode", "implementation") // makes this clone's record
	clone := r.git("for-each-ref", "--format=%(refname)", "refs/brew/clones")
	path := filepath.Join(r.dir, ".git", filepath.FromSlash(clone)+".lock")
	writeFile(t, path, "")
	events := []string{"SessionStart", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}
	for _, event := range events {
		res := r.run(r.hook(event, "s1", map[string]any{
			"tool_name": "Read", "tool_use_id": "stuck " + event,
			"source": "startup", "reason": "other",
		}), *program, "hook")
		if res.code != 0 && res.code != 1 || r.late(res, 2*time.Second) || strings.Count(res.err, "\n") > 1 ||
			strings.Contains(res.out, `"block"`) {
			t.Errorf("hook %s: exit %d in %v\n%s%s", event, res.code, res.took, res.out, res.err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if res := r.run(r.hook("SessionEnd", "s1", map[string]any{"reason": "other"}), *program, "hook"); res.code != 0 ||
		res.err != "" {
		t.Errorf("hook: exit %d: %s", res.code, res.err)
	}
	uses := count(lines(r, r.must("events", "--json"), "tool_use_id"))
	for _, event := range events {
		if uses["stuck "+event] != 1 {
			t.Errorf("%s is recorded %d times", event, uses["stuck "+event])
		}
	}
	r.healthy()
}

// damaged makes a repository with two tasks, one of which is about to be
// damaged.
func damaged(t *testing.T) (r *repo, sick, sound string) {
	t.Helper()
	r = newRepo(t)
	sick, sound = r.create("Sick", "--phase", "One"), r.create("Sound", "--phase", "One")
	r.must("learn", "--task", sick, "-t", "fact", "the last thing that was learned")
	return r, sick, sound
}

// usable: the other task works as ever, and lists show it, say which ref is
// broken, and end with another code than 0.
func (r *repo) usable(sick, sound string) {
	r.t.Helper()
	r.must("status", sound)
	r.must("learn", "--task", sound, "-t", "fact", "the sound task goes on as ever")
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"list", "--porcelain"}} {
		res := r.brew(args...)
		if res.code == 0 || res.code == 2 || !strings.Contains(res.out, "sound") ||
			!strings.Contains(res.err, "refs/brew/tasks/"+sick) {
			r.t.Errorf("%q: exit %d, the sound task listed: %v\n%s", args, res.code, strings.Contains(res.out, "sound"), res.err)
		}
	}
}

// Objects that were cut short or overwritten: the doctor names the object and
// the last good commit, and every other task is as usable as before.
func TestObject_S24_truncatedOrGarbled(t *testing.T) {
	for _, damage := range []struct {
		name string
		do   func([]byte) []byte
	}{
		{"empty", func([]byte) []byte { return nil }},
		{"half", func(data []byte) []byte { return data[:len(data)/2] }},
		{"garbled", func(data []byte) []byte {
			for i := len(data) / 3; i < len(data); i++ {
				data[i] ^= 0x55
			}
			return data
		}},
	} {
		for _, object := range []string{":task.json", ":op.json", ":knowledge.jsonl", "^{tree}", ""} {
			t.Run(damage.name+" "+strings.Trim(object, ":^{}"), func(t *testing.T) {
				r, sick, sound := damaged(t)
				ref := "refs/brew/tasks/" + sick
				tip, good := r.git("rev-parse", ref), r.git("rev-parse", ref+"~1")
				id := r.git("rev-parse", ref+object)
				path := filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
				data, err := os.ReadFile(path)
				if err == nil {
					err = os.Remove(path)
				}
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, path, string(damage.do(data)))
				if err := os.RemoveAll(filepath.Join(r.dir, ".git", "brew", "snapshots")); err != nil {
					t.Fatal(err)
				}
				doctor := r.brew("doctor")
				if doctor.code == 0 || doctor.code == 2 {
					t.Errorf("doctor: exit %d", doctor.code)
				}
				said := doctor.out + doctor.err
				words := []string{id[:7], ref}
				if object != "" { // no commit leads to the last good state where the tip itself is broken
					words = append(words, good[:7])
				}
				for _, word := range words {
					if !strings.Contains(said, word) {
						t.Errorf("doctor does not name %s:\n%s", word, said)
					}
				}
				if object != ":op.json" { // the state does not need it
					r.clear(r.brew("status", sick), 128, id[:7])
					r.clear(r.brew("learn", "--task", sick, "-t", "fact", "nothing can be learned any more"), 128, id[:7])
					if object == ":knowledge.jsonl" { // lists do not need it
						r.must("learn", "--task", sound, "-t", "fact", "the sound task goes on as ever")
						r.succeed(r.brew("list", "--porcelain"))
					} else {
						r.usable(sick, sound)
					}
				}
				if got := r.git("rev-parse", ref); got != tip {
					t.Errorf("the damaged task was changed: %s", got)
				}
			})
		}
	}
}

// A task of a version to come, or of no meaning at all, is reported by its
// ref, and stays what it is.
func TestTask_S25_unknownOrCorrupt(t *testing.T) {
	for _, c := range []struct {
		name  string
		state func(string) string
		words []string
	}{
		{"newer major", func(s string) string {
			return regexp.MustCompile(`"schema": *"1\.`).ReplaceAllString(s, `"schema": "2.`)
		}, []string{"2.0.0"}},
		{"no JSON", func(string) string { return "{" }, nil},
		{"null", func(string) string { return "null" }, nil},
		{"other shape", func(string) string { return `{"schema":"1.0.0","id":[],"phases":"none"}` }, nil},
		{"empty", func(string) string { return "" }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, sick, sound := damaged(t)
			ref := "refs/brew/tasks/" + sick
			state := c.state(r.git("cat-file", "-p", ref+":task.json"))
			blob := r.succeed(r.run(state, "git", "hash-object", "-w", "--stdin")).out
			listing := regexp.MustCompile(`[0-9a-f]{40}\ttask\.json`).ReplaceAllString(r.git("ls-tree", ref),
				strings.TrimSpace(blob)+"\ttask.json")
			tree := strings.TrimSpace(r.succeed(r.run(listing+"\n", "git", "mktree")).out)
			commit := r.git("commit-tree", tree, "-p", ref, "-m", "from elsewhere")
			r.git("update-ref", ref, commit)
			r.clear(r.brew("status", sick), 128, c.words...)
			r.clear(r.brew("learn", "--task", sick, "-t", "fact", "nothing can be learned any more"), 128, c.words...)
			r.usable(sick, sound)
			if doctor := r.brew("doctor"); doctor.code == 0 || !strings.Contains(doctor.out+doctor.err, ref) {
				t.Errorf("doctor: exit %d\n%s%s", doctor.code, doctor.out, doctor.err)
			}
			if got := r.git("rev-parse", ref); got != commit {
				t.Errorf("the task was changed: %s", got)
			}
		})
	}
}

// A ref whose file is empty or holds something else, as a crash of others may
// leave it.
func TestRef_S25_brokenFile(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "garbage": "this is no object id\n",
		"nothing there": strings.Repeat("12345678", 5) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			r, sick, sound := damaged(t)
			writeFile(t, filepath.Join(r.dir, ".git", "refs", "brew", "tasks", sick), text)
			res := r.brew("status", sick)
			if res.code == 0 || res.code == 2 {
				t.Errorf("status: exit %d\n%s", res.code, res.out)
			}
			r.usable(sick, sound)
		})
	}
}
