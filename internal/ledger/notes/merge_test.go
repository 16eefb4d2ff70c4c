package notes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"

	"pgregory.net/rapid"
)

// notes makes a commit of notes on parents.
func (r *rig) notes(files map[string]string, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	var made gitstore.OID
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		blobs := map[string]gitstore.OID{}
		for path, text := range files {
			blobs[path] = tx.Blob([]byte(text))
		}
		tree, err := tx.Writer().Files(blobs)
		if err != nil {
			return err
		}
		if made, err = tx.Stage(ctx, tree, "notes\n", parents...); err != nil {
			return err
		}
		return tx.Move(ctx, byHand, made)
	})
	return made
}

func (r *rig) mergeNotes(ours, theirs gitstore.OID) (made gitstore.OID, how ledger.Outcome) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) (err error) {
		if made, how, err = Merge(ctx, tx, ours, theirs); err != nil {
			return err
		}
		return tx.Move(ctx, ledger.NotesRef, made)
	})
	return made, how
}

// noted lists the lines of all notes at a tip.
func (r *rig) noted(tip gitstore.OID) string {
	r.T.Helper()
	files, err := r.l.Repo().Objects.Files(context.Background(), tip)
	if err != nil {
		r.T.Fatal(err)
	}
	var out []string
	for _, f := range files {
		data, err := r.l.Repo().Objects.Blob(context.Background(), f.OID)
		if err != nil {
			r.T.Fatal(err)
		}
		out = append(out, strings.Replace(f.Path, "/", "", 1)[:4]+"="+strings.Join(linesOf(data), ","))
	}
	return strings.Join(out, " ")
}

const (
	onA = "aaaa000000000000000000000000000000000000"
	onB = "bbbb000000000000000000000000000000000000"
)

func TestMergeNotes_outcomes(t *testing.T) {
	r := newRig(t)
	base := r.notes(map[string]string{onA: "x: one\n"})
	more := r.notes(map[string]string{onA: "x: one\nx: two\n"}, base)
	less := r.notes(map[string]string{}, more)
	other := r.notes(map[string]string{onA: "x: three\nx: one\n", onB: "y: one\n"}, base)
	turned := r.notes(map[string]string{onA[:2] + "/" + onA[2:]: "x: two\nx: one"}, base)
	twice := r.notes(map[string]string{onA: "x: one\n", onA[:2] + "/" + onA[2:]: "x: four\n"}, base)
	low, high := more, turned
	if high.Compare(low) < 0 {
		low, high = high, low
	}
	for _, row := range []struct {
		name         string
		ours, theirs gitstore.OID
		how          ledger.Outcome
		want         string
	}{
		{"the same", more, more, ledger.OutcomeUnchanged, "aaaa=x: one,x: two"},
		{"theirs has more", base, more, ledger.OutcomeFastForwarded, "aaaa=x: one,x: two"},
		{"ours has more", more, base, ledger.OutcomeUnchanged, "aaaa=x: one,x: two"},
		{"theirs took away", more, less, ledger.OutcomeUnchanged, "aaaa=x: one,x: two"},
		{"each has a line", more, other, ledger.OutcomeMerged, "aaaa=x: one,x: three,x: two bbbb=y: one"},
		{"the other way round", other, more, ledger.OutcomeMerged, "aaaa=x: one,x: three,x: two bbbb=y: one"},
		{"two on one object", more, twice, ledger.OutcomeMerged, "aaaa=x: four,x: one,x: two"},
		{"the same lines, ours is lower", low, high, ledger.OutcomeUnchanged, r.noted(low)},
		{"the same lines, theirs is lower", high, low, ledger.OutcomeFastForwarded, r.noted(low)},
	} {
		made, how := r.mergeNotes(row.ours, row.theirs)
		if how != row.how || r.noted(made) != row.want {
			t.Errorf("%s: %s, %q; want %s, %q", row.name, how, r.noted(made), row.how, row.want)
		}
		if how == ledger.OutcomeMerged {
			again, _ := r.mergeNotes(row.theirs, row.ours)
			if again != made {
				t.Errorf("%s: %s and %s", row.name, made.Short(), again.Short())
			}
			if rest, how := r.mergeNotes(made, row.ours); rest != made || how != ledger.OutcomeUnchanged {
				t.Errorf("%s: no rest: %s", row.name, how)
			}
		}
	}
}

// Clones that noted apart come to the same tip, whoever met whom first, and then
// rest.
func TestMergeNotes_S9_everyCloneComesToTheSameTip(t *testing.T) {
	r := newRig(t)
	rapid.Check(t, func(rt *rapid.T) {
		tips := make([]gitstore.OID, rapid.IntRange(2, 4).Draw(rt, "machines"))
		lines := map[string]bool{}
		note := func(m int) {
			on := []string{onA, onB}[rapid.IntRange(0, 1).Draw(rt, "on")]
			line := fmt.Sprint("x: ", rapid.IntRange(0, 5).Draw(rt, "line"))
			lines[on+line] = true
			r.change(func(ctx context.Context, tx *ledger.Tx) error {
				oid, err := gitstore.ParseOID(on)
				if err != nil {
					return err
				}
				if err := tx.Move(ctx, ledger.NotesRef, tips[m]); err != nil {
					return err
				}
				return Add(ctx, tx, Line{oid, line})
			})
			tips[m] = r.tip(ledger.NotesRef)
		}
		for m := range tips {
			note(m)
		}
		meet := func(m, n int) (how ledger.Outcome) {
			tips[m], how = r.mergeNotes(tips[m], tips[n])
			return how
		}
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			m := rapid.IntRange(0, len(tips)-1).Draw(rt, "machine")
			if rapid.Bool().Draw(rt, "meets") {
				meet(m, rapid.IntRange(0, len(tips)-1).Draw(rt, "other"))
			} else {
				note(m)
			}
		}
		// Lines reach everybody in a round each; the lowest name may take another.
		for range 2 * len(tips) {
			for m := range tips {
				meet(m, (m+1)%len(tips))
			}
		}
		for m := range tips {
			if tips[m] != tips[0] {
				rt.Fatalf("machine %d is at %s, the first at %s", m, tips[m].Short(), tips[0].Short())
			}
			if how := meet(m, (m+1)%len(tips)); how != ledger.OutcomeUnchanged {
				rt.Fatalf("no rest: %s", how)
			}
		}
		notes, err := at(context.Background(), r.l.Reading(context.Background()), tips[0])
		if err != nil {
			rt.Fatal(err)
		}
		count := 0
		for _, blob := range notes {
			text, err := r.l.Repo().Objects.Blob(context.Background(), blob)
			if err != nil {
				rt.Fatal(err)
			}
			count += len(linesOf(text))
		}
		if count != len(lines) {
			rt.Fatalf("%d lines of %d", count, len(lines))
		}
	})
}

// Notes that we put lie where git finds them, beside its own wherever those lie; and
// git's own changes of them leave each one note that we find.
func TestNotes_besideGits(t *testing.T) {
	for _, many := range []int{3, 600} { // git makes directories of many
		r := newRig(t)
		head := r.OID("HEAD")
		var pairs strings.Builder
		var names []gitstore.OID
		for i := range many { // notes are on objects that are there
			r.Write("o/"+fmt.Sprint(i), fmt.Sprint(i))
			names = append(names, gitstore.HashBlob([]byte(fmt.Sprint(i))))
			if i%2 == 0 {
				fmt.Fprintf(&pairs, "%s %s\n", head, names[i])
			}
		}
		r.Git("add", "o")
		r.Git("commit", "-q", "-m", "objects")
		r.note(Line{head, "x: one"})
		r.Write("pairs", pairs.String())
		sh(r, "git notes --ref=brew copy --stdin <pairs")
		if laid := r.Git("ls-tree", "-r", "--name-only", string(ledger.NotesRef)); strings.Contains(laid,
			"/") != (many > 100) {
			t.Fatalf("git laid %d out as\n%.300s", many, laid)
		}
		for part := range slices.Chunk(names, 50) {
			var lines []Line
			for _, on := range part {
				lines = append(lines, Line{on, "x: of " + on.String()})
			}
			r.note(lines...)
		}
		r.Git("notes", "--ref=brew", "add", "-m", "by hand", "HEAD")
		r.note(Line{r.OID("HEAD"), "x: after that"})
		if listed := strings.Count(r.Git("notes", "--ref=brew", "list"), "\n") + 1; listed != many+2 {
			t.Errorf("git lists %d of %d", listed, many+2)
		}
		if got := r.Git("notes", "--ref=brew", "show", "HEAD"); got != "by hand\nx: after that" {
			t.Errorf("HEAD has %q", got)
		}
		for i, on := range names[:min(20, many)] {
			want := "x: of " + on.String()
			if i%2 == 0 {
				want = "x: one\n" + want
			}
			if got := r.Git("notes", "--ref=brew", "show", on.String()); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		if err := Accept(context.Background(), r.l, gitstore.OID{}, r.tip(ledger.NotesRef)); err != nil {
			t.Errorf("not accepted: %v", err)
		}
	}
}

// sh runs a line of shell.
func sh(r *rig, line string) {
	r.T.Helper()
	r.Git("-c", "alias.sh=!"+line, "sh")
}

func TestAcceptNotes_hostile(t *testing.T) {
	for name, row := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no object's name":     {map[string]string{"notes": "x\n"}, "notes: no such file belongs there"},
		"in capitals":          {map[string]string{strings.ToUpper(onA): "x\n"}, "no such file belongs there"},
		"directories too long": {map[string]string{onA[:4] + "/" + onA[4:]: "x\n"}, "no such file belongs there"},
		"large":                {map[string]string{onA: strings.Repeat("x", maxSize+1)}, "1048577 bytes, at most 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			base := r.notes(map[string]string{onB: "x: one\n"})
			row.files[onB] = "x: one\n"
			tip := r.notes(row.files, base)
			for _, ours := range []gitstore.OID{{}, base} {
				err := Accept(context.Background(), r.l, ours, tip)
				if err == nil || !strings.Contains(err.Error(), row.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Errorf("ours %s: %v, want %q", ours.Short(), err, row.want)
				}
			}
			if err := Accept(context.Background(), r.l, gitstore.OID{}, base); err != nil {
				t.Errorf("a good one: %v", err)
			}
		})
	}
}

// What git itself takes as a note keeps nobody's notes from being shared. What is
// no text in it goes when somebody else takes it over, and every clone comes to
// the same tip, the one that it is from, too.
func TestMergeNotes_noTextIsLeftOut(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	const dirty, clean = "x: one\r\nx:\ttwo\x1b[2J\n\xff\n", "x:\ttwo[2J,x: one,\uFFFD"
	base := r.notes(map[string]string{onB: "y: one\n"})
	raw := r.notes(map[string]string{onB: "y: one\n", onA: dirty}, base)
	later := r.notes(map[string]string{onB: "y: one\n"}, raw)
	for _, tip := range []gitstore.OID{raw, later} {
		if err := Accept(ctx, r.l, base, tip); err != nil {
			t.Errorf("%s is not accepted: %v", tip.Short(), err)
		}
	}
	for name, ours := range map[string]gitstore.OID{
		"where there was none": {}, "where they were made": base,
		"beside others": r.notes(map[string]string{onB: "y: one\ny: two\n"}, base),
	} {
		made, how := r.mergeNotes(ours, raw)
		if got := r.noted(made); how != ledger.OutcomeMerged || !strings.Contains(got, "="+clean+" ") {
			t.Errorf("%s: %s, %q", name, how, got)
		}
		files, err := r.l.Repo().Objects.Files(ctx, made)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := r.l.Repo().Objects.Blob(ctx, files[0].OID); err != nil ||
			string(text) != strings.ReplaceAll(clean, ",", "\n")+"\n" {
			t.Errorf("%s: the note is %q, %v", name, text, err)
		}
		if again, how := r.mergeNotes(made, raw); again != made || how != ledger.OutcomeUnchanged {
			t.Errorf("%s: no rest: %s", name, how)
		}
		if there, how := r.mergeNotes(raw, made); there != made || how != ledger.OutcomeFastForwarded {
			t.Errorf("%s: whoever wrote it is at %s, %s; want %s", name, there.Short(), how, made.Short())
		}
		if there, _ := r.mergeNotes(raw, ours); !ours.IsZero() && there != made {
			t.Errorf("%s: the other way round %s; want %s", name, there.Short(), made.Short())
		}
	}
}
