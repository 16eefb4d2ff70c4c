//go:build unix

package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A process that is started apart works on the same repository, whatever work
// tree it was started from, stands in no terminal's way, and
// asks nobody.
func TestStartApart(t *testing.T) {
	f := gitstoretest.New(t)
	linked := filepath.Join(f.Root, "linked")
	f.Git("worktree", "add", "-q", linked)
	repo := f.In(linked).Open()
	out := filepath.Join(f.Root, "said")
	script := `{ pwd; git rev-parse --absolute-git-dir; echo "$GREETING" ; echo "$GIT_TERMINAL_PROMPT$SSH_ASKPASS_REQUIRE $GIT_SSH_COMMAND" ; ps -o sid= -o pid= $$; } >"$1.part" 2>&1 && mv "$1.part" "$1"`
	noError(t, repo.Remote.StartDetached(t.Context(), "/bin/sh", []string{"-c", script, "sh", out}, "GREETING=hello"))
	var said []byte
	for range 500 {
		var err error
		if said, err = os.ReadFile(out); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	lines := strings.Split(string(said), "\n")
	if len(lines) < 5 || lines[0] != filepath.Dir(repo.CommonDir) || lines[1] != repo.CommonDir ||
		lines[2] != "hello" ||
		lines[3] != "0never ssh -o BatchMode=yes" {
		t.Fatalf("it said\n%s", said)
	}
	if ids := strings.Fields(lines[4]); len(ids) == 2 && ids[0] != ids[1] {
		t.Errorf("process %s is in the session %s", ids[1], ids[0])
	}
}

func TestExclusive_oneAtATime(t *testing.T) {
	f := gitstoretest.New(t)
	one, two := f.Open(), f.Open()
	ran := false
	noError(t, one.Exclusive(t.Context(), "long.lock", 0, func() error {
		for _, patience := range []time.Duration{0, 30 * time.Millisecond} {
			err := two.Exclusive(t.Context(), "long.lock", patience, func() error { ran = true; return nil })
			if !errors.Is(err, gitstore.ErrLocked) {
				t.Errorf("with a patience of %v: %v", patience, err)
			}
		}
		// Another purpose is nobody's business, and writers go on.
		noError(t, two.Exclusive(t.Context(), "other.lock", 0, func() error { return nil }))
		return two.Locked(t.Context(), func() error { return nil })
	}))
	if ran {
		t.Error("two ran at the same time")
	}
	// Who gave up may have it for an instant, on the way out of the queue.
	noError(t, two.Exclusive(t.Context(), "long.lock", 5*time.Second, func() error { return nil }))
}
