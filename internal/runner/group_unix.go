//go:build unix

package runner

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group is a program with all that it starts, but for what leaves on purpose.
type group struct{ cmd *exec.Cmd }

// newGroup gives a program a session of its own: no terminal that it could ask,
// and one process group with all that it starts.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return &group{cmd}
}

func (g *group) started() {}

func (g *group) end() error { return g.signal(syscall.SIGTERM) }

// kill ends what is left of the group. The number of a group is not given away
// while anybody is in it.
func (g *group) kill() { _ = g.signal(syscall.SIGKILL) }

func (g *group) signal(s syscall.Signal) error {
	err := syscall.Kill(-g.cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
