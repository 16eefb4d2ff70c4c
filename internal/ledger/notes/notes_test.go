package notes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

func (r *rig) note(lines ...Line) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) error { return Add(ctx, tx, lines...) })
}

// Many lines are one commit, each is there once, git shows them, and what is
// there already makes none.
func TestNote_oneCommitForManyLines(t *testing.T) {
	r := newRig(t)
	a := r.OID("HEAD")
	b := r.Commit("second")
	lines := []Line{{a, "x: one"}, {b, "x: two"}, {a, "x: three"}, {a, "x: one"}}
	r.note(lines...)
	first := r.tip(ledger.NotesRef)
	r.note(lines...)
	if r.tip(ledger.NotesRef) != first {
		t.Error("nothing new made a commit")
	}
	r.note(Line{b, "x: four"})
	if got := r.Git("rev-list", "--count", string(ledger.NotesRef)); got != "2" {
		t.Errorf("%s commits", got)
	}
	for on, want := range map[gitstore.OID][]string{a: {"x: one", "x: three"}, b: {"x: two", "x: four"}} {
		if got, err := Lines(context.Background(), r.l.Reading(context.Background()), on); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("lines %q, %v", got, err)
		}
		if got := r.Git("notes", "--ref=brew", "show", on.String()); got != strings.Join(want, "\n") {
			t.Errorf("git shows %q", got)
		}
	}
}

// git cuts the names of notes into directories as they get many, and somebody
// may have written a note without a final newline.
func TestNote_findsWhereGitKeepsIt(t *testing.T) {
	r := newRig(t)
	on := r.OID("HEAD")
	for _, cut := range []int{0, 2, 4} {
		name := on.String()
		var dirs string
		for at := 0; at < cut; at += 2 {
			dirs += name[at:at+2] + "/"
		}
		path := dirs + name[cut:]
		ref := fmt.Sprintf("%scut-%d", ledger.Prefix, cut)
		r.change(func(ctx context.Context, tx *ledger.Tx) error {
			tip, err := tx.Put(ctx, gitstore.RefName(ref),
				map[string][]byte{path: []byte("of somebody"), name[:2] + "/junk": []byte("x")}, "notes\n")
			if err != nil {
				return err
			}
			return tx.Move(ctx, ledger.NotesRef, tip)
		})
		r.note(Line{on, "x: ours"})
		if got := r.Git("show", string(ledger.NotesRef)+":"+path); got != "of somebody\nx: ours" {
			t.Errorf("%s: %q", path, got)
		}
		if got, err := Lines(context.Background(), r.l.Reading(context.Background()), on); err != nil || len(got) != 2 {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// A note that can't be read is not written over, and the change may go on
// without it.
func TestNote_neverOverWhatCantBeRead(t *testing.T) {
	r := newRig(t)
	on := r.OID("HEAD")
	r.note(Line{on, "x: one"})
	tip := r.tip(ledger.NotesRef)
	r.damage(pathOf(on), tip)
	var corrupt *gitstore.CorruptError
	var noteErr error
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		noteErr = Add(ctx, tx, Line{r.Commit("second"), "x: fine"}, Line{on, "x: two"})
		_, err := tx.Put(ctx, byHand, map[string][]byte{"x": []byte("x")}, "a record\n")
		return err
	})
	if !errors.As(noteErr, &corrupt) {
		t.Errorf("noted: %v", noteErr)
	}
	if r.tip(ledger.NotesRef) != tip || r.tip(byHand).IsZero() {
		t.Errorf("notes at %s, record at %s", r.tip(ledger.NotesRef), r.tip(byHand))
	}
	if _, err := Lines(context.Background(), r.l.Reading(context.Background()), on); !errors.As(err, &corrupt) {
		t.Errorf("read: %v", err)
	}
}

// Notes of somebody's own under the name that we would take stay theirs.
func TestShowNotes_leavesOthersAlone(t *testing.T) {
	r := newRig(t)
	on := r.OID("HEAD")
	r.Git("notes", "--ref=brew", "add", "-m", "theirs", on.String())
	r.note(Line{on, "x: ours"})
	if shown, err := Shown(context.Background(), r.l.Repo()); err != nil || shown {
		t.Errorf("shown %t, %v", shown, err)
	}
	if got := r.Git("notes", "--ref=brew", "show", on.String()); got != "theirs" {
		t.Errorf("their note is %q", got)
	}
}
