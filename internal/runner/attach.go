package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Beside finds a program of ours that is installed with this one: beside it, else on the path.
// Its error is ErrNotFound.
func Beside(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name+filepath.Ext(self))
		if found, err := exec.LookPath(beside); err == nil {
			return found, nil
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	return found, nil
}

// Attach runs a program that takes this one's place: with its streams, until it ends. It gives
// the exit status.
func Attach(ctx context.Context, program string, in io.Reader, out, problems io.Writer) (int, error) {
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, problems
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		return exitCode(cmd.ProcessState), nil
	}
	return 0, err
}
