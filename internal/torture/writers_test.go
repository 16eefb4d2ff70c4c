package torture

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// meanwhile runs something again and again until the returned function is
// called, and at least once.
func meanwhile(do func()) (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		for {
			do()
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() {
		close(done)
		wait.Wait()
	}
}

// all runs do(0), ..., do(n-1) at once and waits for them.
func all(n int, do func(i int)) {
	var wait sync.WaitGroup
	for i := range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			do(i)
		}()
	}
	wait.Wait()
}

// log collects what was acknowledged.
type log struct {
	mu    sync.Mutex
	texts []string
}

func (l *log) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.texts = append(l.texts, text)
}

// Eight writers on one task, while git packs refs and collects garbage without
// a pause: every change that was acknowledged is there, exactly once.
func TestWriters_besideHousekeeping(t *testing.T) {
	r := newRepo(t)
	task := r.create("Busy")
	var known, phases log
	stopPacking := meanwhile(func() { r.run("", "git", "pack-refs", "--all") })
	stopCollecting := meanwhile(func() { r.run("", "git", "gc", "--quiet") })
	each := rounds(12, 200)
	all(8, func(w int) {
		for i := range each {
			text := fmt.Sprintf("writer %d keeps its operation %d in mind", w, i)
			var res result
			kept := &known
			if i%20 == 10 {
				kept, res = &phases, r.brew("phase", "add", "--task", task, text)
			} else {
				res = r.brew("learn", "--task", task, "-t", "fact", text)
			}
			if res.code != 0 {
				t.Errorf("%q: exit %d: %s", res.args, res.code, res.err)
				continue
			}
			kept.add(text)
		}
	})
	stopPacking()
	stopCollecting()
	have := r.texts(task)
	for _, text := range known.texts {
		if have[text] != 1 {
			t.Errorf("%q was acknowledged, and is there %d times", text, have[text])
		}
	}
	titles := count(lines(r, r.must("status", "--json", task), "title"))
	for _, text := range phases.texts {
		if titles[text] != 1 {
			t.Errorf("phase %q was acknowledged, and is there %d times", text, titles[text])
		}
	}
	want := fmt.Sprint(1 + len(known.texts) + len(phases.texts))
	if got := r.git("rev-list", "--count", "refs/brew/tasks/"+task); got != want {
		t.Errorf("%s commits, want %s: one an operation", got, want)
	}
	r.healthy()
}

// Creations, changes of status and readers at once: all writes succeed, none
// is lost, no reader fails.
func TestParallel_S17_createsChangesReaders(t *testing.T) {
	r := newRepo(t)
	for round := range rounds(1, 10) {
		var tasks []string
		for i := range 8 {
			tasks = append(tasks, r.create(fmt.Sprintf("Old %d of round %d", i, round)))
		}
		stop := make([]func(), 8)
		for i := range stop {
			reads := [][]string{
				{"list", "--json"},
				{"status", "--json", tasks[i]},
				{"show", tasks[i]},
				{"log", tasks[i]},
				{"next", tasks[i]},
				{"lock", "list"},
				{"list", "--all", "--porcelain"},
				{"status", tasks[i]},
			}
			stop[i] = meanwhile(func() {
				if res := r.brew(reads[i]...); res.code != 0 {
					t.Errorf("reader %q: exit %d: %s", res.args, res.code, res.err)
				}
			})
		}
		var created log
		all(16, func(i int) {
			if i < 8 {
				res := r.brew("create", "--no-switch", fmt.Sprintf("New %d of round %d", i, round))
				if res.code != 0 {
					t.Errorf("%q: exit %d: %s", res.args, res.code, res.err)
					return
				}
				created.add(fmt.Sprintf("New %d of round %d", i, round))
				return
			}
			id := tasks[i-8]
			for _, args := range [][]string{{"start", id}, {"pause", id, "-m", "it waits for a decision"}, {"start", id}} {
				if res := r.brew(args...); res.code != 0 {
					t.Errorf("%q: exit %d: %s", res.args, res.code, res.err)
				}
			}
		})
		for _, end := range stop {
			end()
		}
		titles := count(lines(r, r.must("list", "--json"), "title"))
		for _, title := range created.texts {
			if titles[title] != 1 {
				t.Errorf("task %q was acknowledged, and is listed %d times", title, titles[title])
			}
		}
		for _, id := range tasks {
			if status := lines(r, r.must("status", "--json", id), "status"); !slices.Contains(status, "in_progress") {
				t.Errorf("%s is %q, want in_progress", id, status)
			}
		}
	}
	r.healthy()
}

// Fifty hooks at once in eight work trees: each event is recorded once, and the
// events of a session that come one after the other stay in their order.
func TestHooks_S18_storm(t *testing.T) {
	r := newRepo(t)
	r.must("create", "--no-switch", "Storm")
	trees := make([]*repo, 8)
	for i := range trees {
		dir := fmt.Sprintf("%s-%d", r.dir, i)
		r.git("worktree", "add", "-q", "-b", fmt.Sprintf("side-%d", i), dir)
		trees[i] = &repo{t: t, dir: dir, env: r.env}
	}
	call := func(tree *repo, session, use string) {
		in := tree.hook("PostToolUse", session, map[string]any{
			"tool_name": "Read", "tool_use_id": use, "tool_input": map[string]any{"file_path": "/x"},
		})
		if res := tree.run(in, *program, "hook"); res.code != 0 || res.err != "" {
			t.Errorf("hook %s: exit %d: %s", use, res.code, res.err)
		}
	}
	var want []string
	total := rounds(3, 20)
	for round := range total {
		for i := range 50 {
			want = append(want, fmt.Sprintf("storm-%d-%d", round, i))
		}
		all(50, func(i int) {
			call(trees[i%8], fmt.Sprintf("s%d", i%8), fmt.Sprintf("storm-%d-%d", round, i))
		})
		// One after the other in a session, eight sessions side by side.
		all(8, func(i int) {
			for k := range 6 {
				call(trees[i], fmt.Sprintf("s%d", i), fmt.Sprintf("row-%d-%d-%d", round, i, k))
			}
		})
	}
	uses := lines(r, r.must("events", "--json"), "tool_use_id")
	have := count(uses)
	for _, use := range want {
		if have[use] != 1 {
			t.Errorf("event %s is recorded %d times", use, have[use])
		}
	}
	for i := range 8 {
		var got, expect []string
		for round := range total {
			for k := range 6 {
				expect = append(expect, fmt.Sprintf("row-%d-%d-%d", round, i, k))
			}
		}
		session := lines(r, r.must("events", "--json", "--session", fmt.Sprintf("s%d", i)), "tool_use_id")
		for _, use := range session {
			if strings.HasPrefix(use, "row-") {
				got = append(got, use)
			}
		}
		if !slices.Equal(got, expect) {
			t.Errorf("events of session s%d are\n%q, want\n%q", i, got, expect)
		}
	}
	r.healthy()
}

// git's housekeeping, as rough as it gets, while others write.
func TestHousekeeping_S19_losesNothing(t *testing.T) {
	for _, args := range [][]string{
		{"gc", "--quiet", "--prune=now", "--aggressive"},
		{"repack", "-a", "-d", "-q"},
		{"pack-refs", "--all", "--prune"},
		{"maintenance", "run", "--quiet", "--task=gc", "--task=loose-objects", "--task=incremental-repack"},
	} {
		t.Run(args[0], func(t *testing.T) {
			r := newRepo(t)
			task := r.create("Kept")
			var known log
			stop := meanwhile(func() { r.run("", "git", args...) })
			all(4, func(w int) {
				for i := range rounds(8, 60) {
					text := fmt.Sprintf("writer %d keeps its operation %d in mind", w, i)
					in := r.hook("PostToolUse", fmt.Sprintf("s%d", w), map[string]any{"tool_name": "Read", "tool_use_id": text})
					if res := r.run(in, *program, "hook"); res.code != 0 || res.err != "" {
						t.Errorf("hook: exit %d: %s", res.code, res.err)
					}
					res := r.brew("learn", "--task", task, "-t", "fact", text)
					if res.code != 0 {
						t.Errorf("%q: exit %d: %s", res.args, res.code, res.err)
						continue
					}
					known.add(text)
				}
			})
			stop()
			have := r.texts(task)
			for _, text := range known.texts {
				if have[text] != 1 {
					t.Errorf("%q was acknowledged, and is there %d times", text, have[text])
				}
			}
			r.healthy()
		})
	}
}

// Plain git moves a ref of ours between our read and our write: what it put
// there stays, and what we wrote stands on it.
func TestForeign_S20_writerIsNotOverwritten(t *testing.T) {
	r := newRepo(t)
	task := r.create("Shared")
	ref := "refs/brew/tasks/" + task
	var foreign, known log
	stop := meanwhile(func() {
		tip := r.git("rev-parse", ref)
		commit := r.git("commit-tree", tip+"^{tree}", "-p", tip, "-m", "from elsewhere "+time.Now().String())
		if res := r.run("", "git", "update-ref", ref, commit, tip); res.code == 0 {
			foreign.add(commit)
		}
	})
	all(4, func(w int) {
		for i := range rounds(5, 60) {
			text := fmt.Sprintf("writer %d keeps its operation %d in mind", w, i)
			res := r.brew("learn", "--task", task, "-t", "fact", text)
			if res.code != 0 {
				t.Errorf("%q: exit %d: %s", res.args, res.code, res.err)
				continue
			}
			known.add(text)
		}
	})
	stop()
	if len(foreign.texts) == 0 {
		t.Fatal("the foreign writer never won: nothing was tested")
	}
	have := r.texts(task)
	for _, text := range known.texts {
		if have[text] != 1 {
			t.Errorf("%q was acknowledged, and is there %d times", text, have[text])
		}
	}
	story := r.git("rev-list", ref)
	for _, commit := range foreign.texts {
		if !strings.Contains(story, commit) {
			t.Errorf("commit %s of the foreign writer is lost", commit)
		}
	}
	r.refsWhole()
}
