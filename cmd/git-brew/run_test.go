package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/ui"
)

// testEnv is an outside world that is not there, with what is printed.
func testEnv() (e *cli.Env, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &cli.Env{
		Machine: func() string { return "" },
		In:      strings.NewReader(""), Out: out, Err: errs,
		Getenv: func(string) string { return "" },
		Now:    func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) },
		Dir:    "/",
		Flush:  func() error { return nil },
	}, out, errs
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("no\nmore") }

func TestRun_panicIsExit1AndOneLine(t *testing.T) {
	e, _, errs := testEnv()
	e.Out = panicking{}
	if code := run(t.Context(), []string{"version"}, e); code != cli.ExitFailed {
		t.Errorf("exit %d, want %d", code, cli.ExitFailed)
	}
	line := errs.String()
	if strings.Count(line, "\n") != 1 || !strings.HasPrefix(line, "git-brew: internal error: no; more at ") ||
		!strings.Contains(line, "panicking") {
		t.Errorf("said %q", line)
	}
}

func TestWithDefaultCommand(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "status"},
		{"--json", "status --json"},
		{"-C dir -q", "status -C dir -q"},
		{"-C status", "status -C status"},
		{"--session=x --brief", "status --session=x --brief"},
		{"list", "list"},
		{"-C dir list", "-C dir list"},
		{"-h", "-h"},
		{"-C dir --help", "-C dir --help"},
		{"--version", "--version"},
	} {
		if got := strings.Join(withDefaultCommand(strings.Fields(c.args)), " "); got != c.want {
			t.Errorf("%q became %q, want %q", c.args, got, c.want)
		}
	}
}

func TestDirectCommand(t *testing.T) {
	for args, want := range map[string]bool{
		"hook":                    true,
		"hook Stop":               true,
		"hook pre-push origin -x": true,
		"statusline":              true,
		"hook -h":                 false,
		"hook --session=s Stop":   false,
		"status":                  false,
		"":                        false,
	} {
		if got := directCommand(strings.Fields(args)) != nil; got != want {
			t.Errorf("%q: %v, want %v", args, got, want)
		}
	}
}

func TestEnvDir_addsUpAsGitDoes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		dirs []string
		want string
	}{
		{nil, dir},
		{[]string{""}, dir},
		{[]string{"/"}, "/"},
		{[]string{"/", dir, "."}, dir},
	} {
		e := &cli.Env{Dir: dir, Flags: cli.GlobalFlags{Dirs: c.dirs}}
		if got, err := e.WorkDir(); err != nil || got != c.want {
			t.Errorf("%q: %q, %v, want %q", c.dirs, got, err, c.want)
		}
	}
	e := &cli.Env{Dir: dir, Flags: cli.GlobalFlags{Dirs: []string{"missing"}}}
	if _, err := e.WorkDir(); cli.Judge(err).Code != cli.ExitBroken {
		t.Errorf("a directory that is not there: %v", err)
	}
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		code int
		line string
	}{
		{"nothing", nil, 0, ""},
		{"any failure", errors.New("no space left"), 1, "git-brew: no space left\n"},
		{
			"wrapped", fmt.Errorf("read: %w", &cli.UsageError{Msg: "bad", Hint: "do this"}), 129,
			"git-brew: read: bad; do this\n",
		},
		{"its own hint once", fmt.Errorf("a; do this%w", &hintedError{}), 129, "git-brew: a; do this\n"},
		{"git's own words", errors.New("git: error: a\n\tb\nAborting\n"), 1, "git-brew: git: error: a; b; Aborting\n"},
		{"the reader is gone", fmt.Errorf("write: %w", cli.ErrBrokenPipe), 0, ""},
		{"said already", fmt.Errorf("run: %w", cli.ExitWith(33)), 33, ""},
		{"control characters", errors.New("a\x1b[31m"), 1, "git-brew: a\\x1b[31m\n"},
		{
			"no git", fmt.Errorf("read: %w", gitstore.ErrNoGit), 128,
			"git-brew: read: git is not installed, or not in PATH; install git\n",
		},
		{
			"a held lock", &lease.HeldError{Lock: lease.Lock{Task: "fix-login-2222222", User: "jo", Host: "desk"}}, 3,
			"git-brew: fix-login is held by jo@desk; wait, or a person takes it over with 'git brew start --steal fix-login' " +
				"if the holder is gone\n",
		},
		{
			"a rule", &task.RefusedError{Msg: "2 phases are open", Hint: "complete them", Findings: []string{"1", "2"}}, 5,
			"git-brew: 2 phases are open; complete them\n",
		},
		{
			"a wrong value", fmt.Errorf("set: %w", clone.Invalid("it is a or b", `no mode "x"`)), 129,
			"git-brew: set: no mode \"x\"; it is a or b\n",
		},
		{
			"a wrong value of a task", &task.RefusedError{Code: task.CodeInvalid, Msg: "\"x\" is no stage", Hint: "use a"}, 129,
			"git-brew: \"x\" is no stage; use a\n",
		},
		{
			"a file that is closed", fmt.Errorf("lock: %w",
				&fs.PathError{Op: "open", Path: "/r/.git/brew.lock", Err: syscall.EACCES}), 1,
			"git-brew: lock: open /r/.git/brew.lock: permission denied; see who owns it, with 'ls -ld'\n",
		},
		{
			"a full disk", &fs.PathError{Op: "write", Path: "/r/x", Err: syscall.ENOSPC}, 1,
			"git-brew: write /r/x: no space left on device; free some space and try again\n",
		},
		{
			"a disk that is only read", &fs.PathError{Op: "open", Path: "/r/x", Err: syscall.EROFS}, 1,
			"git-brew: open /r/x: read-only file system; reading works; to change something, work on a copy that can be " +
				"written\n",
		},
		{
			"no phase", fmt.Errorf("%w: \"9\"; see 'git brew phase list'", task.ErrNoPhase), 4,
			"git-brew: no such phase: \"9\"; see 'git brew phase list'\n",
		},
		{
			"a newer format", &operation.FormatError{Have: "2.0.0"}, 128,
			"git-brew: " + (&operation.FormatError{Have: "2.0.0"}).Error() + "\n",
		},
		{"interrupted", context.Canceled, 1, "git-brew: context canceled\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, _, errs := testEnv()
			if code := e.Report(c.err); code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			if errs.String() != c.line {
				t.Errorf("said %q, want %q", errs, c.line)
			}
		})
	}
}

// hintedError adds no text of its own.
type hintedError struct{}

func (*hintedError) Error() string { return "" }
func (*hintedError) As(target any) bool {
	if usage, ok := target.(**cli.UsageError); ok {
		*usage = &cli.UsageError{Msg: "", Hint: "do this"}
		return true
	}
	return false
}

func TestStyle_pagerOfGitCountsAsTerminal(t *testing.T) {
	e, _, _ := testEnv()
	e.Out = io.Discard
	plain, coloured := ui.NewStyle(false), ui.NewStyle(true)
	if e.Style("auto") != plain {
		t.Error("colour without a terminal")
	}
	env := map[string]string{"GIT_PAGER_IN_USE": "true", "COLUMNS": "120"}
	e.Getenv = func(name string) string { return env[name] }
	if e.Style("auto") != coloured || e.Width() != 120 {
		t.Errorf("in git's pager: %+v, width %d", e.Style("auto"), e.Width())
	}
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		env[name] = value
		if e.Style("auto") != plain || e.Style("always") != coloured {
			t.Errorf("with %s: %+v, always %+v", name, e.Style("auto"), e.Style("always"))
		}
		delete(env, name)
	}
}
