//go:build unix

package gitcmd

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BR-12: a git that takes too long is ended with what it started, though that does not listen; the
// error names the command and the time.
func TestWithin_BR12(t *testing.T) {
	held := filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := os.OpenFile(held, os.O_RDONLY|syscall.O_NONBLOCK, 0) // at its end when nobody holds it
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	git := &Runner{Dir: t.TempDir(), Env: os.Environ()}
	out, err := git.Within(t.Context(), time.Minute, []byte("in"), "-c", "alias.quick=!cat", "quick")
	if err != nil || string(out) != "in" {
		t.Errorf("in time: %q, %v", out, err)
	}
	const limit = 300 * time.Millisecond
	deaf := "!trap '' TERM; exec 9>" + held + "; sleep 1000 & wait"
	_, err = git.Within(t.Context(), limit, nil, "-c", "alias.hang="+deaf, "hang")
	if slow, is := errors.AsType[*SlowError](err); !is || slow.Limit != limit ||
		!strings.HasPrefix(err.Error(), "git hang: it took longer than 300ms,") {
		t.Errorf("it ended with %v", err)
	}
	if err := r.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != nil {
		t.Errorf("what it started is left: %v", err)
	}
}
