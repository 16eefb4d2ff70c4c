package gitcmd

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// OwnGroup does nothing: processes are not killed in groups here.
func OwnGroup(*exec.Cmd) {}

// OwnSession gives a child no console.
func OwnSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

// EndSession ends a child that stands alone.
func EndSession(cmd *exec.Cmd) error { return cmd.Process.Kill() }
