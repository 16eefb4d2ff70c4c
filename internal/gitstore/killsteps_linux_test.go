package gitstore_test

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// killAtEachStep runs a command again and again, and kills it with SIGKILL just
// before its first, second, third ... system call that changes a file, until a
// run gets to its end. After each run it calls check with the number of the
// step, and whether the run was killed. prepare makes the command.
//
// every is how many steps are left out from one run to the next, plus one.
// It gives the number of kills. Where tracing is not allowed, the test is
// skipped.
func killAtEachStep(t testing.TB, every int, prepare func() *exec.Cmd, check func(step int, killed bool)) int {
	t.Helper()
	kills := 0
	for step := 1; ; step += every {
		killed, err := killAt(prepare(), step)
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
			t.Skipf("no tracing of processes here: %v", err)
		}
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		check(step, killed)
		if !killed {
			return kills
		}
		kills++
	}
}

// killAt traces all threads of a command, and kills it before its nth change
// of a file.
func killAt(cmd *exec.Cmd, n int) (killed bool, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Its own process group, so that waiting leaves other tests' children alone.
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, unix.WALL, nil); err != nil {
		return false, err
	}
	const options = unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL
	if err := syscall.PtraceSetOptions(pid, options); err != nil {
		return false, errors.Join(err, cmd.Process.Kill())
	}
	if err := syscall.PtraceSyscall(pid, 0); err != nil {
		return false, errors.Join(err, cmd.Process.Kill())
	}
	for {
		thread, err := syscall.Wait4(-pid, &status, unix.WALL, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return killed, err
		}
		if status.Exited() || status.Signaled() {
			if thread == pid {
				return killed, nil
			}
			continue
		}
		pass := 0
		switch stop := status.StopSignal(); {
		case stop == syscall.SIGTRAP|0x80:
			if !killed && changesFiles(thread) {
				if n--; n == 0 {
					killed = true
					if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
						return killed, err
					}
				}
			}
		case stop == syscall.SIGTRAP || stop == syscall.SIGSTOP:
			// A new thread, seen from both sides.
		default:
			pass = int(stop)
		}
		if err := syscall.PtraceSyscall(thread, pass); err != nil && !errors.Is(err, syscall.ESRCH) {
			return killed, err
		}
	}
}

// syscallInfo is the kernel's struct ptrace_syscall_info, as far as it goes for
// the entry of a call.
type syscallInfo struct {
	Op      uint8
	_       [3]uint8
	Arch    uint32
	Pointer uint64
	Stack   uint64
	Number  uint64
	Args    [6]uint64
}

const syscallEntry = 1

func changesFiles(thread int) bool {
	var info syscallInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(thread),
		unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 || info.Op != syscallEntry {
		return false
	}
	switch info.Number {
	case unix.SYS_OPENAT:
		return info.Args[2]&unix.O_CREAT != 0
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		return info.Args[0] > 2
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT,
		unix.SYS_UNLINKAT, unix.SYS_MKDIRAT, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FTRUNCATE,
		unix.SYS_UTIMENSAT, unix.SYS_FLOCK:
		return true
	}
	return false
}
