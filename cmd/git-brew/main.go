// Nobody watches whether a container's quota changes: every command is over
// before it could matter.

//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
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
const lastGrace = 5 * time.Second

// interruptible is a context that the first SIGINT or SIGTERM cancels, or a
// terminal that goes away; the second one ends the process as it would have
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
		stop()
		time.Sleep(lastGrace)
		os.Exit(cli.ExitFailed)
	})
	return ctx
}
