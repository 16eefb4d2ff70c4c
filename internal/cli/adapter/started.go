// Package adapter answers what package hooks asks about a repository: it is the port of an
// agent's events on the use cases. It opens repositories for an agent, and says when it
// can't.
package adapter

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// startsKept is how long it is kept where a session started that never said that it
// ended.
const startsKept = 30 * 24 * time.Hour

// stateDir is where a person's state of git brew lies that belongs to no repository;
// "" where there is no place for it.
func stateDir(e *cli.Env) string {
	if dir := e.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "git-brew")
	}
	switch runtime.GOOS {
	case "windows", "darwin":
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "git-brew")
		}
	default:
		if home := e.Getenv("HOME"); filepath.IsAbs(home) {
			return filepath.Join(home, ".local", "state", "git-brew")
		}
	}
	return ""
}

// startFile is the file that says where a session started; "" for none. A session is
// safe as the name of one.
func startFile(state, session string) string {
	if state == "" || session == "" {
		return ""
	}
	return filepath.Join(state, "sessions", session)
}

// keepStart keeps where a session started: its gate goes by that wherever its agent
// goes (hooks.Brew). Where it can't be kept, the session has what its client says.
func keepStart(state, session, dir string, now time.Time) {
	path := startFile(state, session)
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	tidyStarts(filepath.Dir(path), now.Add(-startsKept))
	_ = gitfile.ReplaceFile(path, []byte(dir+"\n"), 0o600, true)
}

// tidyStarts takes away what was kept before, of sessions that crashed.
func tidyStarts(dir string, before time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// keptStart reads what keepStart wrote; "" where there is nothing. Whoever asks looks
// whether it can be a directory.
func keptStart(state, session string) string {
	data, err := gitfile.ReadFile(startFile(state, session))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(data), "\n")
}

// forgetStart takes away what keepStart wrote.
func forgetStart(state, session string) {
	_ = os.Remove(startFile(state, session)) // else it goes when it is old
}
