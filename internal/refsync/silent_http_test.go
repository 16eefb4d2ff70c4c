//go:build unix

package refsync_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/refsync"
)

// web serves a hub over http, behind wrap.
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
	for _, c := range []struct{ stage, beside, key string }{
		{"git-upload-pack", "", ""},
		{"git-receive-pack", "", ""},
		{"git-receive-pack", " beside the limit of another server", "http.https://example.org/.lowSpeedLimit"},
	} {
		stage := c.stage
		t.Run("silent after it answered to "+stage+c.beside, func(t *testing.T) {
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
			if c.key != "" {
				ada.Git("config", c.key, "1")
				ada = deskIn(ada.Fixture)
				ada.remote.Silence = time.Second
			}
			ada.add(taskRef("fix-login"), "first")
			_, err := ada.run(ada.both())
			cutOff(t, err)
			noneLeft(t, strings.TrimPrefix(h.url, "http://"))
		})
	}
}

// The time in which a person answers git's questions counts for nothing; somebody who
// can't be asked is not.
func TestRun_login(t *testing.T) {
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
		script := "#!/bin/sh\nsleep 0.8\necho \"$1\" >>'" + asked + "'\n" +
			"case $1 in User*) echo ada ;; *) cat <<'END'\n" + password + "\nEND\n;; esac\n"
		if err := os.WriteFile(filepath.Join(h.Root, "askpass"), []byte(script), 0o700); err != nil {
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
	ada = deskIn(ada.Fixture)        // another process
	ada.remote.Silence = time.Second // less than the two answers take
	ada.sync()
	if n := times(); n == 0 {
		t.Error("nobody was asked")
	}

	ada = deskIn(ada.Fixture)
	ada.repo = ada.repo.Silent(t.Context())
	if _, err := ada.run(ada.both()); !errors.Is(err, refsync.ErrRefused) || times() != 0 {
		t.Errorf("where nobody may be asked: %v", err)
	}
}
