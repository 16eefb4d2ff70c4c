package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The sessions that call hooks: the one that holds the task, and another.
const (
	holder = "7f3a9c01-0000-4000-8000-000000000001"
	other  = "7f3a9c01-0000-4000-8000-000000000002"
)

// row is one thing that is measured.
type row struct {
	what, repo string
	dir        string
	args       func(i int) []string // after the program's name; nil: git rev-parse HEAD
	git        bool                 // the program is git
	input      string
	every      int          // measured in every so many rounds only; 0: in all
	before     func() error // not measured
	// against is the row that this one is a multiple of, and limit what it
	// must and should not be above; 0: no limit.
	against    *row
	must, aim  float64
	limitMS    bool // the limits are milliseconds
	times      []time.Duration
	memory     int64 // of one run, in KiB
	wantMemory bool
}

// rows lists everything that is measured, and what design §8 asks of it.
func (s *suite) rows() []*row {
	var all []*row
	add := func(r row) *row {
		all = append(all, &r)
		return &r
	}
	in := func(dir string) string {
		return map[string]string{s.small: "small", s.big: "630,000 objects", s.many: "10,000 tasks"}[dir]
	}
	always := func(args ...string) func(int) []string { return func(int) []string { return args } }
	edit := map[string]any{
		"tool_name": "Edit", "tool_use_id": "u1",
		"tool_input": map[string]any{"file_path": "x.go", "old_string": "a", "new_string": "b"},
	}
	read := map[string]any{"tool_name": "Read", "tool_use_id": "u1", "tool_input": map[string]any{"file_path": "x.go"}}
	hooks := []struct {
		what, event, session string
		more                 map[string]any
	}{
		{"hook PreToolUse, Edit", "PreToolUse", holder, edit},
		{"hook PreToolUse, Read", "PreToolUse", holder, read},
		{"hook PostToolUse, Edit", "PostToolUse", holder, edit},
		{
			"hook UserPromptSubmit", "UserPromptSubmit", holder,
			map[string]any{"prompt": "Please look at the token model once more."},
		},
		{"hook Stop, of another session", "Stop", other, nil},
	}
	base := map[string]*row{}
	first := map[string]*row{}
	for _, dir := range []string{s.small, s.big, s.many} {
		base[dir] = add(row{what: "git rev-parse HEAD", repo: in(dir), dir: dir})
	}
	// Hooks, the hot path: against git in the small repository, and against
	// themselves in the large ones.
	for _, h := range hooks {
		for _, dir := range []string{s.small, s.big, s.many} {
			r := row{
				what: h.what, repo: in(dir), dir: dir, args: always("hook"),
				input: payload(dir, h.event, h.session, h.more), against: base[s.small], must: 3, aim: 2, wantMemory: true,
			}
			if dir != s.small {
				r.against, r.must, r.aim = first[h.what], 1.15, 1.05
			}
			made := add(r)
			if dir == s.small {
				first[h.what] = made
			}
		}
	}
	for _, c := range []struct {
		what      string
		args      func(int) []string
		must, aim float64
	}{
		{"statusline", always("statusline"), 3, 2},
		{"status", always("status"), 5, 3},
		{"next", always("next"), 5, 3},
		{"one state change: stage", func(i int) []string {
			return []string{"stage", []string{"plan", "execute"}[i%2], "--session", holder}
		}, 12, 8},
		{"one state change: learn", func(i int) []string {
			return []string{"learn", "-t", "fact", fmt.Sprintf("measurement %d was made at %d", i, time.Now().UnixNano())}
		}, 12, 8},
	} {
		for _, dir := range []string{s.small, s.big, s.many} {
			r := row{
				what: c.what, repo: in(dir), dir: dir, args: c.args, against: base[s.small], must: c.must, aim: c.aim,
				wantMemory: true,
			}
			if dir != s.small {
				r.against, r.must, r.aim = first[c.what], 1.15, 1.05
			}
			made := add(r)
			if dir == s.small {
				first[c.what] = made
			}
		}
	}
	add(row{what: "list", repo: in(s.small), dir: s.small, args: always("list"), against: base[s.small], every: 5})
	// What comes before it in the round changed one task; the next one finds that
	// nothing has changed.
	add(row{
		what: "list, after a change", repo: in(s.many), dir: s.many, args: always("list"), limitMS: true, every: 10,
		wantMemory: true,
	})
	add(row{
		what: "list, warm", repo: in(s.many), dir: s.many, args: always("list"), must: 100, aim: 50, limitMS: true,
		every: 10, wantMemory: true,
	})
	add(row{
		what: "list, cold", repo: in(s.many), dir: s.many, args: always("list"), limitMS: true, every: 100,
		before: func() error {
			for _, cache := range []string{"snapshots", "index-tasks", "index-locks"} {
				if err := os.RemoveAll(filepath.Join(s.many, ".git", "brew", cache)); err != nil {
					return err
				}
			}
			return nil
		},
	})
	// The record: what was sealed, and the sums of days that are over.
	for _, args := range [][]string{
		{"events", "--since", "1d"},
		{"events", "--since", "7d", "--json"},
		{"stats"},
		{"stats", "--since", "7d", "--json"},
	} {
		add(row{
			what: strings.Join(args, " "), repo: in(s.many), dir: s.many, args: always(args...), must: 200, aim: 100,
			limitMS: true, every: 10, wantMemory: true,
		})
	}
	add(row{
		what: "stats, for the first time", repo: in(s.many), dir: s.many, args: always("stats"), limitMS: true,
		every: 100, before: func() error {
			return os.RemoveAll(filepath.Join(s.many, ".git", "brew", "days-summed"))
		},
	})
	s.exchangeRows(add, in)
	return all
}

// payload is the input of a hook.
func payload(dir, event, session string, more map[string]any) string {
	fields := map[string]any{
		"session_id": session, "transcript_path": "/home/mara/.claude/projects/x/" + session + ".jsonl", "cwd": dir,
		"permission_mode": "default", "hook_event_name": event,
	}
	for key, value := range more {
		fields[key] = value
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return ""
	}
	return string(text)
}

// run measures all rows in turn, again and again, beginning with another one
// each time.
func (s *suite) run(runs int, rows []*row) {
	git, err := exec.LookPath("git")
	if err != nil {
		s.t.Fatal(err)
	}
	inputs := make([]string, len(rows))
	for i, r := range rows {
		inputs[i] = filepath.Join(s.work, "input-"+strconv.Itoa(i))
		if err := os.WriteFile(inputs[i], []byte(r.input), 0o666); err != nil {
			s.t.Fatal(err)
		}
	}
	const warmUp = 3
	for round := -warmUp; round < runs; round++ {
		for k := range rows {
			i := (k + max(round, 0)*7) % len(rows)
			r := rows[i]
			if r.every > 0 && round%r.every != 0 {
				continue
			}
			if r.before != nil {
				if err := r.before(); err != nil {
					s.t.Fatal(err)
				}
			}
			argv := []string{git, "rev-parse", "HEAD"}
			if r.args != nil {
				name := *program
				if r.git {
					name = git
				}
				argv = append([]string{name}, r.args(round+warmUp)...)
			}
			took := s.once(r.dir, inputs[i], argv)
			if round >= 0 {
				r.times = append(r.times, took)
			}
		}
	}
	for i, r := range rows {
		if r.wantMemory {
			r.memory = s.weigh(r.dir, inputs[i], append([]string{*program}, r.args(runs+warmUp)...))
		}
	}
}

// once runs a process and gives how long that took, from before it was started
// until it was gone. Its output goes nowhere.
func (s *suite) once(dir, input string, argv []string) time.Duration {
	in, err := os.Open(input)
	if err != nil {
		s.t.Fatal(err)
	}
	defer in.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer null.Close()
	attr := &os.ProcAttr{Dir: dir, Env: s.environment(), Files: []*os.File{in, null, null}}
	begin := time.Now()
	p, err := os.StartProcess(argv[0], argv, attr)
	if err != nil {
		s.t.Fatal(err)
	}
	state, err := p.Wait()
	took := time.Since(begin)
	if err != nil || !state.Success() {
		s.t.Fatalf("%q in %s: %v %v", argv, dir, state, err)
	}
	return took
}

// weigh gives the most memory that a process held, in KiB. A child begins with
// its parent's mark, so a small parent stands in between.
func (s *suite) weigh(dir, input string, argv []string) int64 {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := s.command(dir, self, argv...)
	cmd.Env = append(cmd.Env, launchVariable+"=1", "GOGC=off")
	if cmd.Stdin, err = os.Open(input); err != nil {
		s.t.Fatal(err)
	}
	size, err := strconv.ParseInt(strings.TrimSpace(s.done(cmd)), 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return size
}

// launch runs a program and prints its peak memory in KiB.
func launch(argv []string) int {
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Files: []*os.File{os.Stdin, nil, os.Stderr}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	state, err := p.Wait()
	if err != nil || !state.Success() {
		fmt.Fprintln(os.Stderr, state, err)
		return 1
	}
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 1
	}
	size := int64(usage.Maxrss)
	if runtime.GOOS == "darwin" {
		size /= 1024
	}
	fmt.Println(size)
	return 0
}

// quantile of the times of a row: 0.5 is the median.
func (r *row) quantile(q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(r.times))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// value is what the row's limits are about.
func (r *row) value() float64 {
	median := float64(r.quantile(0.5))
	if r.against == nil {
		return median / float64(time.Millisecond)
	}
	return median / float64(r.against.quantile(0.5))
}
