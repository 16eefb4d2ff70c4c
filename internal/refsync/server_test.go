package refsync_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// serve serves a hub over http, with git's own program behind a handler of the test.
func (h *hub) serve(around func(git http.Handler) http.Handler) {
	h.T.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		h.T.Fatal(err)
	}
	git := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"),
		Env:  append(h.Env, "GIT_PROJECT_ROOT="+h.Root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ada"),
	}
	server := httptest.NewServer(around(git))
	h.T.Cleanup(server.Close)
	h.url = server.URL + "/" + filepath.Base(h.Dir)
}

// large is a text that does not get smaller.
func large(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%x", uint64(i+1)*0x9e3779b97f4a7c15)
	}
	return b.String()
}

// S-33: a record that is more than the server takes is named, and stands
// in nobody's way.
func TestRun_S33_tooLarge(t *testing.T) {
	t.Parallel()
	const limit = 20_000
	for name, set := range map[string]func(h *hub){
		"receive.maxInputSize": func(h *hub) { h.Git("config", "receive.maxInputSize", fmt.Sprint(limit)) },
		"client_max_body_size": func(h *hub) {
			h.serve(func(git http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.ContentLength > limit || r.ContentLength < 0 && strings.HasSuffix(r.URL.Path, "git-receive-pack") {
						http.Error(w, "413 Request Entity Too Large", http.StatusRequestEntityTooLarge)
						return
					}
					git.ServeHTTP(w, r)
				})
			})
		},
		"it hangs up": func(h *hub) {
			h.serve(func(git http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.ContentLength > limit || r.ContentLength < 0 && strings.HasSuffix(r.URL.Path, "git-receive-pack") {
						panic(http.ErrAbortHandler)
					}
					git.ServeHTTP(w, r)
				})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			set(h)
			ada := h.desk("ada")
			for i := range 12 {
				text := fmt.Sprint(i)
				if i == 0 || i == 5 {
					text = large(20 * limit)
				}
				ada.add(taskRef(fmt.Sprintf("t%02d", i)), text)
			}
			ada.add(lockRef("t05"), "held")
			for round := range 2 {
				r, err := ada.run(ada.both())
				if err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
				var aside []string
				for _, ref := range r.Refs {
					if errors.Is(ref.Err, gitstore.ErrTooLarge) {
						aside = append(aside, string(ref.Ref))
						if ref.Outcome != refsync.SetAside || ref.Pushed {
							t.Errorf("%+v", ref)
						}
					} else if ref.Err != nil || !ref.Pushed {
						t.Errorf("%+v", ref)
					}
				}
				if got := strings.Join(aside, " "); got != string(taskRef("t00")+" "+taskRef("t05")) {
					t.Errorf("round %d: set aside %s", round, got)
				}
			}
			if got := strings.Fields(h.Git("for-each-ref", "--format=%(refname)", "refs/brew")); len(got) != 11 {
				t.Errorf("the hub has %s", got)
			}
			ada.records.late = true // a lock that was let go does not wait for what can't come
			freed := ada.add(lockRef("t05"), "free")
			if _, err := ada.run(ada.both()); err != nil || h.OID(string(lockRef("t05"))) != freed {
				t.Errorf("%v, the lock is %s there", err, h.OID(string(lockRef("t05"))))
			}
		})
	}
}

// S-33: of a server that deletes nothing, what is in the archive stays there as refs,
// too: that is told, and no failure.
func TestRun_S33_deletionsRefused(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(h *hub, d *desk){
		"receive.denyDeletes": func(h *hub, d *desk) {
			h.Git("config", "receive.denyDeletes", "true") // of branches
			d.remote.Namespace = "refs/heads/brew/"
		},
		"a hook": func(h *hub, _ *desk) {
			h.hook("pre-receive", `while read old new ref; do case $new in *[!0]*) ;; *) echo "not $ref" >&2; exit 1;; esac; done`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, ada := oneDesk(t)
			refuse(h, ada)
			for i := range 12 {
				ada.add(taskRef(fmt.Sprintf("t%02d", i)), "1")
			}
			ada.add(ledger.ArchiveRef, "all of them")
			ada.sync()
			for i := range 12 {
				ada.records.archived[fmt.Sprintf("t%02d-aaaaaaa", i)] = true
				ada.Git("update-ref", "-d", string(taskRef(fmt.Sprintf("t%02d", i))))
			}
			r, err := ada.run(ada.both())
			if err != nil || r.Kept != 12 {
				t.Fatalf("%v, kept %d: %s", err, r.Kept, told(r))
			}
			o := ada.both()
			o.Keeps = true
			if r, err := ada.run(o); err != nil || r.Kept != 0 || len(r.Refs) != 0 {
				t.Errorf("%v, kept %d: %s", err, r.Kept, told(r))
			}
		})
	}
}

// S-33: a no that is not one to deletions is not remembered as one.
func TestRun_S33_deletionRefusedOnce(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	ada.add(taskRef("old"), "1")
	ada.add(ledger.ArchiveRef, "old")
	ada.sync()
	ada.records.archived["old-aaaaaaa"] = true
	ada.Git("update-ref", "-d", string(taskRef("old")))
	h.hook("pre-receive", "echo 'push rate exceeded' >&2; exit 1")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) || r.Kept != 0 {
		t.Errorf("%v, kept %d: %s", err, r.Kept, told(r))
	}
	h.hook("pre-receive", "")
	if r := ada.sync(); !strings.Contains(told(r), "deleted") {
		t.Errorf("asked again: %s", told(r))
	}
}

// S-33: what is taken and never shown is told with the first sync, and each time
// after three looks.
func TestRun_S33_hiddenFromFetches(t *testing.T) {
	t.Parallel()
	for hides, want := range map[string]int{"refs/brew": 3, "refs/brew/locks": 1} {
		t.Run(hides, func(t *testing.T) {
			t.Parallel()
			h, ada := oneDesk(t)
			h.Git("config", "uploadpack.hideRefs", hides)
			ada.add(taskRef("one"), "1")
			ada.add(taskRef("two"), "1")
			ada.add(lockRef("one"), "held")
			for range 2 {
				r, err := ada.run(ada.both())
				var remote *refsync.RemoteError
				if !errors.As(err, &remote) || remote.Why != refsync.WhyHidden ||
					!strings.Contains(err.Error(), "uploadpack.hideRefs") {
					t.Errorf("error %v", err)
				}
				if got := strings.Count(told(r), " pending"); got != want || r.Rounds > 4 {
					t.Errorf("%d rounds, %d pending: %s", r.Rounds, got, told(r))
				}
			}
		})
	}
}

// S-13: a server whose compare-and-swap is none says yes to two: a lock counts as
// confirmed where it is seen there after that.
func TestRun_S13_confirmedByLooking(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "1")
	ada.sync()
	jo.sync()
	lock := lockRef("one")
	won := jo.add(lock, "jo's")
	ada.add(lock, "ada's")
	// It answers ok, and takes the other's a moment later.
	jo.Git("push", "-q", "origin", won.String()+":refs/heads/jo")
	h.hook("post-receive", fmt.Sprintf("git update-ref %s %s", lock, won))
	r, err := ada.run(ada.both())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "locks/one-aaaaaaa lost")
	if got := ada.tip(lock); got != won {
		t.Errorf("ada has %s, not %s", got, won)
	}
}
