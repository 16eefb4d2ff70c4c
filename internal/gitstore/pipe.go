package gitstore

import (
	"context"
	"errors"
	"os/exec"
)

// through runs one git on what another one prints, of which nothing is kept here: a
// thousand patches may be large.
func (r *Repo) through(ctx context.Context, reader []string, writer ...string) ([]byte, error) {
	from, to := r.plain(ctx, writer...), r.plain(ctx, reader...)
	var problems tail
	from.Stderr = &problems
	pipe, err := from.StdoutPipe()
	if err != nil {
		return nil, notRun(err)
	}
	if err := from.Start(); err != nil {
		return nil, notRun(err)
	}
	to.Stdin = pipe
	out, err := output(ctx, to, nil, reader)
	_ = pipe.Close() // a writer that nobody reads ends
	ended := from.Wait()
	if exit, failed := errors.AsType[*exec.ExitError](ended); err == nil && failed {
		err = &CommandError{Args: writer, Code: exit.ExitCode(), Stderr: problems.String()}
	}
	return out, err
}
