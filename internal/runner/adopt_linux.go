package runner

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adopt has what this process's descendants leave behind become its own children, in whatever
// group or session they are.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// endAdopted kills all that this process has started, and what that did: whose parent is gone
// is a child of this process then.
func endAdopted() {
	const rounds, pause = 100, 5 * time.Millisecond
	for range rounds {
		children := childrenOf(os.Getpid())
		if len(children) == 0 {
			return
		}
		for _, pid := range children {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(pause)
	}
}

// childrenOf are the processes that have a parent, and live.
func childrenOf(parent int) (all []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		stat, _ := os.ReadFile(file)
		at := strings.LastIndex(string(stat), ") ") // "<pid> (<name>) <state> <parent> …"
		if at < 0 {
			continue
		}
		fields := strings.Fields(string(stat[at+2:]))
		if len(fields) < 2 || fields[0] == "Z" || fields[1] != strconv.Itoa(parent) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			all = append(all, pid)
		}
	}
	return all
}
