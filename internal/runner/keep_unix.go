//go:build unix

package runner

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// kept is what a keeper is handed.
type kept struct {
	files []*os.File // its descriptors 3 and 4
	alive *os.File   // the end of a pipe that is open for as long as this process lives
}

// withKeeper is the command line of a program with its keeper in front, if it has one.
func withKeeper(c Command) ([]string, kept, error) {
	if len(c.Keeper) == 0 {
		return c.Args, kept{}, nil
	}
	ends, alive, err := os.Pipe()
	if err != nil {
		return nil, kept{}, fmt.Errorf("run %s: %w", c.Args[0], err)
	}
	k := kept{files: []*os.File{ends}, alive: alive}
	if c.Held != nil {
		k.files = append(k.files, c.Held)
	}
	return slices.Concat(c.Keeper, c.Args), k, nil
}

func (k kept) done() {
	if k.alive != nil {
		_ = k.alive.Close()
		_ = k.files[0].Close()
	}
}

// Keep is the keeper's part of Command.Keeper. It runs a program in this process's group,
// and ends the group when whoever started this process is gone. It returns the program's
// exit status. What asks the group to end asks the program; the keeper waits for it. The
// program holds the file of Command.Held, too. On Linux nothing that it started outlives it.
func Keep(args []string, in io.Reader, out, problems io.Writer) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	alive := os.NewFile(3, "alive")
	if alive == nil || len(args) == 0 {
		return notExecutable
	}
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	adopt()
	cmd := exec.Command(args[0], args[1:]...) //nolint:gosec // the caller of Run chose it
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, problems
	held := os.NewFile(4, "held")
	defer runtime.KeepAlive(held)
	if info, err := held.Stat(); err == nil && info.Mode().IsRegular() {
		cmd.ExtraFiles = []*os.File{held} // should the keeper be killed, the program holds the lock yet
	}
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(problems, "%v\n", err)
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			return notThere
		}
		return notExecutable
	}
	var ending atomic.Bool
	go func() {
		defer func() { _ = recover() }() // a crash exits with 2
		endWithStarter(alive, &ending)
	}()
	go func() {
		defer func() { _ = recover() }() // a crash exits with 2
		<-signals
		time.Sleep(grace * 3 / 4) // who asked waits no longer than grace
		endAdopted()
	}()
	err := cmd.Wait()
	endAdopted()
	if cmd.ProcessState == nil {
		fmt.Fprintf(problems, "%v\n", err)
		return notExecutable
	}
	if ending.Load() { // what does not listen is killed yet, and so is this process
		time.Sleep(2 * grace)
	}
	return exitCode(cmd.ProcessState)
}

// endWithStarter ends this process's group when the other end of a pipe is closed.
func endWithStarter(alive *os.File, ending *atomic.Bool) {
	_, _ = alive.Read(make([]byte, 1))
	ending.Store(true)
	_ = syscall.Kill(0, syscall.SIGTERM)
	time.Sleep(grace)
	endAdopted()
	_ = syscall.Kill(0, syscall.SIGKILL)
}
