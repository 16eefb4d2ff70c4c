// Package runner runs other people's programs: commands that verify a phase,
// executables around a step. A program gets its words as they are, never a
// shell that reads them; a process group of its own without a terminal, so that
// nothing it started outlives it; a time limit; and a pipe that keeps as much of
// what it says as somebody will read.
//
// It knows nothing of tasks, and decides nothing: whether a program may be run,
// in which directory and environment, is the caller's business.
package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Command is a program to run.
type Command struct {
	// Args are the program and its arguments. A name without a slash is looked up
	// in PATH, one with a slash is relative to Dir.
	Args []string
	// Dir is where it runs, Env its whole environment, each "NAME=value"; the last
	// one of a name counts.
	Dir string
	Env []string
	// Stdin is what it can read; nil: nothing.
	Stdin []byte
	// Limit is how long it may take, 0: for ever.
	Limit time.Duration
	// Show gets what it says as it comes, all of it; nil: nobody does. What Show
	// answers is ignored.
	Show io.Writer
	// Errors gets what it says on its standard error, which is no part of Output then;
	// nil: one pipe has both.
	Errors io.Writer
	// Keeper is the command line of a program that calls Keep; it starts the program, and
	// ends it should this process be gone. Empty: nobody does. Windows needs none.
	Keeper []string
	// Held is kept open by the keeper for as long as it runs: the file of a lock; nil: none.
	Held *os.File
}

// grace is how long a program that was asked to end has, and how long the
// reading of its last words takes at most.
const grace = 2 * time.Second

// Result is how a program ended.
type Result struct {
	// Code is its exit status; 128 and the signal's number where one ended it, as
	// shells have it; -1 where the system can't tell.
	Code int
	// Output is what it said on both streams, in the order in which it did, of much
	// the beginning and the end; what was left out is counted in a line there.
	Output string
	// TimedOut: it had not ended within its limit, and was ended.
	TimedOut bool
}

// Failed: it did not end by itself with status 0.
func (r Result) Failed() bool { return r.Code != 0 || r.TimedOut }

// ErrNotFound says that there is no such program, or none that may be executed.
var ErrNotFound = errors.New("no such program")

// errLimit is why a program is ended that takes too long.
var errLimit = errors.New("time limit")

// Find gives ErrNotFound where there is no program of a name, or none that may be executed,
// as Run would start it in a directory.
func Find(name, dir string) error {
	if strings.Contains(filepath.ToSlash(name), "/") && !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	switch _, err := exec.LookPath(name); {
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%w that may be executed: %s", ErrNotFound, name)
	case err != nil:
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	return nil
}

// The exit statuses that shells have for a program that can't be executed, or is not there;
// a keeper has them, too.
const (
	notExecutable = 126
	notThere      = 127
)

// NotRun reports the exit status of a program that was not run, or of a script that could not
// run the one that it is for.
func (r Result) NotRun() bool { return r.Code == notExecutable || r.Code == notThere }

// Run runs a program to its end, and ends what it left behind. The error says
// that it could not be started (ErrNotFound), or that ctx ended it (its cause);
// that it failed is no error.
func Run(ctx context.Context, c Command) (Result, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return Result{}, fmt.Errorf("%w: no name given", ErrNotFound)
	}
	limited := ctx
	if c.Limit > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeoutCause(ctx, c.Limit, errLimit)
		defer stop()
	}
	args, kept, err := withKeeper(c)
	if err != nil {
		return Result{}, err
	}
	defer kept.done()
	cmd := exec.CommandContext(limited, args[0], args[1:]...)
	cmd.ExtraFiles = kept.files
	cmd.Dir, cmd.Env = c.Dir, c.Env
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would mean ours
	}
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	said := &output{show: c.Show}
	code, ended, err := runGroup(cmd, said, c.Errors)
	r := Result{Code: code, Output: said.String()}
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission),
		errors.Is(err, exec.ErrDot):
		return r, fmt.Errorf("%w: %s", ErrNotFound, c.Args[0])
	case err != nil:
		return r, fmt.Errorf("run %s: %w", c.Args[0], err)
	case ctx.Err() != nil:
		return r, fmt.Errorf("run %s: %w", c.Args[0], context.Cause(ctx))
	}
	// By what we did, not by its exit status: it may end with 0 when it is asked to.
	r.TimedOut = ended && errors.Is(context.Cause(limited), errLimit)
	return r, nil
}

// runGroup runs a command in a group of its own, with one pipe for both of its
// streams, or with errOut for the second. ended: it was asked to end. err says only that
// it could not be started or waited for.
func runGroup(cmd *exec.Cmd, said *output, errOut io.Writer) (code int, ended bool, err error) {
	from, to, err := os.Pipe()
	if err != nil {
		return -1, false, err
	}
	defer func() {
		go func() {
			defer func() { _ = recover() }() // a crash exits with 2
			_ = from.Close()                 // where a read can't be cut off, it waits for that
		}()
	}()
	cmd.Stdout, cmd.Stderr = to, to
	if errOut != nil {
		cmd.Stderr = errOut
	}
	all := newGroup(cmd)
	cmd.Cancel = func() error { // Wait waits for it
		err := all.end()
		ended = !errors.Is(err, os.ErrProcessDone)
		return err
	}
	cmd.WaitDelay = grace
	err = cmd.Start()
	_ = to.Close() // the program's alone from here on
	if err != nil {
		return -1, false, err
	}
	all.started()
	read := make(chan struct{})
	go func() {
		defer func() {
			_ = recover() // a crash exits with 2
			close(read)
		}()
		_, _ = io.Copy(said, from)
	}()
	err = cmd.Wait()
	all.kill()
	select {
	case <-read:
	case <-time.After(grace): // what has left the group keeps the pipe open
	}
	said.close()
	if cmd.ProcessState == nil {
		return -1, ended, err
	}
	return exitCode(cmd.ProcessState), ended, nil
}

// half is how much is kept of the beginning of what a program says, and of its end, in
// bytes.
const half = 8 << 10

// output takes what a program says, until it is closed: all of it goes to show, its
// beginning and its end are kept.
type output struct {
	mu      sync.Mutex
	show    io.Writer
	closed  bool
	kept    []byte // the beginning and the end, and at times more between them
	dropped int    // bytes between the two
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return 0, io.ErrClosedPipe
	}
	if o.show != nil {
		_, _ = o.show.Write(p)
	}
	if o.kept = append(o.kept, p...); len(o.kept) > 4*half {
		o.drop()
	}
	return len(p), nil
}

// drop takes out what is neither of the beginning nor of the end.
func (o *output) drop() {
	if over := len(o.kept) - 2*half; over > 0 {
		o.kept = slices.Delete(o.kept, half, half+over)
		o.dropped += over
	}
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
}

// String is valid UTF-8, with a line that counts what was left out.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop()
	s := string(o.kept)
	if o.dropped > 0 {
		s = s[:half] + fmt.Sprintf("\n[%d bytes left out]\n", o.dropped) + s[half:]
	}
	return strings.ToValidUTF8(s, "?")
}
