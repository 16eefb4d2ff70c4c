package refsync_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-33: a remote that takes no refs below refs/brew says so once; nothing is
// lost, and it is not asked for each of them.
func TestRun_S33_namespaceRefused(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]string{
		"as a whole": "pre-receive",
		"ref by ref": "update",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			h.hook(hook, "echo x >>asked\nprintf 'no \\033[31mbrew\\033[0m here\\n\\nnor there\\n' >&2\nexit 1")
			ada := h.desk("ada")
			for i := range 20 {
				ada.add(taskRef(fmt.Sprintf("t%02d", i)), "1")
			}
			ada.add(lockRef("t00"), "held")
			r, err := ada.run(ada.both())
			var remote *refsync.RemoteError
			if !errors.As(err, &remote) || !errors.Is(err, refsync.ErrRefused) || remote.Remote != "origin" ||
				!strings.HasSuffix(err.Error(), "no brew here") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("error %q", err)
			}
			for _, ref := range r.Refs {
				if !ref.Pending || ref.Pushed || !errors.Is(ref.Err, refsync.ErrRefused) || ref.Outcome != refsync.Ahead {
					t.Errorf("%+v", ref)
				}
			}
			if asked := len(h.lines("asked")); len(r.Refs) != 21 || hook == "pre-receive" && asked > 4 {
				t.Errorf("%d refs, asked %d times", len(r.Refs), asked)
			}
			h.hook(hook, "")
			if r := ada.sync(); strings.Count(told(r), " pushed") != 21 {
				t.Errorf("%s", told(r))
			}
		})
	}
}

// A remote that hides refs from those who push refuses them: it would say
// forever that they have moved.
func TestRun_S33_hiddenFromPushes(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	ada.add(taskRef("one"), "1")
	ada.sync()
	h.Git("config", "receive.hideRefs", "refs/brew")
	ada.add(taskRef("one"), "2")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) || !strings.Contains(err.Error(), "receive.hideRefs") || r.Rounds != 3 {
		t.Errorf("after %d rounds: %v", r.Rounds, err)
	}
	if len(r.Refs) != 1 || !r.Refs[0].Pending {
		t.Errorf("reported %+v", r.Refs)
	}
}

// S-36: a remote that is gone is said to be, and nothing happens here.
func TestRun_S36_goneRemote(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	ada.add(taskRef("one"), "1")
	before := ada.Git("for-each-ref")
	for name, change := range map[string]func(){
		"another place": func() { ada.Git("config", "remote.origin.url", h.Dir+"-moved") },
		"nobody there":  func() { ada.Git("config", "remote.origin.url", "https://ada:secret@127.0.0.1:1/x") },
		"no such name":  func() { ada.Git("remote", "remove", "origin") },
	} {
		change()
		r, err := ada.run(ada.both())
		if !errors.Is(err, refsync.ErrUnreachable) || len(r.Refs) != 0 || strings.Contains(err.Error(), "secret") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; %s", name, err, told(r))
		}
		answer, err := refsync.PushTogether(t.Context(), ada.repo, ada.remote,
			gitstore.Update{Ref: taskRef("one"), New: ada.tip(taskRef("one"))})
		if answer != refsync.Unknown || !errors.Is(err, refsync.ErrUnreachable) {
			t.Errorf("%s: %s, %v", name, answer, err)
		}
		if !strings.Contains(name, "name") {
			continue
		}
		ada.Git("remote", "add", "origin", h.url)
	}
	if after := ada.Git("for-each-ref"); after != before {
		t.Errorf("refs:\n%s\nbefore:\n%s", after, before)
	}
}

// S-33: where the remote takes no refs but branches, records travel under
// branch names, and are the same records again on the other side.
func TestRun_S33_anotherNamespace(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	h.hook("update", `case $1 in refs/heads/*) ;; *) echo "only branches" >&2; exit 1 ;; esac`)
	ada, jo := h.desk("ada"), h.desk("jo")
	ada.remote.Namespace, jo.remote.Namespace = "refs/heads/brew/", "refs/heads/brew/"
	ada.add(taskRef("one"), "a1")
	ada.add(ledger.ConfigRef, "c1")
	expect(t, ada.sync(), "config ahead pushed", "tasks/one-aaaaaaa ahead pushed")
	h.on("refs/heads/brew/config", "refs/heads/brew/tasks/one-aaaaaaa")
	expect(t, jo.sync(), "config new", "tasks/one-aaaaaaa new")
	same(t, taskRef("one"), ada, jo)
	if got := jo.Git("for-each-ref", "--format=%(refname)", "refs/heads/brew", "refs/remotes"); got != "" {
		t.Errorf("a fetch made %s", got)
	}
	for _, spec := range jo.remote.FetchRefspecs() {
		jo.Git("config", "--add", "remote.origin.fetch", spec)
	}
	tip := ada.add(taskRef("one"), "a2")
	ada.sync()
	jo.Git("fetch", "-q", "origin")
	if got := jo.tip(jo.remote.Seen(taskRef("one"))); got != tip {
		t.Errorf("a plain fetch brought %s, not %s", got, tip)
	}
}
