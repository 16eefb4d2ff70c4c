//go:build unix

package runner_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/runner"
)

// script is a program that says and does what a test asks for.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	gitstoretest.WriteProgram(t, path, "#!/bin/sh\n"+text+"\n")
	return path
}

func run(t *testing.T, c runner.Command) runner.Result {
	t.Helper()
	if c.Env == nil {
		c.Env = []string{"PATH=/usr/bin:/bin"}
	}
	r, err := runner.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun_wordsAreNoShellText(t *testing.T) {
	t.Parallel()
	r := run(t, runner.Command{Args: []string{"printf", "%s.", "a b", "$HOME", "*", ";", "`x`"}})
	if r.Output != "a b.$HOME.*.;.`x`." || r.Code != 0 || r.Failed() {
		t.Errorf("%+v", r)
	}
}

// It has the directory, the environment and the input that it was given, and no
// other; both of its streams come in the order in which it wrote.
func TestRun_surroundings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := script(t, `echo one; echo two >&2; echo "$(pwd -P) $BREW_TASK"; env | wc -l; cat; exit 3`)
	var shown bytes.Buffer
	r := run(t, runner.Command{
		Args: []string{program}, Dir: dir, Stdin: []byte("three\n"), Show: &shown,
		Env: []string{"PATH=/usr/bin:/bin", "BREW_TASK=old", "BREW_TASK=fix-login"},
	})
	real, _ := filepath.EvalSymlinks(dir)
	lines := strings.Split(r.Output, "\n")
	if len(lines) != 6 || lines[0] != "one" || lines[1] != "two" || lines[2] != real+" fix-login" || lines[4] != "three" ||
		r.Code != 3 || !r.Failed() {
		t.Errorf("%+v", r)
	}
	if shown.String() != r.Output {
		t.Errorf("shown %q", shown.String())
	}
	if r = run(t, runner.Command{Args: []string{"env"}, Env: []string{}}); strings.Contains(r.Output, "HOME") {
		t.Errorf("it has our environment: %s", r.Output)
	}
}

func TestRun_relativeToItsDirectory(t *testing.T) {
	t.Parallel()
	program := script(t, "echo here")
	if r := run(t, runner.Command{Args: []string{"./program"}, Dir: filepath.Dir(program)}); r.Output != "here\n" {
		t.Errorf("%+v", r)
	}
}

// S-39: what it started goes with it: on a time limit, when we are interrupted,
// and when it ends by itself and leaves something behind.
func TestRun_nothingOutlivesIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, ends string
		limit      time.Duration
		interrupt  bool
	}{
		{"time limit", "wait", 300 * time.Millisecond, false},
		{"deaf to TERM", "trap '' TERM; wait", 300 * time.Millisecond, false},
		{"status 0 when it is asked to end", "trap 'exit 0' TERM; wait", 300 * time.Millisecond, false},
		{"interrupted", "wait", 0, true},
		{"left behind", "exit 0", 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			child := filepath.Join(t.TempDir(), "child")
			program := script(t, `sh -c 'trap "" TERM; echo $$ >"$1.part"; mv "$1.part" "$1"; exec sleep 600' sh "$1" &
while [ ! -e "$1" ]; do sleep 0.01; done
`+test.ends)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.interrupt {
				go func() {
					for _, err := os.Stat(child); err != nil; _, err = os.Stat(child) {
						time.Sleep(10 * time.Millisecond)
					}
					cancel()
				}()
			}
			r, err := runner.Run(ctx, runner.Command{
				Args: []string{program, child}, Env: []string{"PATH=/usr/bin:/bin"},
				Limit: test.limit,
			})
			switch {
			case test.interrupt && !errors.Is(err, context.Canceled), !test.interrupt && err != nil:
				t.Fatal(err)
			case r.TimedOut != (test.limit > 0), r.Failed() != (test.limit > 0 || test.interrupt):
				t.Errorf("%+v", r)
			}
			text, err := os.ReadFile(child)
			if os.IsNotExist(err) && test.limit > 0 {
				t.Skip("the machine is too slow for this limit")
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			for range 500 { // an orphan that was killed waits to be reaped
				if gone(pid) {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("process %d is alive", pid)
		})
	}
}

// gone: there is no such process, or only its status waits.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestRun_outputIsBounded(t *testing.T) {
	t.Parallel()
	program := script(t, `echo first; i=0; while [ $i -lt 2000 ]; do echo "line $i of what nobody reads"; i=$((i+1)); done; printf 'last\377'`)
	r := run(t, runner.Command{Args: []string{program}})
	if len(r.Output) > 17<<10 || !strings.HasPrefix(r.Output, "first\n") || !strings.HasSuffix(r.Output, "last?") ||
		!strings.Contains(r.Output, " bytes left out]") {
		t.Errorf("%d bytes: %q", len(r.Output), r.Output)
	}
}

func TestRun_signalled(t *testing.T) {
	t.Parallel()
	if r := run(t, runner.Command{Args: []string{script(t, "kill -9 $$")}}); r.Code != 128+9 || r.TimedOut || !r.Failed() {
		t.Errorf("%+v", r)
	}
}

func TestRun_noSuchProgram(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {""}, {"no-such-program-anywhere"}, {"./missing"}, {plain}} {
		if _, err := runner.Run(t.Context(), runner.Command{Args: args, Dir: t.TempDir()}); !errors.Is(err,
			runner.ErrNotFound) {
			t.Errorf("%q: %v", args, err)
		}
	}
}
