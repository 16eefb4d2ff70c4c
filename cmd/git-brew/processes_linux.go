//go:build linux && !unwatched

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks"
)

// processOf looks a process up; those of other users don't show their environment.
func processOf(pid int) (hooks.Process, bool) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return hooks.Process{}, false
	}
	// "pid (name) state parent …"; the name may hold brackets and blanks.
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return hooks.Process{}, false
	}
	rest := strings.Fields(string(stat[end+1:]))
	if len(rest) < 2 {
		return hooks.Process{}, false
	}
	parent, err := strconv.Atoi(rest[1])
	environ, _ := os.ReadFile(filepath.Join(dir, "environ"))
	return hooks.Process{
		Parent: parent, Name: string(stat[open+1 : end]), Environ: strings.Split(string(environ), "\x00"),
	}, err == nil
}
