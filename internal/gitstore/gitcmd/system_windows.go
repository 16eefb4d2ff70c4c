package gitcmd

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownGroup does nothing: processes are not killed in groups here.
func ownGroup(*exec.Cmd) {}

// OwnSession gives a child no console.
func OwnSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

// ownSignals keeps a child away from our console's signals; what it starts has our console yet.
func ownSignals(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// EndSession ends a child that stands alone.
func EndSession(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// killSession does nothing: EndSession has ended it.
func killSession(*exec.Cmd) {}

// EndTree ends a process: there is no other way here.
func EndTree(p *os.Process) error { return p.Kill() }
