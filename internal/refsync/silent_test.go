//go:build unix

package refsync_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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

// webHub serves a hub over http, behind wrap.
func (h *hub) web(wrap func(http.Handler) http.Handler) {
	h.T.Helper()
	program := filepath.Join(h.Git("--exec-path"), "git-http-backend")
	if _, err := os.Stat(program); err != nil {
		h.T.Skip("this git serves no http: ", err)
	}
	h.Git("config", "http.receivepack", "true")
	backend := &cgi.Handler{Path: program, Env: append([]string{
		"GIT_PROJECT_ROOT=" + filepath.Dir(h.Dir), "GIT_HTTP_EXPORT_ALL=1",
	}, h.Env...)}
	server := httptest.NewServer(wrap(backend))
	h.T.Cleanup(server.CloseClientConnections)
	h.T.Cleanup(server.Close)
	h.url = server.URL + "/" + filepath.Base(h.Dir)
}

// dribbler answers a byte at a time.
type dribbler struct {
	http.ResponseWriter
	first time.Duration
	n     int
}

func (d *dribbler) Write(p []byte) (int, error) {
	for i := range p {
		if d.n++; d.n <= 30 {
			time.Sleep(d.first / 30)
		}
		if _, err := d.ResponseWriter.Write(p[i : i+1]); err != nil {
			return i, err
		}
		d.ResponseWriter.(http.Flusher).Flush()
	}
	return len(p), nil
}

// Over http git itself tells a slow server from a silent one, and in our words.
func TestRun_http(t *testing.T) {
	t.Run("a byte now and then", func(t *testing.T) {
		h := newHub(t, "")
		h.web(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(&dribbler{ResponseWriter: w, first: 3 * time.Second}, r)
			})
		})
		ada := h.desk("ada")
		ada.remote.Silence = 2 * time.Second
		ada.add(taskRef("fix-login"), "first")
		ada.sync()
	})
	for _, stage := range []string{"git-upload-pack", "git-receive-pack"} {
		t.Run("silent after it answered to "+stage, func(t *testing.T) {
			h := newHub(t, "")
			end := make(chan struct{})
			h.web(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/"+stage) {
						<-end
					}
					next.ServeHTTP(w, r)
				})
			})
			t.Cleanup(func() { close(end) })
			ada := h.desk("ada")
			ada.remote.Silence = time.Second
			ada.add(taskRef("fix-login"), "first")
			_, err := ada.run(ada.both())
			cutOff(t, err)
			noneLeft(t, strings.TrimPrefix(h.url, "http://"))
		})
	}
}

// A person is asked for name and password once in a sync, however often git logs in,
// and again in the next one; somebody who can't be asked is not.
func TestRun_loginOnce(t *testing.T) {
	h := newHub(t, "")
	h.web(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name, password, _ := r.BasicAuth(); name != "ada" || password != "it's a $ecret \"" {
				w.Header().Set("WWW-Authenticate", `Basic realm="hub"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	asked := filepath.Join(h.Root, "asked")
	answer := func(password string) {
		t.Helper()
		script := "#!/bin/sh\necho \"$1\" >>'" + asked + "'\ncase $1 in User*) echo ada ;; *) cat <<'END'\n" + password + "\nEND\n;; esac\n"
		if err := os.WriteFile(filepath.Join(h.Root, "askpass"), []byte(script), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
	}
	times := func() int {
		data, _ := os.ReadFile(asked)
		_ = os.Remove(asked)
		return strings.Count(string(data), "\n")
	}
	h.Setenv("GIT_ASKPASS", filepath.Join(h.Root, "askpass"))
	ada := h.desk("ada")
	for i := range 3 {
		ada.add(taskRef(fmt.Sprintf("task-%d", i)), "first")
	}
	ada.add(lockRef("task-1"), "ada's")

	answer("wrong")
	_, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) || times() != 2 {
		t.Errorf("with a wrong password: %v", err)
	}

	answer(`it's a $ecret "`)
	ada = deskIn(ada.Fixture) // another process
	ada.sync()
	if n := times(); n != 2 {
		t.Errorf("asked %d times, want 2: for a name, and for a password", n)
	}

	ada = deskIn(ada.Fixture)
	ada.repo = ada.repo.Silent(t.Context())
	if _, err := ada.run(ada.both()); !errors.Is(err, refsync.ErrRefused) || times() != 0 {
		t.Errorf("where nobody may be asked: %v", err)
	}
}
