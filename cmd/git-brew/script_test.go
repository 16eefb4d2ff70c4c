package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/hooks"
)

// clockVariable sets the program's clock in scripts. The program itself does
// not know it: only the copy that this test binary runs looks at it.
const clockVariable = "SCRIPT_NOW"

// terminalVariable says that a person types what a script runs.
const terminalVariable = "SCRIPT_TERMINAL"

// topVariable has the process that runs the scripts: what is above it, such as an
// agent that runs the tests, is not theirs.
const topVariable = "SCRIPT_TOP"

// scriptsProcess looks a process of a script up.
func scriptsProcess(pid int) (hooks.Process, bool) {
	if strconv.Itoa(pid) == os.Getenv(topVariable) {
		return hooks.Process{}, false
	}
	return processOf(pid)
}

// payloadsVariable names the directory of recorded hook payloads.
const payloadsVariable = "SCRIPT_PAYLOADS"

// versionVariable says which release a script's git-brew is of.
const versionVariable = "SCRIPT_VERSION"

// TestMain lets scripts run this binary as git-brew, also through git and
// through git's hooks, as hook (see hookProgram), and
// as agent (agentProgram).
func TestMain(m *testing.M) {
	gitstoretest.InMemory() // the programs of a script have a TMPDIR
	testscript.Main(m, map[string]func(){
		"git-brew": func() { os.Exit(run(interruptible(), os.Args[1:], scriptEnv())) },
		"hook":     func() { os.Exit(hookProgram(os.Args[1:])) },
		"trust-all": func() { // as somebody at a terminal who says yes
			e := scriptEnv()
			e.Attended, e.In = true, strings.NewReader("y\n")
			os.Exit(run(interruptible(), []string{"trust", "add", "--all"}, e))
		},
		"agent":  func() { os.Exit(agentProgram(os.Args[1:])) },
		"claude": func() { os.Exit(agentProgram(os.Args[1:])) },
		"codex":  func() { os.Exit(agentProgram(os.Args[1:])) },
	})
}

// scriptEnv is the real environment with the script's clock and person.
func scriptEnv() *cli.Env {
	e := systemEnv()
	e.User, e.Host = e.Getenv("USER"), e.Getenv("HOSTNAME")
	e.Attended = e.Getenv(terminalVariable) != ""
	if version := e.Getenv(versionVariable); version != "" {
		e.Version = func() string { return version }
	}
	e.Above = func() string { return hooks.AgentAbove(os.Getppid(), scriptsProcess) }
	if now, err := time.Parse(time.RFC3339, os.Getenv(clockVariable)); err == nil {
		e.Now = func() time.Time { return now }
	}
	return e
}

func TestScripts(t *testing.T) {
	payloads, err := filepath.Abs("../../internal/hooks/testdata/payloads")
	if err != nil {
		t.Fatal(err)
	}
	plain := ""
	if raced {
		plain = unraced(t)
	}
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		UpdateScripts:      *update,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, hermetic(e.WorkDir)...)
			e.Setenv(payloadsVariable, payloads)
			e.Setenv(topVariable, strconv.Itoa(os.Getpid()))
			if plain != "" && !strings.HasPrefix(filepath.Base(e.WorkDir), "script-sync_") {
				e.Setenv("PATH", plain+string(os.PathListSeparator)+e.Getenv("PATH"))
			}
			return os.Mkdir(filepath.Join(e.WorkDir, "home"), 0o777)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"as":    cmdAs,
			"at":    cmdAt,
			"exits": cmdExits,
			"json":  cmdJSON,
			"obey":  cmdObey,
			"same":  cmdSame,
		},
	})
}

// unraced is a directory with the programs of TestMain, built without the race
// detector. It takes four fifths of the time of a process that lives for ten
// milliseconds, two thousand times, and finds what the packages' own tests run
// under it, too. Scripts about syncs, where a command does several things at
// once, keep it.
func unraced(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "git-brew"+executable())
	build := exec.Command("go", "test", "-race=false", "-c", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	for _, name := range []string{"hook", "agent", "claude", "codex"} {
		if err := os.Link(program, filepath.Join(dir, name+executable())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// executable ends the name of a program.
func executable() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// hermetic is an environment in which git and git-brew see nothing of the
// machine: no configuration, no identity, no clock, no agent.
func hermetic(dir string) []string {
	home := filepath.Join(dir, "home")
	return []string{
		"HOME=" + home, "USERPROFILE=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"),
		"GIT_TEST_FSYNC=0",         // what survives a power cut is gitstore's to test
		"GORACE=atexit_sleep_ms=0", // the race detector waits a second at every exit otherwise
		"GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always",
		"GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + dir,
		"GIT_AUTHOR_NAME=Mara", "GIT_AUTHOR_EMAIL=mara@example.org",
		"GIT_COMMITTER_NAME=Mara", "GIT_COMMITTER_EMAIL=mara@example.org",
		"USER=mara", "LOGNAME=mara", "HOSTNAME=laptop",
		"GIT_AUTHOR_DATE=" + firstMoment, "GIT_COMMITTER_DATE=" + firstMoment, clockVariable + "=" + firstMoment,
		"LC_ALL=C", "TZ=UTC", "TERM=dumb", "GOTRACEBACK=single",
	}
}

// firstMoment is when every script begins.
const firstMoment = "2026-01-05T09:00:00Z"

// cmdAt sets the clock: `at 2026-01-05T10:00:00Z`, or forward: `at +90m`.
func cmdAt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: at <RFC 3339 time> | at +<duration>")
	}
	now := args[0]
	if step, ok := strings.CutPrefix(now, "+"); ok {
		d, err := time.ParseDuration(step)
		ts.Check(err)
		before, err := time.Parse(time.RFC3339, ts.Getenv(clockVariable))
		ts.Check(err)
		now = before.Add(d).Format(time.RFC3339)
	}
	_, err := time.Parse(time.RFC3339, now)
	ts.Check(err)
	for _, name := range []string{clockVariable, "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		ts.Setenv(name, now)
	}
}

// cmdAs makes somebody else sit at the keyboard: `as Jo`.
func cmdAs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: as <name>")
	}
	user := strings.ToLower(args[0])
	for _, role := range []string{"AUTHOR", "COMMITTER"} {
		ts.Setenv("GIT_"+role+"_NAME", args[0])
		ts.Setenv("GIT_"+role+"_EMAIL", user+"@example.org")
	}
	ts.Setenv("USER", user)
	ts.Setenv("LOGNAME", user)
}

// cmdExits runs a program that must end with this very exit code: `exits 5 git
// brew finish`. Its output is there for stdout and stderr.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits <code> <program> [<args>...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// maxSteps is how many steps a task of a few phases may take to its end.
const maxSteps = 40

// cmdObey runs what `git brew next` prints, and nothing else, until there is
// nothing more to run: `obey text.md` gives that file where one is wanted, and
// the words that stand for something else as they are.
func cmdObey(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: obey <file>")
	}
	for range maxSteps {
		ts.Check(ts.Exec("git", "brew", "next", "--porcelain"))
		fields := strings.Split(strings.TrimRight(ts.ReadFile("stdout"), "\n"), "\t")
		words := strings.Fields(fields[len(fields)-1])
		if fields[0] == "done" {
			return
		}
		if len(words) == 0 {
			ts.Fatalf("no command for %q", fields[0])
		}
		for i, w := range words {
			if w == "-" {
				words[i] = args[0]
			}
		}
		ts.Logf("[%s]", strings.Join(words, " "))
		ts.Check(ts.Exec(words[0], words[1:]...))
	}
	ts.Fatalf("no end after %d steps", maxSteps)
}

// cmdSame syncs what is here with the clone in ../desk, and wants the same
// answers there: what comes next, what is ready, and what the task is.
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: same")
	}
	questions := [][]string{
		{"next", "add-jwt", "--json"},
		{"next", "add-jwt", "--all", "--json"},
		{"phase", "list", "--task", "add-jwt", "--json"},
		{"show", "add-jwt", "--json"},
	}
	ask := func(dir string) []string {
		var answers []string
		for _, q := range questions {
			ts.Check(ts.Exec("git-brew", append([]string{"-C", dir}, q...)...))
			answers = append(answers, ts.ReadFile("stdout"))
		}
		return answers
	}
	ts.Check(ts.Exec("git-brew", "sync"))
	ts.Check(ts.Exec("git-brew", "-C", "../desk", "sync"))
	here, there := ask("."), ask("../desk")
	for i, q := range questions {
		if here[i] != there[i] {
			ts.Fatalf("git brew %s says here\n%s\nand there\n%s", strings.Join(q, " "), here[i], there[i])
		}
	}
}

// cmdJSON looks at the last program's standard output as JSON: `json
// .task.status in_progress`, `json .phases.items[1].id 2`, `json '.items |
// length' 3`, `json .task null`. Several documents (JSONL) are an array of them.
// Without a value, the path must be there; with !, it must not be, or differ.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: [!] json <path> [<value>]")
	}
	var values []any
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	for dec.More() {
		var value any
		if err := dec.Decode(&value); err != nil {
			ts.Fatalf("standard output is no JSON: %v", err)
		}
		values = append(values, value)
	}
	var doc any = values
	if len(values) == 1 {
		doc = values[0]
	}
	got, err := lookUp(doc, args[0])
	switch {
	case neg && len(args) == 1 && err == nil:
		ts.Fatalf("%s is there: %s", args[0], got)
	case neg && err == nil && got == args[1]:
		ts.Fatalf("%s is %q", args[0], got)
	case !neg && err != nil:
		ts.Fatalf("%v", err)
	case !neg && len(args) == 2 && got != args[1]:
		ts.Fatalf("%s is %q, want %q", args[0], got, args[1])
	}
}

// lookUp finds the value at a path such as .a.b[0] and gives it as text:
// strings as they are, everything else as JSON.
func lookUp(doc any, path string) (string, error) {
	path, counted := strings.CutSuffix(strings.ReplaceAll(path, " ", ""), "|length")
	at := doc
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch here := at.(type) {
		case map[string]any:
			next, ok := here[key]
			if !ok {
				return "", fmt.Errorf("%s: there is no %q", path, key)
			}
			at = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(here) {
				return "", fmt.Errorf("%s: there is no [%s] among %d", path, key, len(here))
			}
			at = here[i]
		default:
			return "", fmt.Errorf("%s: %q is asked of %v", path, key, at)
		}
	}
	if counted {
		switch here := at.(type) {
		case map[string]any:
			return strconv.Itoa(len(here)), nil
		case []any:
			return strconv.Itoa(len(here)), nil
		}
	}
	if text, ok := at.(string); ok {
		return text, nil
	}
	text, err := json.Marshal(at)
	return string(text), err
}
