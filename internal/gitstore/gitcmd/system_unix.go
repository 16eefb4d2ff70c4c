//go:build unix

package gitcmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ownGroup keeps a child alive when our whole process group is killed.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// OwnSession gives a child a session of its own: no terminal that could ask a
// person, or end it.
func OwnSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// ownSignals keeps a child away from our terminal's signals.
func ownSignals(cmd *exec.Cmd) { OwnSession(cmd) }

// EndSession asks a child that stands alone to end, and all that it started.
func EndSession(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killSession ends what is left of what stands alone.
func killSession(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// EndTree asks a process to end, and all that it has started. A git that is ended
// leaves behind who speaks with the remote for it, ssh or git-remote-https, and
// they wait for as long as the remote says nothing. They stay in our process group:
// ssh must be able to ask a person for a passphrase.
func EndTree(p *os.Process) error {
	started := startedBy(p.Pid)
	err := p.Signal(syscall.SIGTERM)
	for _, pid := range started {
		_ = syscall.Kill(pid, syscall.SIGTERM) // it may be gone already
	}
	return err
}

// startedBy are the processes that one started, and those that they did; none where
// the system does not tell.
func startedBy(pid int) []int {
	children := map[int][]int{}
	for line := range strings.Lines(processTable()) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		child, err := strconv.Atoi(fields[0])
		parent, perr := strconv.Atoi(fields[1])
		if err == nil && perr == nil {
			children[parent] = append(children[parent], child)
		}
	}
	all := append([]int(nil), children[pid]...)
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// processTable is a line "<process> <parent>" for each process. A system without
// ps has a /proc, most likely.
func processTable() string {
	if out, err := exec.Command("ps", "-A", "-o", "pid=", "-o", "ppid=").Output(); err == nil {
		return string(out)
	}
	var b strings.Builder
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		stat, _ := os.ReadFile(file)
		if _, after, ok := strings.Cut(string(stat), ") "); ok { // "<pid> (<name>) <state> <parent> …"
			if fields := strings.Fields(after); len(fields) > 1 {
				b.WriteString(filepath.Base(filepath.Dir(file)) + " " + fields[1] + "\n")
			}
		}
	}
	return b.String()
}
