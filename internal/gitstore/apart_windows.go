package gitstore

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// standApart does nothing: processes are not killed in groups here.
func standApart(*exec.Cmd) {}

// standAlone gives a child no console.
func standAlone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

// endAlone ends a child that stands alone.
func endAlone(cmd *exec.Cmd) error { return cmd.Process.Kill() }
