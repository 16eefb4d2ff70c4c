//go:build unix

package refsync_test

import (
	"errors"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/refsync"
)

// silentListener takes connections and says nothing to them; the address.
func silentListener(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer func() { _ = conn.Close() }() // not before the end
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// processesWith are those whose command lines have a word in them.
func processesWith(t *testing.T, word string) (found []string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ps", "-A", "-o", "pid=", "-o", "stat=", "-o", "args=").Output()
	if err != nil {
		t.Skip("no ps here: ", err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, word) && !strings.Contains(line, "defunct") {
			found = append(found, line)
		}
	}
	return found
}

// noneLeft waits until no process has a word in its command line.
func noneLeft(t *testing.T, word string) {
	t.Helper()
	left := processesWith(t, word)
	for range 100 {
		if len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
		left = processesWith(t, word)
	}
	t.Errorf("still there:\n%s", left)
}

// cutOff says that the remote was given up for its silence.
func cutOff(t *testing.T, err error) {
	t.Helper()
	var failure *refsync.RemoteError
	if !errors.As(err, &failure) || !errors.Is(err, refsync.ErrUnreachable) {
		t.Fatalf("it ended with %v", err)
	}
	if !strings.HasPrefix(failure.Said, "no answer in ") || !strings.HasSuffix(failure.Said, " (brew.sync.timeout)") {
		t.Errorf("it says %q", failure.Said)
	}
}

// A server that takes a connection and says nothing is given up, by whatever way git
// goes there, and nobody goes on waiting for it.
func TestRun_silentServer(t *testing.T) {
	for _, scheme := range []string{"git", "http", "https", "ssh"} {
		t.Run(scheme, func(t *testing.T) {
			if scheme == "ssh" {
				if _, err := exec.LookPath("ssh"); err != nil {
					t.Skip("no ssh here")
				}
			}
			at := silentListener(t)
			_, ada := oneDesk(t)
			ada.Git("remote", "set-url", "origin", scheme+"://"+at+"/hub.git")
			ada.remote.Silence = time.Second
			_, err := ada.run(ada.both())
			cutOff(t, err)
			_, port, _ := strings.Cut(at, ":")
			noneLeft(t, port)
		})
	}
}

// A server that takes a push and then says nothing is given up: what it is to have
// stays to be pushed, and the next sync goes on.
func TestRun_S30_silentPush(t *testing.T) {
	hub, ada := oneDesk(t)
	ada.add(taskRef("fix-login"), "first")
	hub.hook("pre-receive", "exec >/dev/null 2>&1; sleep 1234.5 & wait")
	ada.remote.Silence = time.Second
	report, err := ada.run(ada.both())
	cutOff(t, err)
	if len(report.Refs) != 1 || !report.Refs[0].Pending || report.Refs[0].Pushed {
		t.Errorf("it reports %+v", report.Refs)
	}
	noneLeft(t, hub.Dir)
	noneLeft(t, "sleep 1234.5")
	hub.hook("pre-receive", "")
	if report := ada.sync(); len(report.Refs) != 1 || !report.Refs[0].Pushed {
		t.Errorf("the next sync reports %+v", report.Refs)
	}
}

// A server that is slow, and says so now and then, is waited for.
func TestRun_slowServer(t *testing.T) {
	hub, ada := oneDesk(t)
	ada.add(taskRef("fix-login"), "first")
	hub.hook("pre-receive", "for i in 1 2 3 4 5 6 7 8 9 10; do echo working >&2; sleep 0.4; done")
	ada.remote.Silence = 2 * time.Second
	ada.sync()
	hub.Git("rev-parse", "--verify", "-q", string(taskRef("fix-login")))
}
