package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// notes makes a commit of notes on parents.
func (r *rig) notes(files map[string]string, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	var made gitstore.OID
	r.change(func(ctx context.Context, tx *Tx) error {
		blobs := map[string]gitstore.OID{}
		for path, text := range files {
			blobs[path] = tx.Blob([]byte(text))
		}
		tree, err := tx.w.Files(blobs)
		if err != nil {
			return err
		}
		if made, err = tx.stage(ctx, tree, "notes\n", parents...); err != nil {
			return err
		}
		return tx.Move(ctx, prefix+"by-hand", made)
	})
	return made
}

func (r *rig) mergeNotes(ours, theirs gitstore.OID) (made gitstore.OID, how Outcome) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *Tx) (err error) {
		if made, how, err = tx.MergeNotes(ctx, ours, theirs); err != nil {
			return err
		}
		return tx.Move(ctx, NotesRef, made)
	})
	return made, how
}

// noted lists the lines of all notes at a tip.
func (r *rig) noted(tip gitstore.OID) string {
	r.T.Helper()
	files, err := r.l.repo.Objects.Files(context.Background(), tip)
	if err != nil {
		r.T.Fatal(err)
	}
	var out []string
	for _, f := range files {
		data, err := r.l.repo.Objects.Blob(context.Background(), f.OID)
		if err != nil {
			r.T.Fatal(err)
		}
		out = append(out, strings.Replace(f.Path, "/", "", 1)[:4]+"="+strings.Join(noteLines(data), ","))
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
	low, high := more, turned
	if high.Compare(low) < 0 {
		low, high = high, low
	}
	for _, row := range []struct {
		name         string
		ours, theirs gitstore.OID
		how          Outcome
		want         string
	}{
		{"the same", more, more, OutcomeUnchanged, "aaaa=x: one,x: two"},
		{"theirs has more", base, more, OutcomeFastForwarded, "aaaa=x: one,x: two"},
		{"ours has more", more, base, OutcomeUnchanged, "aaaa=x: one,x: two"},
		{"theirs took away", more, less, OutcomeUnchanged, "aaaa=x: one,x: two"},
		{"each has a line", more, other, OutcomeMerged, "aaaa=x: one,x: three,x: two bbbb=y: one"},
		{"the other way round", other, more, OutcomeMerged, "aaaa=x: one,x: three,x: two bbbb=y: one"},
		{"the same lines, ours is lower", low, high, OutcomeUnchanged, r.noted(low)},
		{"the same lines, theirs is lower", high, low, OutcomeFastForwarded, r.noted(low)},
	} {
		made, how := r.mergeNotes(row.ours, row.theirs)
		if how != row.how || r.noted(made) != row.want {
			t.Errorf("%s: %s, %q; want %s, %q", row.name, how, r.noted(made), row.how, row.want)
		}
		if how == OutcomeMerged {
			again, _ := r.mergeNotes(row.theirs, row.ours)
			if again != made {
				t.Errorf("%s: %s and %s", row.name, made.Short(), again.Short())
			}
			if rest, how := r.mergeNotes(made, row.ours); rest != made || how != OutcomeUnchanged {
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
		at := make([]gitstore.OID, rapid.IntRange(2, 4).Draw(rt, "machines"))
		lines := map[string]bool{}
		note := func(m int) {
			on := []string{onA, onB}[rapid.IntRange(0, 1).Draw(rt, "on")]
			line := fmt.Sprint("x: ", rapid.IntRange(0, 5).Draw(rt, "line"))
			lines[on+line] = true
			r.change(func(ctx context.Context, tx *Tx) error {
				oid, err := gitstore.ParseOID(on)
				if err != nil {
					return err
				}
				if err := tx.Move(ctx, NotesRef, at[m]); err != nil {
					return err
				}
				return tx.Note(ctx, NoteLine{oid, line})
			})
			at[m] = r.tip(NotesRef)
		}
		for m := range at {
			note(m)
		}
		meet := func(m, n int) (how Outcome) {
			at[m], how = r.mergeNotes(at[m], at[n])
			return how
		}
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			m := rapid.IntRange(0, len(at)-1).Draw(rt, "machine")
			if rapid.Bool().Draw(rt, "meets") {
				meet(m, rapid.IntRange(0, len(at)-1).Draw(rt, "other"))
			} else {
				note(m)
			}
		}
		// Lines reach everybody in a round each; the lowest name may take another.
		for range 2 * len(at) {
			for m := range at {
				meet(m, (m+1)%len(at))
			}
		}
		for m := range at {
			if at[m] != at[0] {
				rt.Fatalf("machine %d is at %s, the first at %s", m, at[m].Short(), at[0].Short())
			}
			if how := meet(m, (m+1)%len(at)); how != OutcomeUnchanged {
				rt.Fatalf("no rest: %s", how)
			}
		}
		notes, err := newTx(context.Background(), r.l).notesAt(context.Background(), at[0])
		if err != nil {
			rt.Fatal(err)
		}
		count := 0
		for _, blob := range notes {
			text, err := r.l.repo.Objects.Blob(context.Background(), blob)
			if err != nil {
				rt.Fatal(err)
			}
			count += len(noteLines(text))
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
		r.note(NoteLine{head, "x: one"})
		r.Write("pairs", pairs.String())
		sh(r, "git notes --ref=brew copy --stdin <pairs")
		if laid := r.Git("ls-tree", "-r", "--name-only", string(NotesRef)); strings.Contains(laid, "/") != (many > 100) {
			t.Fatalf("git laid %d out as\n%.300s", many, laid)
		}
		for part := range slices.Chunk(names, 50) {
			var lines []NoteLine
			for _, on := range part {
				lines = append(lines, NoteLine{on, "x: of " + on.String()})
			}
			r.note(lines...)
		}
		r.Git("notes", "--ref=brew", "add", "-m", "by hand", "HEAD")
		r.note(NoteLine{r.OID("HEAD"), "x: after that"})
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
		if err := r.l.AcceptNotes(context.Background(), gitstore.OID{}, r.tip(NotesRef)); err != nil {
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
		"two on one object":    {map[string]string{onA: "x\n", onA[:2] + "/" + onA[2:]: "y\n"}, "there is another note on it"},
		"large":                {map[string]string{onA: strings.Repeat("x", maxNote+1)}, "1048577 bytes, at most 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			base := r.notes(map[string]string{onB: "x: one\n"})
			row.files[onB] = "x: one\n"
			tip := r.notes(row.files, base)
			for _, ours := range []gitstore.OID{{}, base} {
				err := r.l.AcceptNotes(context.Background(), ours, tip)
				if err == nil || !strings.Contains(err.Error(), row.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Errorf("ours %s: %v, want %q", ours.Short(), err, row.want)
				}
			}
			if err := r.l.AcceptNotes(context.Background(), gitstore.OID{}, base); err != nil {
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
		if err := r.l.AcceptNotes(ctx, base, tip); err != nil {
			t.Errorf("%s is not accepted: %v", tip.Short(), err)
		}
	}
	for name, ours := range map[string]gitstore.OID{
		"where there was none": {}, "where they were made": base,
		"beside others": r.notes(map[string]string{onB: "y: one\ny: two\n"}, base),
	} {
		made, how := r.mergeNotes(ours, raw)
		if got := r.noted(made); how != OutcomeMerged || !strings.Contains(got, "="+clean+" ") {
			t.Errorf("%s: %s, %q", name, how, got)
		}
		files, err := r.l.repo.Objects.Files(ctx, made)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := r.l.repo.Objects.Blob(ctx, files[0].OID); err != nil || string(text) != strings.ReplaceAll(clean, ",", "\n")+"\n" {
			t.Errorf("%s: the note is %q, %v", name, text, err)
		}
		if again, how := r.mergeNotes(made, raw); again != made || how != OutcomeUnchanged {
			t.Errorf("%s: no rest: %s", name, how)
		}
		if there, how := r.mergeNotes(raw, made); there != made || how != OutcomeFastForwarded {
			t.Errorf("%s: whoever wrote it is at %s, %s; want %s", name, there.Short(), how, made.Short())
		}
		if there, _ := r.mergeNotes(raw, ours); !ours.IsZero() && there != made {
			t.Errorf("%s: the other way round %s; want %s", name, there.Short(), made.Short())
		}
	}
}

// lockAt makes a commit of a lock's chain, or of what is none.
func (r *rig) lockAt(files map[string]string, parents ...gitstore.OID) gitstore.OID {
	return r.notes(files, parents...)
}

func readFence(file []byte) (fence uint64, err error) {
	if _, err := fmt.Sscanf(string(file), "fence %d\n", &fence); err != nil {
		return 0, fmt.Errorf("no lock: %w", err)
	}
	return fence, nil
}

func TestAcceptLock(t *testing.T) {
	r := newRig(t)
	lock := func(fence uint64, parents ...gitstore.OID) gitstore.OID {
		return r.lockAt(map[string]string{LockFile: fmt.Sprintf("fence %d\n", fence)}, parents...)
	}
	one := lock(1)
	two := lock(2, lock(1, one))
	apart := lock(7)
	broken := r.lockAt(map[string]string{LockFile: "odd"}, one)
	const ofTask = 1 << 30
	for _, row := range []struct {
		name         string
		ours, theirs gitstore.OID
		want         string
	}{
		{"new", gitstore.OID{}, two, ""},
		{"on top of ours", one, two, ""},
		{"claimed apart", one, apart, ""},
		{"on top of one of ours that can't be read", broken, lock(3, broken), ""},
		{"no lock", one, broken, "lock.json: no lock"},
		{"one below the tip that is none", one, lock(3, broken), ""},
		{"a fence that fell below one that is none", lock(5, one), lock(3, r.lockAt(map[string]string{LockFile: "odd"}, lock(5, one))), "its fence fell from 5 to 3"},
		{"another file below the tip", one, lock(3, r.lockAt(map[string]string{"x": "x"}, one)), "x: no such file belongs there"},
		{"a fence that falls", two, lock(1, two), "its fence fell from 2 to 1"},
		{"one that fell below the tip", one, lock(3, lock(1, two)), "its fence fell from 2 to 1"},
		{"a fence that leaps", one, lock(1<<53-1, one), "its fence leapt from 1 to 9007199254740991"},
		{"one that begins there", gitstore.OID{}, lock(1 << 53), "its fence leapt"},
		{"one above the task's", one, lock(2, lock(ofTask+1, one)), "its fence fell"},
		{"one that stays above the task's", one, lock(ofTask+1, lock(ofTask+1, one)), ""},
		{"one far above the task's", one, lock(ofTask+2<<20, one), "its fence leapt"},
		{"another file", one, r.lockAt(map[string]string{LockFile: "fence 2\n", "x": "x"}, one), "x: no such file belongs there"},
		{"no file", one, r.lockAt(nil, one), "it has no lock.json"},
		{"a large one", one, r.lockAt(map[string]string{LockFile: "fence 2\n" + strings.Repeat(" ", maxLock)}, one), "at most 16384"},
		{"a merge", one, lock(3, one, apart), "it has 2 parents, at most 1"},
	} {
		err := r.l.AcceptLock(context.Background(), row.ours, row.theirs, readFence, func(context.Context) uint64 { return ofTask })
		if (row.want == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), row.want) || !strings.HasPrefix(err.Error(), "commit ")) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

func TestAcceptChain(t *testing.T) {
	r := newRig(t)
	limit := func(path string) int64 {
		if strings.HasPrefix(path, "sessions/") {
			return 10
		}
		return -1
	}
	good := r.notes(map[string]string{"sessions/x": "0123456789"})
	for name, row := range map[string]struct {
		tip  gitstore.OID
		want string
	}{
		"good":           {r.notes(map[string]string{"sessions/x": "0123456789", "sessions/y/z": "1"}, good), ""},
		"large":          {r.notes(map[string]string{"sessions/x": "0123456789a"}, good), "sessions/x: 11 bytes, at most 10"},
		"somewhere else": {r.notes(map[string]string{"x": "1"}, good), "x: no such file belongs there"},
		"a merge":        {r.notes(map[string]string{"sessions/x": "1"}, good, r.notes(nil)), "it has 2 parents"},
	} {
		err := r.l.AcceptChain(context.Background(), good, row.tip, limit)
		if (row.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}
