package refsync_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-32: thousands of records reach a fresh clone in one exchange, and do not
// stay files of their own there.
func TestRun_S32_thousandsAtOnce(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	tip := ada.add(taskRef("first"), "1")
	ada.sync()
	var script strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&script, "create %s %s\n", taskRef(fmt.Sprintf("t%04d", i)), tip)
	}
	hub := h.Open()
	if _, err := hub.Git.Input(t.Context(), []byte(script.String()), "update-ref", "--stdin"); err != nil {
		t.Fatal(err)
	}
	jo := h.desk("jo")
	o := jo.both()
	var steps []string
	o.Progress = func(step refsync.Step, done, total int) {
		steps = append(steps, fmt.Sprint(step, " ", done, "/", total))
	}
	r, err := jo.run(o)
	if err != nil || len(r.Refs) != 1201 || strings.Count(told(r), " new") != 1201 {
		t.Fatalf("%v, %d refs", err, len(r.Refs))
	}
	if got := strings.Join(steps, ", "); got != "fetching 0/0, merging 500/1201, merging 1000/1201, merging 1201/1201" {
		t.Errorf("progress: %s", got)
	}
	var loose int
	err = filepath.WalkDir(filepath.Join(jo.Dir, ".git", "refs", "brew"), func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			loose++
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) || loose > 0 {
		t.Errorf("%d refs in files of their own, %v", loose, err)
	}
	if r := jo.sync(); r.Unchanged != 1201 || len(r.Refs) != 0 {
		t.Errorf("%d unchanged, %d not", r.Unchanged, len(r.Refs))
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
		"at most ten": {limit, false, 16},
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
			o.Progress = func(step refsync.Step, done, total int) {
				if step == refsync.Pushing {
					last = fmt.Sprint(step, " ", done, "/", total)
				}
			}
			r, err := ada.run(o)
			if got := strings.Count(told(r), " pushed"); got != 60 {
				t.Errorf("%d pushed", got)
			}
			if !row.bad && (err != nil || last != "pushing 60/60") {
				t.Errorf("%v, progress %s", err, last)
			}
			if row.bad {
				bad := r.Refs[31]
				if !errors.Is(err, refsync.ErrRefused) || !strings.Contains(err.Error(), "bad is not wanted") ||
					!errors.Is(bad.Err, refsync.ErrRefused) || !bad.Pending {
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
	h, ada, jo := twoDesks(t)
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
	_, ada, jo := twoDesks(t)
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
