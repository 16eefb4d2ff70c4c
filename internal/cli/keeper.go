package cli

import (
	"context"

	"github.com/git-brew/git-brew/internal/runner"
)

// KeeperCommand makes this program the keeper of another one: it ends that, and all that it
// started, when whoever started the keeper is gone. It is for 'git brew run' alone.
const KeeperCommand = "--keep"

// RunKeeper runs the command line behind KeeperCommand.
func RunKeeper(_ context.Context, e *Env, args []string) int {
	return runner.Keep(args, e.In, e.Screen, e.Err)
}
