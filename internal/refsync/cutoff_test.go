package refsync_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-30: the remote dies in the middle of a push, after some refs. The same
// exchange finds out what has arrived, and finishes.
func TestRun_S30_pushCutOff(t *testing.T) {
	t.Parallel()
	h := newHub(t, "file://")
	ada := h.desk("ada")
	for _, task := range []string{"a", "b", "c", "d"} {
		ada.add(taskRef(task), "1")
		ada.add(lockRef(task), "held")
	}
	jo := h.desk("jo")
	jo.add(taskRef("d"), "jo's")
	jo.sync()
	// Each ref is moved for itself; the third one of the first tasks' push, and
	// the second lock of the first locks' push, kill the receiving git.
	h.hook("reference-transaction", `[ "$1" = committed ] || exit 0
while read old new ref; do
	case $ref in
	*locks/b-*) [ -e died1 ] || { touch died1; kill -9 $PPID; } ;;
	*tasks/c-*) [ -e died2 ] || { touch died2; kill -9 $PPID; } ;;
	esac
done`)
	r, err := ada.run(ada.both())
	if err != nil {
		t.Fatal(err)
	}
	if r.Rounds != 3 || strings.Contains(told(r), "pending") || strings.Count(told(r), "pushed") != 8 ||
		strings.Count(told(r), "confirmed") != 4 || !strings.HasSuffix(told(r), "tasks/d-aaaaaaa merged pushed") {
		t.Errorf("%d rounds:\n%s", r.Rounds, told(r))
	}
	jo.sync()
	for _, task := range []string{"a", "b", "c", "d"} {
		same(t, taskRef(task), ada, jo)
		same(t, lockRef(task), ada, jo)
	}
}

// A remote whose receiving side dies every time is given up on; what is here
// stays, to be pushed later.
func TestRun_S30_remoteThatAlwaysDies(t *testing.T) {
	t.Parallel()
	_, ada := oneDesk(t)
	ada.add(taskRef("one"), "1")
	ada.Write(".git/dies", "#!/bin/sh\necho \"disk on fire\" >&2\nexit 1\n")
	ada.Git("config", "remote.origin.receivepack", "sh .git/dies")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrUnreachable) || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error %v", err)
	}
	if len(r.Refs) != 1 || !r.Refs[0].Pending || r.Refs[0].Pushed {
		t.Errorf("%s", told(r))
	}
	ada.Git("config", "--unset", "remote.origin.receivepack")
	expect(t, ada.sync(), "tasks/one-aaaaaaa ahead pushed")
}

// S-30: a remote that dies while it is asked leaves everything as it was.
func TestRun_S30_fetchCutOff(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "what jo has not")
	ada.sync()
	jo.add(taskRef("two"), "1")
	h.Git("config", "--global", "uploadpack.packObjectsHook", "false")
	before := jo.Git("for-each-ref")
	r, err := jo.run(jo.both())
	if !errors.Is(err, refsync.ErrUnreachable) || len(r.Refs) != 0 || jo.Git("for-each-ref") != before {
		t.Errorf("%v; %s", err, told(r))
	}
	h.Git("config", "--global", "--unset", "uploadpack.packObjectsHook")
	expect(t, jo.sync(), "tasks/one-aaaaaaa new", "tasks/two-aaaaaaa ahead pushed")
}

// S-21: a tracking ref that a dead git left locked, or whose name excludes
// another one's, is told of and stops no other.
func TestRun_S21_trackingRefThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	_, ada, jo := twoDesks(t)
	for _, task := range []string{"one", "two"} {
		ada.add(taskRef(task), "1")
	}
	ada.add(ledger.KnowledgeRef, "k")
	ada.sync()
	// A directory is nobody's lock, and nothing that would go by itself.
	lock := filepath.Join(jo.Dir, ".git", string(jo.remote.Seen(taskRef("one")))+".lock")
	if err := os.MkdirAll(lock, 0o777); err != nil {
		t.Fatal(err)
	}
	r := jo.sync()
	expect(t, r, "knowledge new", "tasks/two-aaaaaaa new")
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "tasks/one-aaaaaaa'") || strings.Contains(r.Notes[0], "\n") {
		t.Errorf("notes %q", r.Notes)
	}
	// What it can't be seen to have can't be pushed to; that is said.
	jo.add(taskRef("one"), "of jo")
	r, err := jo.run(jo.both())
	if !errors.Is(err, refsync.ErrMoving) || !strings.Contains(err.Error(), "tasks/one-aaaaaaa'") ||
		strings.Contains(err.Error(), "hideRefs") {
		t.Errorf("pushed: %v, %s", err, told(r))
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	expect(t, jo.sync(), "tasks/one-aaaaaaa merged pushed")
}

// S-21, S-30: whoever was interrupted left the lock of a tracking ref behind. The
// next exchange takes it away, whether a fetch meets it or the record of a push.
func TestRun_S30_trackingRefThatWasLeftLocked(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	for _, task := range []string{"one", "gone"} {
		ada.add(taskRef(task), "1")
	}
	ada.sync()
	jo.sync()
	left := func(ref gitstore.RefName) { jo.Write(".git/"+string(jo.remote.Seen(ref))+".lock", "") }

	one := ada.add(taskRef("one"), "2")
	ada.sync()
	h.Git("update-ref", "-d", string(taskRef("gone")))
	left(taskRef("one"))
	left(taskRef("gone"))
	r := jo.sync()
	expect(t, r, "tasks/gone-aaaaaaa ahead pushed", "tasks/one-aaaaaaa fast-forwarded")
	if len(r.Notes) > 0 || jo.tip(taskRef("one")) != one {
		t.Errorf("notes %q, it is at %s", r.Notes, jo.tip(taskRef("one")).Short())
	}

	jo.add(taskRef("one"), "3")
	left(taskRef("one"))
	expect(t, jo.sync(), "tasks/one-aaaaaaa ahead pushed")
	if seen := jo.tip(jo.remote.Seen(taskRef("one"))); seen != jo.tip(taskRef("one")) {
		t.Errorf("what the remote has was not recorded: %s", seen.Short())
	}
}

// S-35: in a partial clone, records come whole.
func TestRun_S35_partialClone(t *testing.T) {
	t.Parallel()
	f := gitstoretest.NewKind(t, gitstoretest.Partial)
	source := f.In(strings.TrimPrefix(f.Git("config", "remote.origin.url"), "file://"))
	source.Write("state", "of a record")
	source.Git("add", "state")
	tip := source.Commit("a record")
	source.Git("update-ref", string(taskRef("one")), tip.String())
	source.Git("reset", "-q", "--hard", "HEAD~1")
	jo := deskIn(f)
	expect(t, jo.sync(), "tasks/one-aaaaaaa new")
	f.Setenv("GIT_NO_LAZY_FETCH", "1")
	f.Git("config", "remote.origin.url", "file:///gone")
	if got := f.Git("show", string(taskRef("one"))+":state"); got != "of a record" {
		t.Errorf("state %q", got)
	}
}
