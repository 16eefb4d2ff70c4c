//go:build unix

package gitstore

import (
	"os/exec"
	"syscall"
)

// standApart keeps a child alive when our whole process group is killed.
func standApart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// standAlone gives a child a session of its own: no terminal that could ask a
// person, or end it.
func standAlone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endAlone asks a child that stands alone to end, and all that it started.
func endAlone(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
