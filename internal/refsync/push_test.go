package refsync_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-29: a busy peer pushes in between, time and again. Each time the rest goes
// on and the record is merged again; in the end it is there, or the exchange
// says that it gave up, with nothing lost.
func TestRun_S29_busyPeer(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		rounds, busy int
		gaveUp       bool
	}{
		"a peer that stops":       {25, 20, false},
		"a peer that never stops": {0, 1000, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			ada, peer := h.desk("ada"), h.desk("peer")
			one := taskRef("one")
			ada.add(one, "0")
			ada.sync()
			ada.add(one, "a")
			ada.add(taskRef("calm"), "a")
			pushed := 0
			ada.records.settle = func(ref gitstore.RefName) error {
				if ref == one && pushed < row.busy {
					pushed++
					peer.Git("fetch", "-q", "origin", "+refs/brew/tasks/*:refs/brew/tasks/*")
					peer.add(one, fmt.Sprint(pushed))
					peer.Git("push", "-q", "origin", string(one))
				}
				return nil
			}
			o := ada.both()
			o.Rounds = row.rounds
			var waits []time.Duration
			o.Wait = func(d time.Duration) { waits = append(waits, d) }
			r, err := ada.run(o)
			if row.gaveUp {
				if !errors.Is(err, refsync.ErrMoving) || r.Rounds != 10 {
					t.Errorf("%v after %d rounds", err, r.Rounds)
				}
				if calm, busy := r.Refs[0], r.Refs[1]; !calm.Pushed || !busy.Pending || busy.Err == nil {
					t.Errorf("%s", told(r))
				}
				ada.records.settle = nil
				r = ada.sync()
			} else if err != nil || r.Rounds != 21 {
				t.Errorf("%v after %d rounds", err, r.Rounds)
			}
			if len(waits) < 9 || waits[len(waits)-1] < 4*waits[0]/3 {
				t.Errorf("waits do not grow: %v", waits)
			}
			if !r.Refs[len(r.Refs)-1].Pushed || h.OID(string(one)) != ada.tip(one) {
				t.Errorf("the hub has %s, ada %s: %s", h.OID(string(one)), ada.tip(one), told(r))
			}
			if got := len(strings.Fields(ada.texts(one))); got != pushed+2 {
				t.Errorf("%d texts of %d: %s", got, pushed+2, ada.texts(one))
			}
		})
	}
}

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
	if r.Rounds != 3 || strings.Contains(told(r), "pending") || strings.Count(told(r), "pushed") != 8 || strings.Count(told(r), "confirmed") != 4 || !strings.HasSuffix(told(r), "tasks/d-aaaaaaa merged pushed") {
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
	h := newHub(t, "")
	ada := h.desk("ada")
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
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
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
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
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
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "one-aaaaaaa.lock") || strings.Contains(r.Notes[0], "\n") {
		t.Errorf("notes %q", r.Notes)
	}
	// What it can't be seen to have can't be pushed to; that is said.
	jo.add(taskRef("one"), "of jo")
	r, err := jo.run(jo.both())
	if !errors.Is(err, refsync.ErrMoving) || !strings.Contains(err.Error(), "one-aaaaaaa.lock") || strings.Contains(err.Error(), "hideRefs") {
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
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
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

// S-32: a remote that takes only so many refs at once gets them in smaller
// pushes; one ref that it does not take is found, and stops no other.
func TestRun_S32_refsPerPush(t *testing.T) {
	t.Parallel()
	const limit = `cat >refs-of-a-push
echo x >>pushes
if grep -q bad refs-of-a-push; then echo "bad is not wanted" >&2; exit 1; fi
[ $(wc -l <refs-of-a-push) -le 10 ] || { echo "at most 10 refs" >&2; exit 1; }`
	for name, row := range map[string]struct {
		hook   string
		bad    bool
		pushes int
	}{
		"at most ten": {limit, false, 14},
		"one is bad":  {strings.Replace(limit, "-le 10", "-le 1000", 1), true, 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			h.hook("pre-receive", row.hook)
			ada := h.desk("ada")
			first := ada.add(taskRef("t00"), "1")
			for i := 1; i < 60; i++ {
				ada.Git("update-ref", string(taskRef(fmt.Sprintf("t%02d", i))), first.String())
			}
			if row.bad {
				ada.add(taskRef("t30-is-bad"), "1")
			}
			o := ada.both()
			var last string
			o.Progress = func(step refsync.Step, done, total int) { last = fmt.Sprint(step, " ", done, "/", total) }
			r, err := ada.run(o)
			if got := strings.Count(told(r), " pushed"); got != 60 {
				t.Errorf("%d pushed", got)
			}
			if !row.bad && (err != nil || last != "push 60/60") {
				t.Errorf("%v, progress %s", err, last)
			}
			if row.bad {
				bad := r.Refs[31]
				if !errors.Is(err, refsync.ErrRefused) || !strings.Contains(err.Error(), "bad is not wanted") || !errors.Is(bad.Err, refsync.ErrRefused) || !bad.Pending {
					t.Errorf("%v; %+v", err, bad)
				}
			}
			if got := len(h.lines("pushes")); got > row.pushes {
				t.Errorf("%d pushes, more than %d", got, row.pushes)
			}
		})
	}
}

// Many refs at once move forward only: one that moved on the remote meanwhile is
// merged in another round, and one that goes back, since the law says so, goes
// back only from what was seen.
func TestRun_S20_manyAtOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	var refs []gitstore.RefName
	for i := range 20 {
		refs = append(refs, taskRef(fmt.Sprintf("t%02d", i)))
	}
	first := ada.add(refs[0], "1")
	for _, ref := range refs[1:] {
		ada.Git("update-ref", string(ref), first.String())
	}
	ada.sync()
	jo.sync()
	back, stale, moved := refs[3], refs[4], refs[5]
	other, err := commit(t.Context(), ada.repo, "the one that wins")
	if err != nil {
		t.Fatal(err)
	}
	ada.records.wins = map[gitstore.RefName]gitstore.OID{back: other, stale: other}
	for _, ref := range refs {
		ada.add(ref, "2")
	}
	theirs := jo.add(moved, "jo's")
	rewound := jo.add(stale, "jo's too")
	ada.records.settle = func(ref gitstore.RefName) error {
		if ref == refs[19] {
			ada.records.settle = nil
			jo.Git("push", "-q", "origin", string(moved), string(stale))
		}
		return nil
	}
	r := ada.sync()
	if r.Rounds != 2 || strings.Count(told(r), "ahead pushed") != 19 || strings.Contains(told(r), "pending") {
		t.Errorf("%d rounds\n%s", r.Rounds, told(r))
	}
	if got := h.OID(string(back)); got != other {
		t.Errorf("%s is %s, not %s", back, got, other)
	}
	if got := ada.texts(moved); got != "1 2 jo's" || h.OID(string(moved)) != ada.tip(moved) || ada.tip(moved) == theirs {
		t.Errorf("%s has %s", moved, got)
	}
	if got := h.OID(string(stale)); got != other || got == rewound {
		t.Errorf("%s is %s, not %s", stale, got, other)
	}
	ada.records.wins = map[gitstore.RefName]gitstore.OID{back: first}
	for _, ref := range refs {
		ada.add(ref, "3")
	}
	if r = ada.sync(); r.Rounds != 1 || h.OID(string(back)) != first {
		t.Errorf("%d rounds, %s is %s", r.Rounds, back, h.OID(string(back)))
	}
}

// However many are deleted at once, each goes only as it was seen.
func TestRun_S20_manyDeletedAtOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	ada.add(ledger.ArchiveRef, "all of them")
	first := ada.add(taskRef("t00"), "1")
	for i := 1; i < 12; i++ {
		ada.Git("update-ref", string(taskRef(fmt.Sprintf("t%02d", i))), first.String())
	}
	ada.sync()
	jo.sync()
	for i := range 12 {
		ada.records.archived[fmt.Sprintf("t%02d-aaaaaaa", i)] = true
	}
	jo.add(taskRef("t07"), "more")
	ada.records.settle = func(gitstore.RefName) error { return nil }
	o := ada.both()
	o.Progress = func(step refsync.Step, done, total int) {
		if step == refsync.Settling && done == total && ada.records.settle != nil {
			ada.records.settle = nil
			jo.Git("push", "-q", "origin", string(taskRef("t07")))
		}
	}
	for i := range 12 {
		ada.Git("update-ref", "-d", string(taskRef(fmt.Sprintf("t%02d", i))))
	}
	r, err := ada.run(o)
	if err != nil || r.Rounds != 2 || strings.Count(told(r), "deleted") != 12 {
		t.Errorf("%v, %d rounds: %s", err, r.Rounds, told(r))
	}
}

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

// S-36: a remote that is gone is said to be, and nothing happens here.
func TestRun_S36_goneRemote(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada := h.desk("ada")
	ada.add(taskRef("one"), "1")
	before := ada.Git("for-each-ref")
	for name, change := range map[string]func(){
		"another place": func() { ada.Git("config", "remote.origin.url", h.Dir+"-moved") },
		"nobody there":  func() { ada.Git("config", "remote.origin.url", "https://ada:secret@127.0.0.1:1/x") },
		"no such name":  func() { ada.Git("remote", "remove", "origin") },
	} {
		change()
		r, err := ada.run(ada.both())
		if !errors.Is(err, refsync.ErrUnreachable) || len(r.Refs) != 0 || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; %s", name, err, told(r))
		}
		answer, err := refsync.PushOne(t.Context(), ada.repo, ada.remote, taskRef("one"), gitstore.OID{}, ada.tip(taskRef("one")))
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

// Locks are pushed first, in a push of their own; a lock that frees its task
// waits until the task is there.
func TestRun_S12_locksFirstAndReleasesLast(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	h.hook("pre-receive", "cut -d' ' -f3 | cut -d/ -f3 | sort -u | tr '\\n' + >>order; echo >>order")
	ada := h.desk("ada")
	write := func(text string) {
		ada.add(taskRef("one"), text)
		ada.add(lockRef("one"), text)
		ada.add(ledger.KnowledgeRef, text)
	}
	write("1")
	ada.sync()
	write("2")
	ada.records.late = true
	ada.sync()
	if got := strings.Join(h.lines("order"), " "); got != "locks+ knowledge+tasks+ knowledge+tasks+ locks+" {
		t.Errorf("pushed in the order %s", got)
	}
	h.hook("pre-receive", "! grep -q tasks/")
	write("3")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) {
		t.Errorf("error %v", err)
	}
	for _, ref := range r.Refs {
		if kind, _, _ := ledger.KindOf(ref.Ref); ref.Pushed != (kind == ledger.KindKnowledge) {
			t.Errorf("%+v", ref)
		}
	}
}

// S-12, S-13: of two that claim, the remote takes one; the other one's lock is
// the winner's when its exchange ends.
func TestRun_S13_oneWinner(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	lock := lockRef("one")
	ada.add(lock, "free")
	ada.sync()
	jo.sync()
	won := ada.add(lock, "ada has it")
	lost := jo.add(lock, "jo has it")
	jo.records.settle = func(ref gitstore.RefName) error {
		if jo.records.settle = nil; ref == lock {
			expect(t, ada.sync(), "locks/one-aaaaaaa confirmed pushed")
		}
		return nil
	}
	r := jo.sync()
	expect(t, r, "locks/one-aaaaaaa lost")
	if jo.tip(lock) != won || h.OID(string(lock)) != won || r.Rounds != 2 || len(r.Refs[0].Notes) != 1 {
		t.Errorf("jo has %s, the hub %s, not %s but for %s: %+v", jo.tip(lock), h.OID(string(lock)), won, lost, r)
	}
}

// A lock that is on the remote already when it is pushed counts when a fetch has
// told whose it is; for other records it is as good as pushed.
func TestRun_S13_upToDateIsNoWin(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada := h.desk("ada")
	for ref, rounds := range map[gitstore.RefName]int{lockRef("one"): 2, taskRef("one"): 1} {
		ada.add(ref, "ada's")
		ada.records.settle = func(ref gitstore.RefName) error {
			ada.Git("push", "-q", "origin", string(ref))
			return nil
		}
		r := ada.sync()
		if r.Rounds != rounds || len(r.Refs) != 1 || !r.Refs[0].Pushed || r.Refs[0].Pending {
			t.Errorf("%d rounds for %s", r.Rounds, told(r))
		}
	}
}

// S-7: what others archived between fetch and push is seen in the next round:
// their archive is asked for, too.
func TestRun_S7_archivedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	old := taskRef("old")
	ada.add(old, "1")
	ada.sync()
	ada.add(old, "2")
	ada.records.settle = func(gitstore.RefName) error {
		ada.records.settle = nil
		ada.records.archived["old-aaaaaaa"] = true // with the archive that comes now
		jo.add(ledger.ArchiveRef, "old")
		jo.Git("push", "-q", "origin", string(ledger.ArchiveRef), ":"+string(old))
		return nil
	}
	r := ada.sync()
	if r.Rounds != 2 || len(r.Refs) != 2 || r.Refs[0].Outcome != refsync.New || r.Refs[1].Outcome != refsync.Archived {
		t.Errorf("%d rounds: %s", r.Rounds, told(r))
	}
	h.on("archive")
}

// Refs are deleted on the remote only when it has the archive.
func TestRun_S7_deletesBehindTheArchive(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	old := taskRef("old")
	ada.add(old, "1")
	ada.sync()
	jo.sync()

	ada.records.archived["old-aaaaaaa"] = true
	ada.Git("update-ref", "-d", string(old))
	expect(t, ada.sync(), "tasks/old-aaaaaaa archived pending") // there is no archive
	h.hook("update", `case $1 in *archive) exit 1;; esac`)
	ada.add(ledger.ArchiveRef, "old")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) || strings.Contains(told(r), "deleted") {
		t.Errorf("%v; %s", err, told(r))
	}
	h.on("tasks/old-aaaaaaa")
	h.hook("update", "")
	o := ada.both()
	o.Tasks = []string{"old-aaaaaaa"} // the archive is not asked for
	if r, err = ada.run(o); err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/old-aaaaaaa archived pending")
	expect(t, ada.sync(), "archive ahead pushed", "tasks/old-aaaaaaa archived deleted")
	h.on("archive")

	jo.records.archived["old-aaaaaaa"] = true
	expect(t, jo.sync(), "archive new", "tasks/old-aaaaaaa archived")
	h.on("archive")
	if !jo.tip(old).IsZero() || !ada.tip(ada.remote.Seen(old)).IsZero() {
		t.Error("the task is still there")
	}
}

// A lock that is lost leaves its trace in the task, and what is in the archive is
// gone from here: what moved by that goes to the remote in the same exchange.
func TestRun_S12_whatOtherRecordsMoved(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	lost, old, calm := taskRef("lost"), taskRef("old"), taskRef("calm")
	for _, ref := range []gitstore.RefName{lost, old, calm} {
		ada.add(ref, "1")
	}
	ada.add(lockRef("lost"), "free")
	ada.sync()
	jo.sync()
	ada.add(lockRef("lost"), "ada has it")
	ada.add(ledger.ArchiveRef, "old")
	ada.sync()
	jo.add(lockRef("lost"), "jo has it")
	jo.records.archived["old-aaaaaaa"] = true
	jo.records.also = func(ctx context.Context, tx *ledger.Tx, ref gitstore.RefName) error {
		switch ref {
		case ledger.ArchiveRef:
			return tx.Move(ctx, old, gitstore.OID{})
		case lockRef("lost"):
			tip, err := tx.Tip(ctx, lost)
			if err != nil {
				return err
			}
			trace, err := commit(ctx, jo.repo, "lost", tip)
			return errors.Join(err, tx.Move(ctx, lost, trace))
		}
		return nil
	}
	r := jo.sync()
	expect(t, r, "archive new", "locks/lost-aaaaaaa lost", "tasks/lost-aaaaaaa ahead pushed", "tasks/old-aaaaaaa archived deleted")
	if r.Unchanged != 1 || jo.texts(lost) != "1 lost" {
		t.Errorf("%d unchanged, the task has %s", r.Unchanged, jo.texts(lost))
	}
	h.on("archive", "locks/lost-aaaaaaa", "tasks/calm-aaaaaaa", "tasks/lost-aaaaaaa")
}

// What a plain git fetch brings while records are settled is a stranger's, too:
// it is accepted before it is taken.
func TestRun_S12_fetchedWhileSettled(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	ada.add(taskRef("one"), "1")
	ada.add(lockRef("one"), "free")
	ada.sync()
	jo.sync()
	ada.add(lockRef("one"), "held")
	ada.sync()
	tip := jo.tip(taskRef("one"))
	stranger := jo.Git("commit-tree", "-p", tip.String(), "-m", "hostile", tip.String()+"^{tree}")
	jo.records.accept = func(ref gitstore.RefName) error {
		if ref == taskRef("one") {
			return errors.New("hostile")
		}
		jo.Git("update-ref", string(jo.remote.Seen(taskRef("one"))), stranger)
		return nil
	}
	expect(t, jo.sync(), "locks/one-aaaaaaa fast-forwarded", "tasks/one-aaaaaaa set-aside (hostile)")
	if got := jo.tip(taskRef("one")); got != tip {
		t.Errorf("the task is at %s, %q", got.Short(), jo.texts(taskRef("one")))
	}
}

// A remote that hides refs from those who push refuses them: it would say
// forever that they have moved.
func TestRun_S33_hiddenFromPushes(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada := h.desk("ada")
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

// What somebody else deletes between fetch and push is no failure.
func TestRun_deletedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada := h.desk("ada")
	ada.add(taskRef("old"), "1")
	ada.add(taskRef("older"), "1")
	ada.add(ledger.ArchiveRef, "both")
	ada.sync()
	for _, task := range []string{"old", "older"} {
		ada.records.archived[task+"-aaaaaaa"] = true
		ada.Git("update-ref", "-d", string(taskRef(task)))
	}
	ada.records.calls = nil
	o := ada.both()
	o.Progress = func(step refsync.Step, done, total int) {
		if step == refsync.Settling && done == total {
			_, _ = h.TryGit("update-ref", "-d", string(taskRef("old")))
		}
	}
	r, err := ada.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/old-aaaaaaa archived deleted", "tasks/older-aaaaaaa archived deleted")
	h.on("archive")
}

// One lock, one push, one answer. S-13.
func TestPushOne_S13_answers(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	lock := lockRef("one")
	none := gitstore.OID{}
	push := func(d *desk, old, new gitstore.OID, want refsync.Answer) {
		t.Helper()
		if got, err := refsync.PushOne(context.Background(), d.repo, d.remote, lock, old, new); got != want || err != nil {
			t.Errorf("%s, %v, not %s", got, err, want)
		}
	}
	first := ada.add(lock, "ada")
	push(ada, none, first, refsync.Pushed)
	if got := ada.tip(ada.remote.Seen(lock)); got != first {
		t.Errorf("seen %s, not %s", got, first)
	}
	push(ada, none, first, refsync.UpToDate)
	push(jo, none, jo.add(lock, "jo"), refsync.Moved)
	if got := jo.tip(jo.remote.Seen(lock)); !got.IsZero() {
		t.Errorf("jo has seen %s", got)
	}
	second := ada.add(lock, "ada again")
	push(ada, second, ada.add(lock, "and again"), refsync.Moved)
	push(ada, first, second, refsync.Pushed)
	h.hook("update", "echo 'no locks' >&2; exit 1")
	got, err := refsync.PushOne(t.Context(), ada.repo, ada.remote, lock, second, ada.tip(lock))
	if got != refsync.Refused || !errors.Is(err, refsync.ErrRefused) || !strings.Contains(err.Error(), "no locks") {
		t.Errorf("%s, %v", got, err)
	}
	h.hook("update", "")
	push(ada, second, none, refsync.Pushed)
	h.on()
	if got := ada.tip(ada.remote.Seen(lock)); !got.IsZero() {
		t.Errorf("seen %s after it was deleted", got)
	}
}

// Whatever a person's configuration says of pushes and fetches of code, records
// are what travels: no branch, no tag, no hook of theirs.
func TestRun_personsConfiguration(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	ada, jo := h.desk("ada"), h.desk("jo")
	ada.Git("push", "-q", "origin", "HEAD:refs/heads/code", "HEAD:refs/tags/v0")
	for _, d := range []*desk{ada, jo} {
		d.Git("tag", "-a", "-m", "tag", "v1-of-"+d.Dir[len(d.Dir)-2:])
		for key, value := range map[string]string{
			"push.followTags": "true", "remote.origin.mirror": "true", "remote.origin.tagOpt": "--tags", "fetch.prune": "true",
			"fetch.pruneTags": "true", "push.recurseSubmodules": "on-demand", "fetch.recurseSubmodules": "true", "push.useForceIfIncludes": "true",
			"remote.origin.push": "refs/heads/*:refs/heads/*", "fetch.writeCommitGraph": "true", "fetch.output": "compact",
		} {
			d.Git("config", key, value)
		}
		d.Git("config", "core.hooksPath", filepath.Join(d.Dir, ".git", "hooks"))
		d.Write(".git/hooks/pre-push", "#!/bin/sh\ntouch ran\nexit 1\n")
		if err := os.Chmod(filepath.Join(d.Dir, ".git", "hooks", "pre-push"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ada.add(taskRef("one"), "1")
	ada.Git("tag", "on-the-task", string(taskRef("one")))
	ada.sync()
	jo.add(taskRef("two"), "1")
	expect(t, jo.sync(), "tasks/one-aaaaaaa new", "tasks/two-aaaaaaa ahead pushed")
	h.on("tasks/one-aaaaaaa", "tasks/two-aaaaaaa", "refs/heads/code", "refs/tags/v0")
	if got := jo.Git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags"); got != "refs/heads/main\nrefs/tags/v1-of-jo" {
		t.Errorf("jo has %s", got)
	}
	if out, err := jo.TryGit("rev-parse", "--verify", "FETCH_HEAD"); err == nil {
		t.Errorf("FETCH_HEAD is %s", out)
	}
}
