package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(run(interruptible(), os.Args[1:], systemEnv()))
}

// interruptible is a context that the first SIGINT or SIGTERM cancels; the
// second one ends the process as it would have without us.
func interruptible() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx
}
