package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/ledger"

	"pgregory.net/rapid"
)

// archive puts tasks into the archive, and returns its tip.
func (r *rig) archive(ids ...string) gitstore.OID {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) error { return Add(ctx, tx, tallyLaw(), ids...) })
	return r.tip(ledger.ArchiveRef)
}

func (r *rig) archived(id string) (Entry, bool) {
	r.T.Helper()
	e, ok, err := Find(context.Background(), r.l.Reading(context.Background()), id)
	if err != nil {
		r.T.Fatal(err)
	}
	return e, ok
}

func TestAdd_refsGoAndCanComeBack(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	tip := r.add(ledger.TaskRef("one-aaaaaaa"), ledger.Stamp{}, words("here")...)
	lock := r.lock("one-aaaaaaa", "released")
	other := r.add(ledger.TaskRef("two-bbbbbbb"), ledger.Stamp{}, words("there")...)
	r.change(func(ctx context.Context, tx *ledger.Tx) error { return tx.Keep(ctx, "one-aaaaaaa", r.OID("HEAD")) })
	if err := r.l.BindBranch(ctx, "topic", "one-aaaaaaa"); err != nil {
		t.Fatal(err)
	}
	r.archive("one-aaaaaaa", "two-bbbbbbb")
	if left := r.Git("for-each-ref", "--format=%(refname)", ledger.Prefix); left != string(ledger.ArchiveRef) {
		t.Errorf("the refs are\n%s", left)
	}
	if e, ok := r.archived("one-aaaaaaa"); !ok || e.Tip != tip || e.Lock != lock {
		t.Errorf("archived %+v, %v", e, ok)
	}
	if e, ok := r.archived("two-bbbbbbb"); !ok || e.Tip != other || !e.Lock.IsZero() {
		t.Errorf("archived %+v, %v", e, ok)
	}
	if _, ok := r.archived("three-ccccccc"); ok {
		t.Error("a task that never was is archived")
	}
	if got := r.Git("show", string(ledger.ArchiveRef)+":one-aaaaaaa/words/here"); got != "here" {
		t.Errorf("plain git reads %q", got)
	}
	if got := r.Git("log", "--first-parent", "-1", "--format=%s%n%b",
		string(ledger.ArchiveRef)); got != "archive: 2 tasks\none-aaaaaaa\ntwo-bbbbbbb" {
		t.Errorf("git log says\n%s", got)
	}

	// What is woken goes on where it ended, and is archived with all it has.
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		e, ok, err := Restore(ctx, tx, "one-aaaaaaa")
		if !ok || e.Tip != tip {
			t.Errorf("woken %+v, %v", e, ok)
		}
		return err
	})
	if r.tip(ledger.TaskRef("one-aaaaaaa")) != tip || r.tip(ledger.LockRef("one-aaaaaaa")) != lock {
		t.Error("the refs are not what they were")
	}
	if _, ok := r.archived("one-aaaaaaa"); !ok {
		t.Error("the archive lost it")
	}
	before := r.tip(ledger.ArchiveRef)
	if after := r.archive("one-aaaaaaa"); after != before {
		t.Error("the archive has a commit for what it had")
	}
	r.branch(ledger.TaskRef("one-aaaaaaa"), tip)
	more := r.add(ledger.TaskRef("one-aaaaaaa"), ledger.Stamp{}, words("again")...)
	r.archive("one-aaaaaaa")
	if e, _ := r.archived("one-aaaaaaa"); e.Tip != more || e.Lock != lock {
		t.Errorf("archived again at %s, lock %s", e.Tip.Short(), e.Lock.Short())
	}
	r.verifyArchive()
}

// verifyArchive expects the archive to be whole.
func (r *rig) verifyArchive() {
	r.T.Helper()
	err := Verify(context.Background(), r.l, tallyLaw(), r.tip(ledger.ArchiveRef), func(id string, err error) {
		r.T.Errorf("%s: %v", id, err)
	})
	if err != nil {
		r.T.Error(err)
	}
}

// A task that went on elsewhere, and is archived there and here, has all of
// both.
func TestAdd_apartFromWhatTheArchiveHas(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, ledger.Stamp{}, words("one")...)
	r.branch(refB, base)
	r.add(refA, ledger.Stamp{}, words("two")...)
	r.archive("a")
	r.branch(refA, r.add(refB, ledger.Stamp{}, words("three")...))
	r.archive("a", "b")
	e, _ := r.archived("a")
	if s := r.state(e.Tip); len(s.Words) != 3 {
		t.Errorf("archived %v", s.Words)
	}
	r.verifyArchive()
}

// However many tasks go in at once, no commit has more than so many parents,
// and the archive leads to every one of them.
func TestAdd_boundedParents(t *testing.T) {
	r := newRig(t)
	var ids []string
	base := r.add(refA, ledger.Stamp{}, words("base")...)
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		for n := range 230 {
			id := fmt.Sprintf("task-%07d", n)
			ids = append(ids, id)
			if err := tx.Move(ctx, ledger.TaskRef(id), base); err != nil {
				return err
			}
			state, err := ledger.Append(ctx, tx, tallyLaw(), ledger.TaskRef(id), tally{Clock: 1, Words: []string{"base"}},
				ledger.Stamp{}, words("word-"+strconv.Itoa(n))...)
			if err != nil || len(state.Words) != 2 {
				return fmt.Errorf("%v: %w", state.Words, err)
			}
		}
		return nil
	})
	r.archive(ids[:200]...)
	r.archive(ids[200:]...)
	for line := range strings.Lines(r.Git("rev-list", "--parents", string(ledger.ArchiveRef))) {
		if n := len(strings.Fields(line)) - 1; n > maxParents {
			t.Errorf("%.7s has %d parents", line, n)
		}
	}
	if got := r.Git("log", "--first-parent", "-2", "--format=%s",
		string(ledger.ArchiveRef)); got != "archive: 30 tasks\narchive: 200 tasks" {
		t.Errorf("the archive's story is\n%s", got)
	}
	if got, err := IDs(context.Background(), r.l.Reading(context.Background())); err != nil || !slices.Equal(got, ids) {
		t.Errorf("%d tasks, %v", len(got), err)
	}
	r.verifyArchive()
}

// mergeArchives merges theirs into ours, without moving a ref but one that
// keeps what was made.
func (r *rig) mergeArchives(ours, theirs gitstore.OID) (made gitstore.OID, how ledger.Outcome) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) (err error) {
		if made, how, err = Merge(ctx, tx, tallyLaw(), ours, theirs); err != nil {
			return err
		}
		return tx.Move(ctx, gitstore.RefName(ledger.Prefix+"merged-archives/"+made.String()), made)
	})
	return made, how
}

// archiveOn archives a task at a tip, and its lock at another, on top of an
// archive that somebody has.
func (r *rig) archiveOn(on gitstore.OID, id string, tip, lock gitstore.OID) (made gitstore.OID) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		err := errors.Join(tx.Move(ctx, ledger.ArchiveRef, on), tx.Move(ctx, ledger.TaskRef(id), tip),
			tx.Move(ctx, ledger.LockRef(id), lock))
		if err == nil {
			err = Add(ctx, tx, tallyLaw(), id)
		}
		if err == nil {
			made, err = tx.Tip(ctx, ledger.ArchiveRef)
		}
		return err
	})
	return made
}

// Each way in which two archives can relate, and the commit that stays.
func TestMerge_outcomes(t *testing.T) {
	r := newRig(t)
	none := gitstore.OID{}
	base := r.add(refA, ledger.Stamp{}, words("one")...)
	ahead := r.add(refA, ledger.Stamp{}, words("two")...)
	r.branch(refB, base)
	apart := r.add(refB, ledger.Stamp{}, words("three")...)
	both, _, err := r.merge(ahead, apart)
	if err != nil {
		t.Fatal(err)
	}
	old := r.lock("a", "acquired")
	young := r.lock("a", "released")

	x := r.archiveOn(none, "x", base, none)
	xAgain := r.archiveOn(none, "x", base, none)
	xAhead := r.archiveOn(none, "x", ahead, none)
	xApart := r.archiveOn(none, "x", apart, none)
	xBoth := r.archiveOn(none, "x", both, none)
	y := r.archiveOn(none, "y", base, none)
	xy := r.archiveOn(x, "y", base, none)
	xOld, xYoung := r.archiveOn(none, "x", base, old), r.archiveOn(none, "x", base, young)
	low, high := x, xAgain
	if high.Compare(low) < 0 {
		low, high = high, low
	}
	for _, row := range []struct {
		name         string
		ours, theirs gitstore.OID
		how          ledger.Outcome
		made         gitstore.OID // zero: a merge
	}{
		{"the same", x, x, ledger.OutcomeUnchanged, x},
		{"the same tasks, ours is lower", low, high, ledger.OutcomeUnchanged, low},
		{"the same tasks, theirs is lower", high, low, ledger.OutcomeFastForwarded, low},
		{"theirs is older", xy, x, ledger.OutcomeUnchanged, xy},
		{"ours is older", x, xy, ledger.OutcomeFastForwarded, xy},
		{"theirs has a task that is in ours", xy, y, ledger.OutcomeUnchanged, xy},
		{"ours has a task that is in theirs", y, xy, ledger.OutcomeFastForwarded, xy},
		{"theirs has more of a task", x, xAhead, ledger.OutcomeFastForwarded, xAhead},
		{"ours has more of a task", xAhead, x, ledger.OutcomeUnchanged, xAhead},
		{"theirs has a merge of ours", xApart, xBoth, ledger.OutcomeFastForwarded, xBoth},
		{"theirs has a later lock", xOld, xYoung, ledger.OutcomeFastForwarded, xYoung},
		{"ours has a later lock", xYoung, xOld, ledger.OutcomeUnchanged, xYoung},
		{"theirs has a lock", x, xYoung, ledger.OutcomeFastForwarded, xYoung},
		{"other tasks", x, y, ledger.OutcomeMerged, none},
		{"a task apart", xAhead, xApart, ledger.OutcomeMerged, none},
		{"more of a task, but no lock", xAhead, xYoung, ledger.OutcomeMerged, none},
	} {
		made, how := r.mergeArchives(row.ours, row.theirs)
		if how != row.how || !row.made.IsZero() && made != row.made {
			t.Errorf("%s: %s, %s; want %s, %s", row.name, how, made.Short(), row.how, row.made.Short())
		}
		if back, _ := r.mergeArchives(row.theirs, row.ours); back != made {
			t.Errorf("%s, the other way round: %s instead of %s", row.name, back.Short(), made.Short())
		}
		if _, how := r.mergeArchives(made, row.theirs); how != ledger.OutcomeUnchanged {
			t.Errorf("%s, once more: %s", row.name, how)
		}
	}
	made, _ := r.mergeArchives(xAhead, xApart)
	r.change(func(ctx context.Context, tx *ledger.Tx) error { return tx.Move(ctx, ledger.ArchiveRef, made) })
	if e, _ := r.archived("x"); e.Tip != both {
		t.Errorf("the task is at %s, want the merge %s", e.Tip.Short(), both.Short())
	}
	r.verifyArchive()
}

// Clones that archived apart, the same tasks at other states among them, come to
// the same archive, whoever met whom first, and then rest. -rapid.checks sets
// how many histories are tried.
func TestMerge_S7_everyCloneComesToTheSameTip(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, ledger.Stamp{}, words("one")...)
	r.branch(refB, base)
	tips := []gitstore.OID{
		base, r.add(refA, ledger.Stamp{}, words("two")...),
		r.add(refB, ledger.Stamp{}, words("three")...),
	}
	tips = append(tips, r.add(refA, ledger.Stamp{}, words("four")...))
	both, _, err := r.merge(tips[2], tips[3])
	if err != nil {
		t.Fatal(err)
	}
	r.branch(ledger.Prefix+"by-hand-too", r.commit(both, tips[2], tips[3]))
	tips = append(tips, both, r.tip(ledger.Prefix+"by-hand-too"))
	locks := []gitstore.OID{
		{},
		r.lock("a", "acquired"), r.lock("a", "released"), r.lock("b", "acquired"),
		r.lock("b", "renewed"),
	}
	rapid.Check(t, func(rt *rapid.T) {
		machines := rapid.IntRange(2, 4).Draw(rt, "machines")
		at := make([]gitstore.OID, machines)
		merge := func(m, other int) (how ledger.Outcome) {
			if at[other].IsZero() || at[m] == at[other] {
				return ledger.OutcomeUnchanged
			}
			if at[m].IsZero() {
				at[m] = at[other]
				return ledger.OutcomeFastForwarded
			}
			at[m], how = r.mergeArchives(at[m], at[other])
			return how
		}
		pick := func(name string) int { return rapid.IntRange(0, machines-1).Draw(rt, name) }
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			if rapid.IntRange(0, 2).Draw(rt, "meets") == 0 {
				merge(pick("machine"), pick("other"))
				continue
			}
			m := pick("machine")
			at[m] = r.archiveOn(at[m], rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "task"),
				rapid.SampledFrom(tips).Draw(rt, "tip"), rapid.SampledFrom(locks).Draw(rt, "lock"))
		}
		all := make([]int, machines)
		for m := range all {
			all[m] = m
		}
		for range 2 {
			for _, m := range rapid.Permutation(all).Draw(rt, "order") {
				for _, other := range rapid.Permutation(all).Draw(rt, "others") {
					merge(m, other)
				}
			}
		}
		for m := range machines {
			for other := range machines {
				if how := merge(m, other); how != ledger.OutcomeUnchanged {
					rt.Fatalf("machine %d meets %d again: %s", m, other, how)
				}
			}
			if at[m] != at[0] {
				rt.Fatalf("machine %d is at %s, machine 0 at %s", m, at[m], at[0])
			}
		}
		r.change(func(ctx context.Context, tx *ledger.Tx) error { return tx.Move(ctx, ledger.ArchiveRef, at[0]) })
		r.verifyArchive()
	})
}

// forgeArchive makes an archive of whatever there is in a tree, as another
// program might.
func (r *rig) forgeArchive(entries []gitstore.Entry, parents ...gitstore.OID) (made gitstore.OID) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) (err error) {
		if made, err = tx.Stage(ctx, tx.Writer().Tree(entries), "by another program\n", parents...); err != nil {
			return err
		}
		return tx.Move(ctx, gitstore.RefName(ledger.Prefix+"forged/"+made.String()), made)
	})
	return made
}

// What a stranger's archive says has to be so.
func TestAccept_hostile(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	tip := r.add(refA, ledger.Stamp{}, words("one")...)
	shorter := tip
	tip = r.add(refA, ledger.Stamp{}, words("two")...)
	other := r.add(refB, ledger.Stamp{}, words("three")...)
	lock := r.lock("a", "released")
	blob := func(data string) (oid gitstore.OID) {
		r.change(func(ctx context.Context, tx *ledger.Tx) (err error) {
			oid = tx.Blob([]byte(data))
			return tx.Writer().Flush(ctx)
		})
		return oid
	}
	// entry is a task's directory: the files of a commit, and an archive.json.
	entry := func(of gitstore.OID, says string) gitstore.Entry {
		list, err := r.l.Repo().Objects.Tree(ctx, of)
		if err != nil {
			t.Fatal(err)
		}
		if says != "" {
			list = append(list, gitstore.Entry{Name: archiveFile, Mode: gitstore.ModeFile, OID: blob(says)})
		}
		var tree gitstore.OID
		r.change(func(ctx context.Context, tx *ledger.Tx) (err error) {
			tree = tx.Writer().Tree(list)
			return tx.Writer().Flush(ctx)
		})
		return gitstore.Entry{Name: "a", Mode: gitstore.ModeDir, OID: tree}
	}
	says := func(schema, task, lock string) string {
		data, err := json.Marshal(archivedAt{schema, task, lock})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	good := entry(tip, says("1.0.0", tip.String(), lock.String()))
	file := gitstore.Entry{Name: "a", Mode: gitstore.ModeFile, OID: blob("x")}
	odd := entry(tip, "")
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		list, err := r.l.Repo().Objects.Tree(ctx, tip)
		odd.OID = tx.Writer().Tree(append(list,
			gitstore.Entry{
				Name: archiveFile, Mode: plumbing.ModeExec,
				OID: tx.Writer().Blob([]byte(says("1.0.0", tip.String(), ""))),
			}))
		return errors.Join(err, tx.Writer().Flush(ctx))
	})
	ours := r.forgeArchive([]gitstore.Entry{entry(tip, says("1.0.0", tip.String(), ""))}, tip)
	for _, row := range []struct {
		name    string
		ours    gitstore.OID
		theirs  gitstore.OID
		refused string
	}{
		{"a good one", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{good}, tip, lock), ""},
		{
			"a newer minor version's",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(tip, `{"schema":"1.7.0","task":"`+tip.String()+`","why":"later"}`)}, tip), "",
		},
		{
			"a newer major version's",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(tip, says("2.0.0", tip.String(), ""))}, tip), "install a newer git-brew",
		},
		{"a file beside", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{file}, tip), "no directory"},
		{"an executable for archive.json", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{odd}, tip), "no archive.json"},
		{"no archive.json", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{entry(tip, "")}, tip), "no archive.json"},
		{"archive.json is no JSON", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{entry(tip, "[[[")}, tip), "archive.json"},
		{
			"archive.json is huge",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(tip, strings.Repeat(" ", maxArchiveFile)+"{}")}, tip), "too large",
		},
		{
			"a tip that is a blob",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(tip, says("1.0.0", good.OID.String(), ""))}, tip), "tree",
		},
		{
			"a tip that is nowhere",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(tip, says("1.0.0", strings.Repeat("1", 40), ""))}, tip), "object",
		},
		{
			"a lock that is nowhere",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(tip, says("1.0.0", tip.String(), strings.Repeat("1", 40)))}, tip), "lock",
		},
		{
			"the files of another tip",
			gitstore.OID{},
			r.forgeArchive([]gitstore.Entry{entry(other, says("1.0.0", tip.String(), ""))}, tip, other), "not those of its tip",
		},
		{"a history that is not in there", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{good}, lock), "not in there"},
		{"a lock's that is not in there", gitstore.OID{}, r.forgeArchive([]gitstore.Entry{good}, tip), "not in there"},
		{"one of ours taken away", ours, r.forgeArchive(nil, ours), "taken away"},
		{"one of ours cut short", ours, r.forgeArchive([]gitstore.Entry{entry(shorter, says("1.0.0", shorter.String(), ""))},
			ours), "taken away"},
		{
			"one of ours at another history", ours,
			r.forgeArchive([]gitstore.Entry{entry(other, says("1.0.0", other.String(), ""))}, ours, other), "taken away",
		},
		{
			"an older one", ours, r.forgeArchive([]gitstore.Entry{entry(shorter, says("1.0.0", shorter.String(), ""))}, shorter),
			"",
		},
		{"no commit", gitstore.OID{}, blob("x"), "blob"},
	} {
		var asked []Entry
		err := Accept(ctx, r.l, row.ours, row.theirs, func(_ context.Context, _, theirs Entry) error {
			asked = append(asked, theirs)
			return nil
		})
		switch {
		case row.refused == "" && (err != nil || len(asked) != 1):
			t.Errorf("%s: %v, asked for %d", row.name, err, len(asked))
		case row.refused != "" && (err == nil || !strings.Contains(err.Error(), row.refused)):
			t.Errorf("%s: %v", row.name, err)
		}
	}
	// What is ours already is not looked at again; what the caller refuses is
	// refused.
	theirs := r.forgeArchive([]gitstore.Entry{good}, tip, lock)
	for _, o := range []gitstore.OID{theirs, {}} {
		err := Accept(ctx, r.l, o, theirs, func(context.Context, Entry, Entry) error { return errRefused })
		if refused := errors.Is(err, errRefused); refused != o.IsZero() {
			t.Errorf("the caller's word: %v", err)
		}
	}
}

// The archive's own commits are a stranger's, too: what they say is copied into
// ours, and shown.
func TestAccept_hostileCommits(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, ledger.Stamp{}, words("one")...)
	good := r.archiveOn(gitstore.OID{}, "a", tip, gitstore.OID{})
	tree := r.OID(good.String() + "^{tree}")
	r.Unchecked()
	accept := func(theirs gitstore.OID) error {
		return Accept(context.Background(), r.l, gitstore.OID{}, theirs,
			func(context.Context, Entry, Entry) error { return nil })
	}
	behind := func(bad gitstore.OID) gitstore.OID { return r.rawCommit(tree, ada, "archive: a\n", bad, tip) }
	late := "A <a@example.com> 4611686018427387904 +0000"
	var many strings.Builder // entries of a tree that is too large
	for many.Len() <= gitstore.MaxObjectSize {
		fmt.Fprintf(&many, "40000 %07d\x00%020d", many.Len(), 1)
	}
	for _, row := range []struct {
		name   string
		theirs gitstore.OID
		want   string
	}{
		{"a time after all times", r.rawCommit(tree, late, "x\n", tip), "no time that git can keep"},
		{"further back", behind(r.rawCommit(tree, late, "x\n", tip)), "no time that git can keep"},
		{"an escape sequence in the message", r.rawCommit(tree, ada, "x\x1b[2J\n", tip), "control characters"},
		{"a NUL in the message, further back", behind(r.rawCommit(tree, ada, "x\x00\n", tip)), "control characters"},
		{
			"an escape sequence in a name", r.rawCommit(tree, "A\x1b[2J <a@example.com> 1772366400 +0000", "x\n", tip),
			"control characters",
		},
		{"a long message", r.rawCommit(tree, ada, strings.Repeat("x", 70_000), tip), "too large"},
		{"a large tree", r.rawCommit(r.object("tree", []byte(many.String())), ada, "x\n", tip), "too large"},
	} {
		var unsound *ledger.UnsoundError
		if err := accept(row.theirs); !errors.As(err, &unsound) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if err := accept(good); err != nil {
		t.Error(err)
	}
}

// Nothing of a stranger's history is read before it was accepted, not even to
// see whether it goes on from ours.
func TestAccept_readsWhatWasAccepted(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, ledger.Stamp{}, words("one")...)
	ours := r.archiveOn(gitstore.OID{}, "a", tip, gitstore.OID{})
	tree := r.OID(r.rawTree(r.lines(tip, line{"100644", "op.json", r.blob("[[[")})...).String())
	bad := r.rawCommit(tree, ada, "x\n") // no history of ours is before it
	entry := r.rawTree(r.lines(tree, line{"100644", archiveFile, r.blob(string(Entry{Tip: bad}.encode()))})...)
	theirs := r.rawCommit(r.rawTree(line{"40000", "a", entry}), ada, "x\n", ours, bad)
	r.Unchecked()
	err := Accept(context.Background(), r.l, ours, theirs, func(context.Context, Entry, Entry) error { return errRefused })
	if !errors.Is(err, errRefused) {
		t.Errorf("it was read first: %v", err)
	}
}

// A broken task in the archive is named, and the others are verified.
func TestVerify_namesTheTask(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, ledger.Stamp{}, words("one")...)
	r.add(refB, ledger.Stamp{}, words("two")...)
	r.archive("a", "b")
	e, _ := r.archived("b")
	lie := r.commit(tip, e.Tip) // the files of another
	made := r.archiveOn(r.tip(ledger.ArchiveRef), "c", lie, gitstore.OID{})
	var named []string
	err := Verify(context.Background(), r.l, tallyLaw(), made, func(id string, err error) {
		named = append(named, id)
		var broken *ledger.BrokenLawError
		if !errors.As(err, &broken) || broken.Commit != lie {
			t.Errorf("%s: %v", id, err)
		}
	})
	if err != nil || !slices.Equal(named, []string{"c"}) {
		t.Errorf("named %q, %v", named, err)
	}
}

// An entry that lacks the file of its state is told, and not left out.
func TestEach_tellsWhatLacksItsFile(t *testing.T) {
	r := newRig(t)
	r.add(refA, ledger.Stamp{}, words("one")...)
	r.add(refB, ledger.Stamp{}, words("two")...)
	r.archive("a", "b")
	var named []string
	err := Each(context.Background(), r.l.Reading(context.Background()), "none", func(e Entry, _ []byte, err error) {
		if named = append(named, e.ID); !errors.Is(err, gitstore.ErrNotExist) {
			t.Errorf("%s: %v", e.ID, err)
		}
	})
	if slices.Sort(named); err != nil || !slices.Equal(named, []string{"a", "b"}) {
		t.Errorf("named %q, %v", named, err)
	}
}
