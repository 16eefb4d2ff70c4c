package refsync_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// hub is a bare repository that desks share records through.
type hub struct {
	*gitstoretest.Fixture
	url string
}

// newHub makes a hub; scheme is what its path is written behind, such as
// "file://".
func newHub(t testing.TB, scheme string) *hub {
	t.Helper()
	f := gitstoretest.New(t)
	dir := filepath.Join(f.Root, "hub.git")
	f.In(f.Root).Git("init", "-q", "--bare", dir)
	h := &hub{Fixture: f.In(dir), url: scheme + dir}
	return h
}

// oneDesk is a hub with a desk.
func oneDesk(t testing.TB) (*hub, *desk) {
	t.Helper()
	h := newHub(t, "")
	return h, h.desk("ada")
}

// twoDesks is a hub that two share.
func twoDesks(t testing.TB) (h *hub, ada, jo *desk) {
	t.Helper()
	h, ada = oneDesk(t)
	return h, ada, h.desk("jo")
}

// hook writes a hook of the hub; an empty body removes it.
func (h *hub) hook(name, body string) {
	h.T.Helper()
	path := filepath.Join(h.Dir, "hooks", name)
	if body == "" {
		if err := os.Remove(path); err != nil {
			h.T.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o777); err != nil {
		h.T.Fatal(err)
	}
}

// lines are those of a file beside the hub, which hooks write.
func (h *hub) lines(name string) []string {
	h.T.Helper()
	data, err := os.ReadFile(filepath.Join(h.Dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		h.T.Fatal(err)
	}
	return strings.Fields(string(data))
}

// desk is a clone with records.
type desk struct {
	*gitstoretest.Fixture
	repo    *gitstore.Repo
	ledger  *ledger.Ledger
	records *tallies
	remote  refsync.Remote
}

// desk makes a clone without code that knows the hub as origin.
func (h *hub) desk(name string) *desk {
	h.T.Helper()
	dir := filepath.Join(h.Root, name)
	f := h.In(h.Root)
	f.Git("init", "-q", dir)
	f = f.In(dir)
	f.Commit("first of " + name)
	f.Git("remote", "add", "origin", h.url)
	return deskIn(f)
}

func deskIn(f *gitstoretest.Fixture) *desk {
	repo := f.Open()
	d := &desk{
		Fixture: f, repo: repo, ledger: ledger.New(repo, time.Now, nil),
		remote: refsync.Remote{Name: "origin", Namespace: ledger.Prefix},
	}
	d.records = &tallies{repo: repo, archived: map[string]bool{}}
	f.T.Cleanup(func() {
		if f.T.Failed() {
			return
		}
		if out, err := f.TryGit("fsck", "--strict", "--no-dangling"); err != nil {
			f.T.Errorf("git fsck in %s: %v\n%s", f.Dir, err, out)
		}
	})
	return d
}

// both is a sync of all records but clones, with the arbiter.
func (d *desk) both() refsync.Options {
	return refsync.Options{Remote: d.remote, Locks: true, Fetch: true, Push: true, Wait: func(time.Duration) {}}
}

func (d *desk) run(o refsync.Options) (refsync.Report, error) {
	d.T.Helper()
	return refsync.Run(d.T.Context(), d.repo, d.ledger, o, d.records)
}

// sync is an exchange that must not fail.
func (d *desk) sync() refsync.Report {
	d.T.Helper()
	report, err := d.run(d.both())
	if err != nil {
		d.T.Fatal(err)
	}
	return report
}

// tip is where a ref is; zero: nowhere.
func (d *desk) tip(ref gitstore.RefName) gitstore.OID {
	d.T.Helper()
	oid, err := d.ledger.Tip(context.Background(), ref)
	if err != nil {
		d.T.Fatal(err)
	}
	return oid
}

// add puts a commit on a record.
func (d *desk) add(ref gitstore.RefName, text string) gitstore.OID {
	d.T.Helper()
	tip := d.tip(ref)
	var parents []gitstore.OID
	if !tip.IsZero() {
		parents = []gitstore.OID{tip}
	}
	oid, err := commit(d.T.Context(), d.repo, text, parents...)
	if err != nil {
		d.T.Fatal(err)
	}
	if err := d.repo.Refs.Update(d.T.Context(), gitstore.Update{Ref: ref, Old: tip, New: oid}); err != nil {
		d.T.Fatal(err)
	}
	return oid
}

// texts are what was written to a record, sorted.
func (d *desk) texts(ref gitstore.RefName) string {
	d.T.Helper()
	list := strings.Split(d.Git("log", "--no-merges", "--format=%s", string(ref)), "\n")
	slices.Sort(list)
	return strings.Join(list, " ")
}

// on asserts which records the hub has, by their names behind refs/brew/.
func (h *hub) on(want ...string) {
	h.T.Helper()
	var got []string
	for _, line := range strings.Split(h.Git("for-each-ref", "--format=%(refname)"), "\n") {
		if line != "" {
			got = append(got, strings.TrimPrefix(line, ledger.Prefix))
		}
	}
	if !slices.Equal(got, want) {
		h.T.Errorf("the hub has %v, not %v", got, want)
	}
}

// commit writes a commit that follows from its parents and the text alone.
func commit(ctx context.Context, repo *gitstore.Repo, text string, parents ...gitstore.OID) (gitstore.OID, error) {
	w := repo.Objects.NewWriter()
	who := gitstore.Signature{Name: "Ada", Email: "ada@example.com", When: time.Unix(1_700_000_000, 0).UTC()}
	oid := w.Commit(gitstore.Commit{
		Tree: w.Tree(nil), Parents: parents, Author: who, Committer: who,
		Message: text + "\n",
	})
	return oid, w.Flush(ctx)
}

// tallies are records whose histories are united by a merge; of a lock that went
// on on both sides, the remote's stays.
type tallies struct {
	repo     *gitstore.Repo
	archived map[string]bool                   // tasks, by their ids
	late     bool                              // locks are pushed behind their tasks
	wins     map[gitstore.RefName]gitstore.OID // what stays, here and there, whatever follows from what

	also   func(ctx context.Context, tx *ledger.Tx, ref gitstore.RefName) error // what a settled record moves besides
	accept func(ref gitstore.RefName) error                                     // asked first, where set
	settle func(ref gitstore.RefName) error                                     // as accept
	// sendable is asked before a record goes, where set.
	sendable func(ref gitstore.RefName, there gitstore.OID) error
	calls    []string
}

func (r *tallies) Accept(_ context.Context, ref gitstore.RefName, _, theirs gitstore.OID) error {
	r.calls = append(r.calls, "accept "+string(ref))
	if theirs.IsZero() {
		return errors.New("there is nothing to accept")
	}
	if r.accept != nil {
		return r.accept(ref)
	}
	return nil
}

func (r *tallies) Settle(ctx context.Context, tx *ledger.Tx, _ refsync.Remote, ref gitstore.RefName, ours,
	theirs gitstore.OID,
) (refsync.Settlement, error) {
	r.calls = append(r.calls, "settle "+string(ref))
	kind, id, _ := ledger.KindOf(ref)
	if kind == ledger.KindTask && r.archived[id] {
		return refsync.Settlement{Outcome: refsync.Archived}, tx.Move(ctx, ref, gitstore.OID{})
	}
	if win, ok := r.wins[ref]; ok {
		return refsync.Settlement{Outcome: refsync.Ahead, There: win}, tx.Move(ctx, ref, win)
	}
	s, err := r.decide(ctx, tx, ref, ours, theirs)
	if err == nil && r.settle != nil {
		err = r.settle(ref) // after something was staged
	}
	if err == nil && r.also != nil {
		err = r.also(ctx, tx, ref)
	}
	s.Late = r.late && kind == ledger.KindLock
	return s, err
}

func (r *tallies) Sendable(_ context.Context, ref gitstore.RefName, _, there gitstore.OID) error {
	r.calls = append(r.calls, "sendable "+string(ref))
	if r.sendable == nil {
		return nil
	}
	return r.sendable(ref, there)
}

func (r *tallies) decide(ctx context.Context, tx *ledger.Tx, ref gitstore.RefName, ours,
	theirs gitstore.OID,
) (refsync.Settlement, error) {
	kind, _, _ := ledger.KindOf(ref)
	lock := kind == ledger.KindLock
	ahead := refsync.Settlement{Outcome: refsync.Ahead, There: ours}
	if lock {
		ahead.Outcome = refsync.LockConfirmed
	}
	switch {
	case theirs.IsZero():
		return ahead, nil
	case ours.IsZero():
		return refsync.Settlement{Outcome: refsync.New, There: theirs}, tx.Move(ctx, ref, theirs)
	}
	if follows, err := r.repo.History.IsAncestor(ctx, theirs, ours); err != nil || follows {
		return ahead, err
	}
	if follows, err := r.repo.History.IsAncestor(ctx, ours, theirs); err != nil || follows {
		return refsync.Settlement{Outcome: refsync.FastForwarded, There: theirs}, errors.Join(err, tx.Move(ctx, ref, theirs))
	}
	if lock {
		return refsync.Settlement{Outcome: refsync.LockLost, There: theirs, Notes: []string{"somebody else has it"}},
			tx.Move(ctx, ref, theirs)
	}
	parents := []gitstore.OID{ours, theirs}
	slices.SortFunc(parents, gitstore.OID.Compare)
	both, err := commit(ctx, r.repo, "merge", parents...)
	if err != nil {
		return refsync.Settlement{}, err
	}
	return refsync.Settlement{Outcome: refsync.Merged, There: both}, tx.Move(ctx, ref, both)
}

// taskRef and lockRef are those of made-up ids.
func taskRef(name string) gitstore.RefName { return ledger.TaskRef(name + "-aaaaaaa") }
func lockRef(name string) gitstore.RefName { return ledger.LockRef(name + "-aaaaaaa") }

// told is a report in a line a record: name, outcome, what became of it there.
func told(r refsync.Report) string {
	var lines []string
	for _, ref := range r.Refs {
		line := strings.TrimPrefix(string(ref.Ref), ledger.Prefix) + " " + string(ref.Outcome)
		for _, flag := range []struct {
			on   bool
			word string
		}{
			{ref.Pushed, "pushed"},
			{ref.Deleted, "deleted"},
			{ref.Pending, "pending"},
			{ref.Err != nil, fmt.Sprintf("(%v)", ref.Err)},
		} {
			if flag.on {
				line += " " + flag.word
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func expect(t testing.TB, r refsync.Report, want ...string) {
	t.Helper()
	if got := told(r); got != strings.Join(want, "\n") {
		t.Errorf("report:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// same asserts that records are the same at desks.
func same(t testing.TB, ref gitstore.RefName, desks ...*desk) {
	t.Helper()
	for _, d := range desks[1:] {
		if a, b := desks[0].tip(ref), d.tip(ref); a != b {
			t.Errorf("%s is at %s in %s, at %s in %s", ref, a.Short(), desks[0].Dir, b.Short(), d.Dir)
		}
	}
}

// gitCalls makes a desk's git write down what it is called with, and gives what
// it was since.
func (d *desk) gitCalls() (calls func() []string) {
	d.T.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		d.T.Fatal(err)
	}
	dir := d.T.TempDir()
	log := filepath.Join(dir, "log")
	// The first word that is no option; git's own children have another PATH.
	script := fmt.Sprintf("#!/bin/sh\nfor a; do case $a in -*|*=*) ;; *) echo \"$a\" >>%s; break ;; esac; done\n"+
		"exec %s \"$@\"\n", log, git)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil {
		d.T.Fatal(err)
	}
	d.T.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() []string {
		data, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			d.T.Fatal(err)
		}
		_ = os.Remove(log)
		return strings.Fields(string(data))
	}
}
