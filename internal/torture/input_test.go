package torture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tame is what every answer to bad input has to be: no crash, never 2, at most
// one line of error and those of its findings, safe to print, and soon.
func (r *repo) tame(what string, res result, codes ...int) {
	r.t.Helper()
	ok := false
	for _, code := range codes {
		ok = ok || res.code == code
	}
	if !ok {
		r.t.Errorf("%s: exit %d, want %d\n%.300s%.300s", what, res.code, codes, res.out, res.err)
	}
	if res.code != 0 && strings.Count(res.err, "\n") != 1+strings.Count(res.err, "\n  ") {
		r.t.Errorf("%s: standard error is not one line:\n%.500s", what, res.err)
	}
	if len(res.err) > 6000 {
		r.t.Errorf("%s: %d bytes of error", what, len(res.err))
	}
	for _, bad := range []string{"goroutine", "panic", "internal error", "\x1b", "\x00", "\a", "\r"} {
		if strings.Contains(res.err, bad) {
			r.t.Errorf("%s: standard error holds %q: %.500q", what, bad, res.err)
		}
	}
	if r.late(res, 3*time.Second) {
		r.t.Errorf("%s: it took %v", what, res.took)
	}
}

// evilNames are names that mean something to git, to a shell, to a terminal or
// to a file system.
var evilNames = []string{
	"../../heads/main", "-rf", "--upload-pack=touch x", "a/../../b", ".", "..", "x.lock", "@{u}", "a b", "HEAD",
	"$(touch x)", "`touch x`", "; touch x", "\x1b]0;title\a", "tab\tand\nnewline", "\u202eright to left", "CON", "a\\b",
	strings.Repeat("long", 1000), "refs/heads/main", "\xff\xfe", "*", "[a]", "~", "^", ":", "?", "",
}

func TestInput_hook(t *testing.T) {
	r := newRepo(t)
	r.must("create", "--here", "Input")
	before := r.git("for-each-ref", "refs/heads", "refs/tags", "refs/brew/tasks")
	payloads := map[string]string{
		"empty": "", "white space": " \n\t ", "no JSON": "make it so", "array": "[]", "null": "null", "number": "42",
		"string":    `"x"`,
		"cut short": `{"hook_event_name":"PreToolUse","tool_name":"Wri`,
		"9 MB": `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":"` +
			strings.Repeat("x", 9<<20) + `"}}`,
		"deep array": `{"hook_event_name":"PreToolUse","tool_input":` + strings.Repeat("[", 100_000) +
			strings.Repeat("]", 100_000) + `}`,
		"deep": `{"hook_event_name":"PreToolUse","tool_input":` + strings.Repeat(`{"a":`, 100_000) + "1" +
			strings.Repeat("}", 100_000) + `}`,
		"open deep":  strings.Repeat(`{"a":`, 1_000_000),
		"NUL":        "{\"hook_event_name\":\"Stop\",\"session_id\":\"a\x00b\"}",
		"no UTF-8":   "{\"hook_event_name\":\"Stop\",\"session_id\":\"\xff\xfe\"}",
		"types":      `{"hook_event_name":["Stop"],"session_id":{"a":1},"cwd":7,"tool_input":"x"}`,
		"all wrong":  `{"hook_event_name":"Stop","session_id":1e999,"stop_hook_active":"no","background_tasks":{"a":1}}`,
		"twice":      `{"hook_event_name":"Stop"}{"hook_event_name":"Stop"}`,
		"unknown":    `{"hook_event_name":"SomethingNew","session_id":"s1"}`,
		"no event":   `{"session_id":"s1"}`,
		"evil event": `{"hook_event_name":"../../../etc/passwd\u0000\u001b[31m","session_id":"s1"}`,
		"cwd gone":   `{"hook_event_name":"Stop","session_id":"s1","cwd":"/does/not/exist"}`,
		"cwd evil":   `{"hook_event_name":"Stop","session_id":"s1","cwd":"-rf"}`,
	}
	for name, payload := range payloads {
		res := r.run(payload, *program, "hook")
		r.tame("hook with "+name, res, 0, 1)
		answer(t, name, res)
	}
	events := []string{
		"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop",
		"SubagentStop", "SessionEnd",
	}
	huge := r.hook("Stop", strings.Repeat("s", 1<<20), nil)
	r.tame("hook with a session of 1 MB", r.run(huge, *program, "hook"), 0)
	for i, name := range evilNames {
		res := r.run(r.hook(events[i%len(events)], name, map[string]any{
			"tool_name": name, "tool_use_id": name, "prompt": name, "source": name, "agent_id": name, "agent_type": name,
			"reason":     name,
			"tool_input": map[string]any{"file_path": name, "command": name, "prompt": name},
		}), *program, "hook")
		r.tame("hook with a session called "+shown(name), res, 0)
		answer(t, shown(name), res)
		r.tame("hook "+shown(name), r.run("{}", *program, "hook", noNUL(name)), 0, 1, 129)
	}
	if after := r.git("for-each-ref", "refs/heads", "refs/tags", "refs/brew/tasks"); after != before {
		t.Errorf("refs were\n%s\nand are\n%s", before, after)
	}
	r.noTouch()
	r.healthy()
}

// answer: what a hook prints is nothing, one JSON object, or (before a
// compaction) plain text, and never long.
func answer(t *testing.T, name string, res result) {
	t.Helper()
	if len(res.out) > 8<<10 {
		t.Errorf("%s: an answer of %d bytes", name, len(res.out))
	}
	if strings.HasPrefix(strings.TrimSpace(res.out), "{") && !json.Valid([]byte(res.out)) {
		t.Errorf("%s: the answer is no JSON: %s", name, res.out)
	}
}

// noTouch: nothing that a shell would have made of the evil names is there.
func (r *repo) noTouch() {
	r.t.Helper()
	for _, dir := range []string{r.dir, filepath.Dir(r.dir), filepath.Join(r.dir, ".git")} {
		if _, err := os.Lstat(filepath.Join(dir, "x")); err == nil {
			r.t.Errorf("%s was made", filepath.Join(dir, "x"))
		}
	}
}

func shown(name string) string { return strings.ToValidUTF8(name[:min(len(name), 40)], "?") }

// noNUL: a command line can't hold one.
func noNUL(name string) string { return strings.ReplaceAll(name[:min(len(name), 100_000)], "\x00", "") }

func TestInput_create(t *testing.T) {
	r := newRepo(t)
	titles := append([]string{
		"\x01\x02\x03", "\x1b[31mred\x1b[0m", "!!! ??? ...", "😀", "日本語", strings.Repeat("a", 100_000), "a\nb", "---",
		strings.Repeat("é", 2000),
	}, evilNames...)
	for _, title := range titles {
		r.tame("create "+shown(title), r.brew("create", "--no-switch", "--", noNUL(title)), 0, 5, 129)
		r.tame("create --phase "+shown(title),
			r.brew("create", "--no-switch", "Titled", "--phase", noNUL(title), "--branch", "b"+t.Name()), 0, 5, 129)
		r.git("for-each-ref") // fails on what is no ref
	}
	for _, branch := range evilNames {
		r.tame("create --branch "+shown(branch), r.brew("create", "--no-switch", "A title", "--branch", noNUL(branch)), 0, 1,
			5, 129)
		r.tame("create --from "+shown(branch),
			r.brew("create", "--no-switch", "A title", "--branch", "other", "--from", noNUL(branch)), 0, 4, 5, 129)
	}
	for _, arg := range evilNames {
		arg = noNUL(arg)
		for _, args := range [][]string{
			{"status", "--", arg},
			{"show", "--", arg},
			{"switch", "--", arg},
			{"start", "--", arg},
			{"log", "--", arg},
			{"next", "--", arg},
			{"lock", "show", "--", arg},
			{"delete", "--", arg},
			{"session", "show", "--", arg},
			{"stage", "--", arg},
			{"mode", "--", arg},
			{"doc", "get", "--", arg},
			{"phase", "start", "--", arg},
			{"question", "resolve", "--", arg},
			{"knowledge", "rm", "--", arg},
			{"config", "get", "--", arg},
			{"events", "--since", arg},
			{"--session", arg, "status"},
			{"-C", arg, "status"},
		} {
			r.tame(strings.Join(args[:len(args)-1], " ")+" "+shown(arg), r.brew(args...), 0, 1, 4, 5, 128, 129)
		}
	}
	r.noTouch()
	r.healthy()
}

func TestInput_files(t *testing.T) {
	r := newRepo(t)
	task := r.create("Files", "--phase", "One")
	dir := filepath.Dir(r.dir)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		writeFile(t, path, text)
		return path
	}
	bad := map[string]string{
		"binary":  file("binary", "\x7fELF\x00\x01\x02"),
		"latin 1": file("latin", "caf\xe9\n"),
		"huge":    file("huge", strings.Repeat("a line of a huge file\n", 1<<20)),
		"missing": filepath.Join(dir, "missing"),
		"a dir":   dir,
	}
	for name, path := range bad {
		for _, args := range [][]string{
			{"doc", "set", "--task", task, "plan", path},
			{"report", "--task", task, "1", "--agent", "developer", path},
			{"create", "--no-switch", "New", "--plan", path},
			{"create", "--no-switch", "New", "--spec", path},
			{"create", "--no-switch", "New", "--prd", path},
			{"knowledge", "import", "--task", task, path},
		} {
			r.tame(strings.Join(args[:2], " ")+" "+name, r.brew(args...), 1, 4, 5, 128, 129)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "cut short": `{"featureName":"x","tasks":[{"id":"US-1","tit`, "null": "null", "array": "[]",
		"types": `{"featureName":1,"tasks":"none"}`,
		"cycle": `{"featureName":"x","tasks":[{"id":"a","title":"A","dependsOn":["b"]},{"id":"b","title":"B","dependsOn":["a"]}]}`,
		"deep":  strings.Repeat(`{"tasks":[`, 50_000),
	} {
		r.tame("create --prd "+name, r.brew("create", "--no-switch", "--prd", file("prd", text)), 1, 5, 129)
	}
	for name, text := range map[string]string{
		"broken lines":     "{\n{\"t\":1}\n[]\nnull\n",
		"one line of 1 MB": `{"t":"fact","txt":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		r.tame("knowledge import "+name, r.brew("knowledge", "import", "--task", task, file("lines", text)), 0, 1, 5, 129)
	}
	before := r.git("rev-parse", "refs/brew/tasks/"+task)
	r.must("status", task)
	if after := r.git("rev-parse", "refs/brew/tasks/"+task); after != before {
		t.Error("reading changed the task")
	}
	r.healthy()
}
