package refsync_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-1, S-8: what one desk has reaches the other one, what both changed is united
// once, and one more round writes nothing.
func TestRun_S1_twoDesksComeToRest(t *testing.T) {
	t.Parallel()
	for name, scheme := range map[string]string{"by path": "", "by file://": "file://"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, scheme)
			ada, jo := h.desk("ada"), h.desk("jo")
			one, two := taskRef("one"), taskRef("two")
			ada.add(one, "a1")
			ada.add(ledger.KnowledgeRef, "k1")
			expect(t, ada.sync(), "knowledge ahead pushed", "tasks/one-aaaaaaa ahead pushed")
			h.on("knowledge", "tasks/one-aaaaaaa")

			jo.add(two, "b1")
			expect(t, jo.sync(), "knowledge new", "tasks/one-aaaaaaa new", "tasks/two-aaaaaaa ahead pushed")
			ada.add(one, "a2")
			jo.add(one, "b2")
			jo.add(ledger.KnowledgeRef, "k2")
			expect(t, ada.sync(), "tasks/one-aaaaaaa ahead pushed", "tasks/two-aaaaaaa new")
			expect(t, jo.sync(), "knowledge ahead pushed", "tasks/one-aaaaaaa merged pushed")
			expect(t, ada.sync(), "knowledge fast-forwarded", "tasks/one-aaaaaaa fast-forwarded")
			for _, ref := range []gitstore.RefName{one, two, ledger.KnowledgeRef} {
				same(t, ref, ada, jo)
			}
			if got := ada.texts(one); got != "a1 a2 b2" {
				t.Errorf("task one has %s", got)
			}
			before := h.Git("for-each-ref") + ada.Git("for-each-ref") + jo.Git("for-each-ref")
			for _, d := range []*desk{ada, jo} {
				if r := d.sync(); len(r.Refs) != 0 || r.Unchanged != 3 || r.Rounds != 1 {
					t.Errorf("%s: %+v", d.Dir, r)
				}
			}
			if after := h.Git("for-each-ref") + ada.Git("for-each-ref") + jo.Git("for-each-ref"); after != before {
				t.Errorf("refs after one more round:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

// With nothing to do, an exchange is a git fetch and nothing else.
func TestRun_nothingToDoIsOneFetch(t *testing.T) {
	_, ada := oneDesk(t)
	ada.add(taskRef("one"), "a1")
	ada.add(lockRef("one"), "held")
	ada.sync()
	calls := ada.gitCalls()
	ada.sync()
	if got := calls(); len(got) != 1 || got[0] != "fetch" {
		t.Errorf("git was called for %v", got)
	}
}

// S-31: what came from one remote goes to the other one.
func TestRun_S31_twoRemotesGetEverything(t *testing.T) {
	t.Parallel()
	upstream, fork := newHub(t, ""), newHub(t, "")
	ada := upstream.desk("ada")
	ada.Git("remote", "add", "fork", fork.url)
	jo := fork.desk("jo")
	ada.add(taskRef("one"), "a1")
	jo.add(taskRef("two"), "b1")
	ada.sync()
	jo.sync()
	o := ada.both()
	o.Remote.Name, o.Locks = "fork", false
	ada.add(lockRef("one"), "held")
	r, err := ada.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/one-aaaaaaa ahead pushed", "tasks/two-aaaaaaa new")
	expect(t, ada.sync(), "locks/one-aaaaaaa confirmed pushed", "tasks/two-aaaaaaa ahead pushed")
	upstream.on("locks/one-aaaaaaa", "tasks/one-aaaaaaa", "tasks/two-aaaaaaa")
	fork.on("tasks/one-aaaaaaa", "tasks/two-aaaaaaa") // no arbiter, no locks
}

// A ref that is gone on the remote is not taken for one it has, and what stands
// there under no record's name is left alone.
func TestRun_prunesAndIgnoresForeignNames(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "a1")
	ada.add(taskRef("two"), "a1")
	ada.sync()
	jo.sync()
	for _, foreign := range []string{
		"refs/brew/knowledge-of/mine", "refs/brew/tasks/deep/er-aaaaaaa",
		"refs/brew/heads/main", "refs/brew/tasks/bad",
	} {
		h.Git("update-ref", foreign, string(taskRef("two")))
	}
	h.Git("update-ref", "-d", string(taskRef("one")))
	jo.records.accept = func(ref gitstore.RefName) error {
		if strings.HasSuffix(string(ref), "/bad") {
			return errors.Join(refsync.ErrForeign)
		}
		return nil
	}
	r := jo.sync()
	expect(t, r, "tasks/one-aaaaaaa ahead pushed")
	if got := len(r.Foreign); got != 3 || r.Foreign[0] != "refs/brew/knowledge-of/mine" ||
		r.Foreign[1] != "refs/brew/tasks/bad" {
		t.Errorf("foreign: %v", r.Foreign)
	}
	if got := jo.Git("for-each-ref", "--format=%(refname)", "refs/brew/tasks",
		"refs/brew/heads"); got != "refs/brew/tasks/one-aaaaaaa\nrefs/brew/tasks/two-aaaaaaa" {
		t.Errorf("jo has %s", got)
	}
}

// What is not accepted, or can't be settled, is set aside with the reason; the
// others go on, in the same exchange.
func TestRun_oneThatIsSetAsideStopsNoOther(t *testing.T) {
	t.Parallel()
	errBad := errors.New("it has no phases")
	for name, refuse := range map[string]func(r *tallies, what func(gitstore.RefName) error){
		"not accepted": func(r *tallies, what func(gitstore.RefName) error) { r.accept = what },
		"not settled":  func(r *tallies, what func(gitstore.RefName) error) { r.settle = what },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			ada, jo := h.desk("ada"), h.desk("jo")
			for _, task := range []string{"a", "b", "c", "d", "e"} {
				ada.add(taskRef(task), "1")
			}
			ada.sync()
			jo.add(taskRef("z"), "1")
			refuse(jo.records, func(ref gitstore.RefName) error {
				if ref == taskRef("b") || ref == taskRef("e") {
					return errBad
				}
				return nil
			})
			r := jo.sync()
			expect(t, r, "tasks/a-aaaaaaa new", "tasks/b-aaaaaaa set-aside (it has no phases)", "tasks/c-aaaaaaa new",
				"tasks/d-aaaaaaa new", "tasks/e-aaaaaaa set-aside (it has no phases)", "tasks/z-aaaaaaa ahead pushed")
			if !errors.Is(r.Refs[1].Err, errBad) || !jo.tip(taskRef("b")).IsZero() || jo.tip(taskRef("d")).IsZero() {
				t.Errorf("%v; b at %s, d at %s", r.Refs[1].Err, jo.tip(taskRef("b")), jo.tip(taskRef("d")))
			}
		})
	}
}

// A record's ref that is none is set aside, and the others go on; one that git
// itself stumbles over is named, and is nobody's fault but this repository's.
func TestRun_S24_brokenRefs(t *testing.T) {
	t.Parallel()
	_, ada := oneDesk(t)
	for _, task := range []string{"a", "b", "c"} {
		ada.add(taskRef(task), "1")
	}
	ada.sync()
	ada.add(taskRef("c"), "2")
	ada.Git("symbolic-ref", string(taskRef("b")), string(taskRef("c")))
	r := ada.sync()
	if len(r.Refs) != 2 || r.Refs[0].Outcome != refsync.SetAside || !strings.Contains(r.Refs[0].Err.Error(), "symbolic") ||
		!r.Refs[1].Pushed {
		t.Errorf("%s", told(r))
	}
	ada.Git("update-ref", "--no-deref", "-d", string(taskRef("b")))
}

// A dry run says what would become of each record, and moves none.
func TestRun_dryRun(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "a1")
	ada.add(taskRef("two"), "a1")
	ada.sync()
	jo.sync()
	ada.add(taskRef("one"), "a2")
	ada.add(taskRef("three"), "a1")
	ada.sync()
	jo.add(taskRef("one"), "b2")
	jo.add(taskRef("four"), "b1")
	ours := jo.Git("for-each-ref", "refs/brew/tasks")
	there := h.Git("for-each-ref")
	o := jo.both()
	o.DryRun = true
	r, err := jo.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/four-aaaaaaa ahead pending", "tasks/one-aaaaaaa merged pending", "tasks/three-aaaaaaa new")
	if r.Unchanged != 1 || jo.Git("for-each-ref", "refs/brew/tasks") != ours || h.Git("for-each-ref") != there {
		t.Errorf("%d unchanged; refs moved", r.Unchanged)
	}
}

// One way only: nothing is pushed, or nothing is fetched.
func TestRun_oneWay(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "a1")
	ada.sync()
	jo.add(taskRef("two"), "b1")
	o := jo.both()
	o.Push = false
	r, err := jo.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/one-aaaaaaa new", "tasks/two-aaaaaaa ahead pending")
	h.on("tasks/one-aaaaaaa")

	tip := ada.add(taskRef("one"), "a2")
	ada.sync()
	o = jo.both()
	o.Fetch = false
	if r, err = jo.run(o); err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/two-aaaaaaa ahead pushed")
	jo.add(taskRef("one"), "b2")
	r, err = jo.run(o)
	if !errors.Is(err, refsync.ErrMoving) || r.Rounds != 1 || !r.Refs[0].Pending {
		t.Errorf("%v after %d rounds: %s", err, r.Rounds, told(r))
	}
	if got := h.OID(string(taskRef("one"))); got != tip {
		t.Errorf("the hub's task was moved to %s", got)
	}
}

// Only some tasks: their refs and their locks', and no other is touched.
func TestRun_onlySomeTasks(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	for _, task := range []string{"one", "two"} {
		ada.add(taskRef(task), "a1")
		ada.add(lockRef(task), "free")
	}
	ada.add(ledger.KnowledgeRef, "k")
	ada.sync()
	jo.add(taskRef("mine"), "b")
	o := jo.both()
	o.Tasks = []string{"one-aaaaaaa"}
	r, err := jo.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "locks/one-aaaaaaa new", "tasks/one-aaaaaaa new")
	if got := jo.Git("for-each-ref", "--format=%(refname)", "refs/brew"); strings.Contains(got, "two") ||
		strings.Contains(got, "knowledge") {
		t.Errorf("jo has %s", got)
	}
	h.Git("update-ref", "-d", string(lockRef("one")))
	if r, err = jo.run(o); err != nil {
		t.Fatal(err)
	}
	expect(t, r, "locks/one-aaaaaaa confirmed pushed")
	o.Tasks = []string{"none-aaaaaaa"}
	if r, err = jo.run(o); err != nil || len(r.Refs) != 0 {
		t.Errorf("%v %s", err, told(r))
	}
}

// The records of clones travel only where that was asked for, and each is
// pushed by its own clone alone.
func TestRun_S36_clonesOnlyWhereAsked(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	mine := ledger.CloneRef("ada")
	ada.add(mine, "e1")
	if r := ada.sync(); len(r.Refs) != 0 {
		t.Errorf("pushed %s", told(r))
	}
	o := ada.both()
	o.Clones, o.Own = true, mine
	if _, err := ada.run(o); err != nil {
		t.Fatal(err)
	}
	h.on("clones/ada")
	if r := jo.sync(); len(r.Refs) != 0 {
		t.Errorf("taken: %s", told(r))
	}
	o = jo.both()
	o.Clones, o.Own = true, ledger.CloneRef("jo")
	r, err := jo.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "clones/ada new")
	jo.add(mine, "forged")
	if r, err = jo.run(o); err != nil {
		t.Fatal(err)
	}
	expect(t, r, "clones/ada ahead")
	same(t, mine, ada, &desk{Fixture: h.Fixture, ledger: ledger.New(h.Open(), nil, nil)})
}

// What is done before the context ends is done, and the rest is reported.
func TestRun_contextEnds(t *testing.T) {
	t.Parallel()
	_, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "a1")
	ada.sync()
	jo.add(taskRef("two"), "b1")
	errStop := errors.New("the person has enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	o := jo.both()
	o.Progress = func(step refsync.Step, done, total int) {
		if step == refsync.Settling && done == total {
			cancel(errStop)
		}
	}
	r, err := refsync.Run(ctx, jo.repo, jo.ledger, o, jo.records)
	if !errors.Is(err, errStop) {
		t.Errorf("error %v", err)
	}
	expect(t, r, "tasks/one-aaaaaaa new", "tasks/two-aaaaaaa ahead pending")
	same(t, taskRef("one"), ada, jo)
}
