package gitcmd

import (
	"context"
	"errors"
	"os/exec"
)

// Pipe runs one git on what another one prints, of which nothing is kept here: a
// thousand patches may be large.
func (r *Runner) Pipe(ctx context.Context, reader []string, writer ...string) ([]byte, error) {
	from, to := r.plain(ctx, writer...), r.plain(ctx, reader...)
	var problems Tail
	from.Stderr = &problems
	pipe, err := from.StdoutPipe()
	if err != nil {
		return nil, NotRun(err)
	}
	if err := from.Start(); err != nil {
		return nil, NotRun(err)
	}
	to.Stdin = pipe
	out, err := Output(ctx, to, nil, reader)
	_ = pipe.Close() // a writer that nobody reads ends
	ended := from.Wait()
	if exit, failed := errors.AsType[*exec.ExitError](ended); err == nil && failed {
		err = &CommandError{Args: writer, Code: exit.ExitCode(), Stderr: problems.String()}
	}
	return out, err
}
