// Package gitcmd runs git processes: it is the one place where one is described.
package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Command is the one place where a git process is described.
func (r *Runner) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.Dir
	env := r.Env
	if r.NoLazyFetch {
		env = env.With("GIT_NO_LAZY_FETCH=1")
	}
	cmd.Env = env
	// A git that is asked to end removes its locks, but for one that it has
	// just made; one that is killed leaves them. What it has started may keep
	// the pipes open.
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(syscall.SIGTERM); err == nil || errors.Is(err, os.ErrProcessDone) {
			return err
		}
		return cmd.Process.Kill() // Windows knows no other way
	}
	cmd.WaitDelay = time.Second
	return cmd
}

// Run runs git and returns what it printed. LC_ALL=C keeps its words the same
// everywhere; optional locks are left alone. An exit status other than 0 is a
// *CommandError.
func (r *Runner) Run(ctx context.Context, args ...string) ([]byte, error) {
	return r.Input(ctx, nil, args...)
}

// Input is Run with bytes on standard input.
func (r *Runner) Input(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := r.Command(ctx, args...)
	cmd.Env = Environ(cmd.Env).With("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	return Output(ctx, cmd, stdin, args)
}

// Output runs git, and gives what it prints.
func Output(ctx context.Context, cmd *exec.Cmd, stdin []byte, args []string) ([]byte, error) {
	return OutputTo(ctx, cmd, stdin, &Tail{}, args)
}

// OutputTo is output that hands git's messages, as they come, to who keeps them.
func OutputTo(ctx context.Context, cmd *exec.Cmd, stdin []byte, problems messages, args []string) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, problems
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	err := cmd.Run()
	if ctx.Err() != nil {
		return out.Bytes(), fmt.Errorf("git %s: %w", CommandName(args), context.Cause(ctx))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.Bytes(), &CommandError{Args: args, Code: exit.ExitCode(), Stderr: problems.String()}
	}
	if err != nil {
		return out.Bytes(), NotRun(err)
	}
	return out.Bytes(), nil
}

// Stream runs git with a person's streams and locale, and returns its exit status.
// The pager is a line of shell that takes the place of the person's, and is used
// whatever they set for that command; "": theirs. err is set only when git could not
// be run or was cut off.
func (r *Runner) Stream(ctx context.Context, in io.Reader, out, errOut io.Writer, pager string,
	args ...string,
) (int, error) {
	if pager != "" {
		args = append([]string{"--paginate"}, args...)
	}
	cmd := r.Command(ctx, args...)
	if pager != "" {
		cmd.Env = Environ(cmd.Env).With("GIT_PAGER=" + pager)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errOut
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return -1, fmt.Errorf("git %s: %w", CommandName(args), context.Cause(ctx))
	case errors.As(err, &exit):
		if status, is := exit.Sys().(syscall.WaitStatus); is && status.Signaled() {
			return bySignal + int(status.Signal()), nil // its reader has left, most of the time
		}
		return exit.ExitCode(), nil
	case err != nil:
		return -1, NotRun(err)
	}
	return 0, nil
}

// bySignal is what shells add to the signal that ended a program, for an exit status.
const bySignal = 128

// NotRun is why a git process could not be started.
func NotRun(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return plumbing.ErrNoGit
	}
	return fmt.Errorf("run git: %w", err)
}

// CommandName is git's command in a list of arguments, behind "-c" settings.
func CommandName(args []string) string {
	for len(args) > 1 && args[0] == "-c" {
		args = args[2:]
	}
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// ExitCode is the exit status in err, -1 when it carries none.
func ExitCode(err error) int {
	if command, ok := errors.AsType[*CommandError](err); ok {
		return command.Code
	}
	return -1
}

// messages keep what is written to them, or what of it is worth that.
type messages interface {
	io.Writer
	fmt.Stringer
}

// Tail keeps the last part of what is written to it.
type Tail struct{ buf []byte }

const TailSize = 16 << 10

func (t *Tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*TailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-TailSize:]...)
	}
	return len(p), nil
}

func (t *Tail) String() string { return string(t.buf) }

// Unbroken runs a git that moves refs. Once it has begun, it is neither cut off
// by us nor killed with us: even of a signal that it handles, a lock may be left.
func (r *Runner) Unbroken(ctx context.Context, stdin []byte, args []string) ([]byte, error) {
	cmd := r.Command(context.WithoutCancel(ctx), args...)
	cmd.Env = Environ(cmd.Env).With("LC_ALL=C")
	ownGroup(cmd)
	return Output(ctx, cmd, stdin, args)
}

// Within runs git in a session of its own, for at most a time, and ends all that it started when
// that is over, or ctx is: a hook or a filter may hang. What a terminal sends does not reach it.
func (r *Runner) Within(ctx context.Context, limit time.Duration, stdin []byte, args ...string) ([]byte, error) {
	ctx, stop := context.WithTimeoutCause(ctx, limit, &SlowError{Limit: limit})
	defer stop()
	cmd := r.Command(ctx, args...)
	cmd.Env = Environ(cmd.Env).With("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	ownSignals(cmd)
	cmd.Cancel = func() error { return EndSession(cmd) }
	out, err := Output(ctx, cmd, stdin, args)
	if ctx.Err() != nil && cmd.Process != nil {
		killSession(cmd)
	}
	return out, err
}

// SlowError says that git was ended, for it took too long.
type SlowError struct{ Limit time.Duration }

func (e *SlowError) Error() string {
	return fmt.Sprintf("it took longer than %s, and was ended: a hook or a filter may hang", e.Limit)
}

// Runner runs git for one repository.
type Runner struct {
	Dir string // absolute; where git is run
	Env Environ
	// NoLazyFetch keeps git from fetching the missing objects of a partial clone.
	NoLazyFetch bool
}

// CommandError is a git command that ended with an exit status other than 0.
type CommandError struct {
	Args   []string
	Code   int // -1: ended by a signal
	Stderr string
}

func (e *CommandError) Error() string {
	what := "git"
	if name := CommandName(e.Args); name != "" {
		what += " " + name
	}
	if text := strings.TrimSpace(e.Stderr); text != "" {
		return what + ": " + text
	}
	return fmt.Sprintf("%s: exit status %d", what, e.Code)
}

// approxidateWords are the words that git reads in a time, beside numbers, names of
// months and of days (date.c): others it passes over, and takes what is left.
const approxidateWords = "now today yesterday noon midnight tea ago last at am pm never t z utc gmt " +
	"second minute hour day week month year one two three four five six seven eight nine ten " +
	"january february march april may june july august september october november december " +
	"monday tuesday wednesday thursday friday saturday sunday"

// Approxidate reads a time as git does where it is told --since: "yesterday", "2 hours
// ago", "last friday", "2026-01-31 14:00". ErrNotExist for what is none.
func (r *Runner) Approxidate(ctx context.Context, text string, now time.Time) (time.Time, error) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c < 'a' || c > 'z' }) {
		if !isApproxidateWord(word) {
			return time.Time{}, fmt.Errorf("time %q: %w", text, plumbing.ErrNotExist)
		}
	}
	args := []string{"rev-parse", "--since=" + text}
	cmd := r.Command(ctx, args...)
	// Where git itself looks for the time that it is, for its own tests.
	cmd.Env = Environ(cmd.Env).With("LC_ALL=C", "GIT_TEST_DATE_NOW="+strconv.FormatInt(now.Unix(), 10))
	out, err := Output(ctx, cmd, nil, args)
	if err != nil {
		return time.Time{}, fmt.Errorf("read time %q: %w", text, err)
	}
	seconds, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(string(out)), "--max-age="), 10, 64)
	if err != nil || strings.TrimSpace(text) == "" {
		return time.Time{}, fmt.Errorf("time %q: %w", text, plumbing.ErrNotExist)
	}
	return time.Unix(seconds, 0), nil
}

// isApproxidateWord accepts plurals, and names of months and days that are cut to
// three letters or more, as git does.
func isApproxidateWord(word string) bool {
	return slices.ContainsFunc(strings.Fields(approxidateWords), func(known string) bool {
		return word == known || word == known+"s" || len(word) >= 3 && strings.HasPrefix(known, word)
	})
}
