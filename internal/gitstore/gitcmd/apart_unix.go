//go:build unix

package gitcmd

import (
	"os/exec"
	"syscall"
)

// OwnGroup keeps a child alive when our whole process group is killed.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// OwnSession gives a child a session of its own: no terminal that could ask a
// person, or end it.
func OwnSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// EndSession asks a child that stands alone to end, and all that it started.
func EndSession(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
