package runner

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a program with all that it starts: a job, where the system gives us
// one, else the program alone.
type group struct {
	cmd *exec.Cmd
	job windows.Handle
}

// newGroup keeps a program away from our console's signals.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	return &group{cmd: cmd}
}

// started makes the job.
func (g *group) started() {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	// If we are killed, so is the program.
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err == nil {
		err = assign(job, g.cmd.Process)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return
	}
	g.job = job
}

func assign(job windows.Handle, p *os.Process) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	return windows.AssignProcessToJobObject(job, process)
}

// end ends the program at once, there is no asking here; kill follows, for the others.
func (g *group) end() error { return g.cmd.Process.Kill() }

// kill ends what is left of the group.
func (g *group) kill() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
