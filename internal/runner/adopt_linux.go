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
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		if is := readStat(process); !is.lives || is.parent != strconv.Itoa(parent) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(process)); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

type stat struct {
	lives           bool
	parent, session string
}

// readStat reads the stat of a process, by its directory.
func readStat(process string) stat {
	text, _ := os.ReadFile(filepath.Join(process, "stat"))
	at := strings.LastIndex(string(text), ") ") // "<pid> (<name>) <state> <parent> <group> <session> …"
	if at < 0 {
		return stat{}
	}
	fields := strings.Fields(string(text[at+2:]))
	if len(fields) < 4 { //nolint:mnd // as above
		return stat{}
	}
	return stat{lives: fields[0] != "Z", parent: fields[1], session: fields[3]}
}

// EndHolders kills the processes that hold the lock of a file and whose keeper is gone, each with
// its group, and waits a while until they are gone, too. It ends nobody who only reads the file, and
// no process that was given another one's number meanwhile.
func EndHolders(path string) {
	const rounds, pause = 100, 10 * time.Millisecond
	path, err := filepath.EvalSymlinks(path)
	for range rounds {
		held := false
		all, _ := filepath.Glob("/proc/[0-9]*")
		for _, process := range all {
			if !holds(process, path) {
				continue
			}
			held = true
			if pid, err := strconv.Atoi(filepath.Base(process)); err == nil {
				endHolder(pid, process, path)
			}
		}
		if !held || err != nil {
			return
		}
		time.Sleep(pause)
	}
}

// endHolder kills a process that holds the lock of a file, and its group.
func endHolder(pid int, process, path string) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(fd) }()
	if !holds(process, path) { // else it is the one that fd is of
		return
	}
	if group, err := syscall.Getpgid(pid); err == nil && group > 1 && group != syscall.Getpgrp() {
		_ = syscall.Kill(-group, syscall.SIGKILL) // while it is in there, nobody else is given the number
	}
	_ = unix.PidfdSendSignal(fd, syscall.SIGKILL, nil, 0)
}

// holds reports whether a process, by its directory, holds the lock of a file, and is left of a
// session that a keeper began which is gone.
func holds(process, path string) bool {
	is, mine := readStat(process), filepath.Base(process) == strconv.Itoa(os.Getpid())
	if mine || !is.lives || readStat(filepath.Join("/proc", is.session)).lives {
		return false
	}
	want, err := os.Stat(path)
	if err != nil {
		return false
	}
	files, _ := os.ReadDir(filepath.Join(process, "fd")) // none of who is not ours
	for _, file := range files {
		name := filepath.Join(process, "fd", file.Name())
		if at, err := os.Readlink(name); err != nil || at != path {
			continue
		}
		is, err := os.Stat(name) // where it runs, another file may have the name
		if err != nil || !os.SameFile(want, is) {
			continue
		}
		about, _ := os.ReadFile(filepath.Join(process, "fdinfo", file.Name()))
		if strings.Contains(string(about), "\nlock:") {
			return true
		}
	}
	return false
}

// IsOpen reports whether a process has a file open, as far as this one can see.
func IsOpen(path string) bool {
	want, err := os.Stat(path)
	if err != nil {
		return false
	}
	all, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, name := range all {
		if is, err := os.Stat(name); err == nil && os.SameFile(want, is) {
			return true
		}
	}
	return false
}
