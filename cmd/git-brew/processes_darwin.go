//go:build darwin && !unwatched

package main

import (
	"golang.org/x/sys/unix"

	"github.com/git-brew/git-brew/internal/hooks"
)

// processOf looks a process up. Those of other users, and programs of the system
// where it protects them, don't show their environment.
func processOf(pid int) (hooks.Process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return hooks.Process{}, false
	}
	p := hooks.Process{Parent: int(info.Eproc.Ppid), Name: unix.ByteSliceToString(info.Proc.P_comm[:])}
	if args, err := unix.SysctlRaw("kern.procargs2", pid); err == nil {
		p.Environ = environOf(args)
	}
	return p, true
}
