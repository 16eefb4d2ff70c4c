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

// interruptible is a context that the first SIGINT or SIGTERM cancels, or a
// terminal that goes away; the second one ends the process as it would have
// without us. What runs for us in a session of its own is told by nobody else.
func interruptible() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx
}
