package adapter

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// Where a session started is kept for its person alone, and not for ever.
func TestKeepStart(t *testing.T) {
	t.Parallel()
	state, now := filepath.Join(t.TempDir(), "state", "git-brew"), time.Now()
	keepStart(state, "s1", "/repo", now)
	keepStart(state, "s2", "/other", now)
	if got := keptStart(state, "s1"); got != "/repo" {
		t.Errorf("%q", got)
	}
	modes := map[string]os.FileMode{filepath.Join(state, "sessions"): 0o700, startFile(state, "s1"): 0o600}
	for path, want := range modes {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if err := os.Chtimes(startFile(state, "s1"), now, now.Add(-31*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	keepStart(state, "s3", "/repo", now)
	forgetStart(state, "s2")
	forgetStart(state, "s2")
	for session, want := range map[string]string{"s1": "", "s2": "", "s3": "/repo", "": ""} {
		if got := keptStart(state, session); got != want {
			t.Errorf("%s: %q, want %q", session, got, want)
		}
	}
	keepStart("", "s1", "/repo", now)
	keepStart(state, "", "/repo", now)
	if entries, err := os.ReadDir(filepath.Join(state, "sessions")); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
