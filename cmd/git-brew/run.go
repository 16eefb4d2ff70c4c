package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// run is the program: it returns the exit code, never 2, and never panics.
func run(ctx context.Context, args []string, e *env) (code int) {
	out := bufio.NewWriter(e.Out)
	e.Screen, e.Out, e.flush = e.Out, out, out.Flush
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(e.Err, "git-brew: internal error: %s at %s; please report it\n", oneLine(fmt.Sprint(p)), panicSite())
			code = exitFailed
		}
	}()
	if direct := directCommand(args); direct != nil {
		code = direct(ctx, e, args[1:])
		return e.finish(code)
	}
	args = withDefaultCommand(args)
	root := newRootCmdFor(e, args)
	if completes(args) {
		addCompletions(e, root)
	}
	root.SetArgs(args)
	e.tree = func() *cobra.Command { return newRootCmd(&env{Getenv: e.Getenv, Now: e.Now}) }
	err := noLongC(args)
	if err == nil && !completes(args) {
		err = knownWords(root, args)
	}
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		err = afterSteps(e)
		e.sayTookOut()
		e.sayUndo(ctx)
	}
	e.Flags.JSON = e.Flags.JSON || asksForJSON(args)
	code = e.finish(e.report(err)) // first: what is kept for the next time is waited for by nobody who reads it
	e.close()
	return code
}

// directCommand is the handler of a command that an agent calls all the time
// and that can't wait for the command tree to be built. Anything but the plain
// call (options, -h) goes the usual way.
func directCommand(args []string) func(context.Context, *env, []string) int {
	if len(args) > 0 && args[0] == shownCommand {
		return runShown
	}
	if len(args) == 0 || len(args) > 1 && strings.HasPrefix(args[1], "-") {
		return nil
	}
	switch args[0] {
	case "hook":
		return runHook
	case "statusline":
		return runStatusLine
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
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	if slices.ContainsFunc(args, func(arg string) bool { return arg == "--C" || strings.HasPrefix(arg, "--C=") }) {
		return &usageError{"unknown flag: --C", "did you mean -C?"}
	}
	return nil
}

// asksForJSON looks for --json itself: a wrong option in front of it ends
// cobra's reading of the options.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}

// finish writes out what is still buffered; an answer that can't be written is
// a failure, unless the reader has just had enough of it.
func (e *env) finish(code int) int {
	err := e.flush()
	if err == nil || errors.Is(err, errBrokenPipe) || code != exitDone {
		return code
	}
	return e.report(fmt.Errorf("write the answer: %w", err))
}

// panicSite names the line of ours that panicked.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		_, ours, found := strings.Cut(frame.Function, "git-brew/git-brew/")
		if !found {
			ours, found = strings.CutPrefix(frame.Function, "main.")
		}
		if found {
			return fmt.Sprintf("%s:%d", ours, frame.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
