// Nobody watches whether a container's quota changes: every command is over
// before it could matter.

//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/agent"
)

func main() {
	ctx := context.Background()
	// A signal ends a hook like any program, without a thread to wait for it: it
	// may be killed at every point.
	if directCommand(os.Args[1:]) == nil {
		ctx = interruptible()
		// Most commands are over before what they leave behind is worth
		// collecting: a list of 10,000 tasks takes a sixth less.
		debug.SetGCPercent(400)
	}
	os.Exit(run(ctx, os.Args[1:], systemEnv()))
}

// lastGrace is how long an interrupted command has to end what it began: longer
// than any program that it asked to end.
const lastGrace = 10 * time.Second

// oneInterrupt is how long signals count as one: git, which started us, hands on the
// Ctrl-C that the terminal has sent us, too.
const oneInterrupt = time.Second

// interruptible is a context that the first SIGINT or SIGTERM cancels, or a
// terminal that goes away; one that comes later ends the process as it would have
// without us. What runs for us in a session of its own is told by nobody else.
//
// What waits for something that never comes, such as a file system that hangs,
// does not hear of it: the process ends all the same, a little later. It may be
// killed at every point.
func interruptible() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, func() {
		time.Sleep(oneInterrupt)
		stop()
		time.Sleep(lastGrace - oneInterrupt)
		fmt.Fprintf(os.Stderr, "git-brew: interrupted, and what it waits for did not end within %s; "+
			"'git brew status' says how it stands\n", lastGrace)
		os.Exit(cli.ExitFailed)
	})
	return ctx
}

// run is the program: it returns the exit code, never 2, and never panics.
func run(ctx context.Context, args []string, e *cli.Env) (code int) {
	out := bufio.NewWriter(e.Out)
	e.Screen, e.Out, e.Flush = e.Out, out, out.Flush
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(e.Err, "git-brew: internal error: %s at %s; please report it\n", cli.OneLine(fmt.Sprint(p)), panicSite())
			code = cli.ExitFailed
		}
	}()
	if direct := directCommand(args); direct != nil {
		code = direct(ctx, e, args[1:])
		return finished(e, code)
	}
	args = withDefaultCommand(args)
	options := args
	if end := slices.Index(args, "--"); end >= 0 {
		options = args[:end]
	}
	root := newRootCmd(e, args...)
	if completes(args) {
		addCompletions(e, root)
	}
	root.SetArgs(args)
	err := noLongC(options)
	if err == nil {
		err = root.ExecuteContext(ctx)
		err = cmp.Or(err, e.Unhelped)
	}
	if err == nil {
		err = cli.AfterSteps(e)
		cli.SayTookOut(e)
		cli.SayUndo(e, ctx)
	}
	// A wrong option in front of it ends cobra's reading of the options.
	e.Flags.JSON = e.Flags.JSON || slices.Contains(options, "--json")
	code = finished(e, e.Report(err)) // first: what is kept for the next time is waited for by nobody who reads it
	e.Close()
	return code
}

// directCommand is the handler of a command that an agent calls all the time
// and that can't wait for the command tree to be built. Anything but the plain
// call (options, -h) goes the usual way.
func directCommand(args []string) func(context.Context, *cli.Env, []string) int {
	if len(args) > 0 && args[0] == cli.ShownCommand {
		return cli.RunShown
	}
	if len(args) > 0 && args[0] == cli.KeeperCommand {
		return cli.RunKeeper
	}
	named := len(args) > 2 && args[0] == "hook" && args[1] == "--agent"
	if len(args) == 0 || len(args) > 1 && strings.HasPrefix(args[1], "-") && !named {
		return nil
	}
	switch args[0] {
	case "hook":
		return agent.RunHook
	case "statusline":
		return agent.RunStatusLine
	}
	return nil
}

// withDefaultCommand makes `git brew` alone, and `git brew --json`, a status.
func withDefaultCommand(args []string) []string {
	if _, given := commandWord(args); !given {
		return append([]string{"status"}, args...)
	}
	return args
}

// commandWord is the word of a command line that names the command, if one is
// given; a question about the program itself (-h, -v) is one.
func commandWord(args []string) (word string, given bool) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-C", arg == "--session", arg == "--color":
			i++ // its value
		case arg == "-h", arg == "--help", arg == "-v", arg == "--version", !strings.HasPrefix(arg, "-"):
			return arg, true
		}
	}
	return "", false
}

// noLongC refuses --C: -C is an option of one letter, as git has it, and the library
// knows it by a name all the same.
func noLongC(args []string) error {
	if slices.ContainsFunc(args, func(arg string) bool { return arg == "--C" || strings.HasPrefix(arg, "--C=") }) {
		return cli.Misused("unknown flag: --C", "did you mean -C?")
	}
	return nil
}

// finished writes out what is still buffered; an answer that can't be written is
// a failure, unless the reader has just had enough of it.
func finished(e *cli.Env, code int) int {
	err := e.Flush()
	if err == nil || errors.Is(err, cli.ErrBrokenPipe) || code != cli.ExitDone {
		return code
	}
	return e.Report(fmt.Errorf("write the answer: %w", err))
}

// panicSite names the code of ours that panicked, or called what did.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	frame, more := frames.Next()
	for more && !strings.Contains(frame.Function, "git-brew/") && !strings.HasPrefix(frame.Function, "main.") {
		frame, more = frames.Next()
	}
	return fmt.Sprintf("%s:%d", path.Base(frame.Function), frame.Line)
}
