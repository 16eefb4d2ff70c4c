package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// maxNote bounds the note on one commit, in bytes.
const maxNote = 1 << 20

// AcceptNotes checks notes that a stranger sent, theirs, as far as they are not
// ours (zero: there are none): a note on an object each, as git keeps them, of
// no more than maxNote. What their lines say is not judged: one that git itself
// took would keep everybody's from being shared for good. MergeNotes takes no
// more over than text.
func (l *Ledger) AcceptNotes(ctx context.Context, ours, theirs gitstore.OID) error {
	limit := func(path string) int64 {
		if _, ok := notedAt(path); ok {
			return maxNote
		}
		return -1
	}
	if err := l.acceptStates(ctx, ours, theirs, states{parents: 2, limit: limit}); err != nil || theirs.IsZero() {
		return err
	}
	files, err := l.repo.Objects.Files(ctx, theirs)
	if err != nil {
		return unsound(ctx, theirs, err)
	}
	paths := make(map[gitstore.OID]string, len(files))
	for _, f := range files {
		on, _ := notedAt(f.Path)
		if paths[on] != "" {
			return &UnsoundError{Commit: theirs, Path: f.Path, Why: "there is another note on it, " + paths[on]}
		}
		paths[on] = f.Path
	}
	return nil
}

// notedAt is the object that the note at a path is on: its name, of which
// leading pairs of digits may be directories.
func notedAt(path string) (gitstore.OID, bool) {
	parts := strings.Split(path, "/")
	for _, dir := range parts[:len(parts)-1] {
		if len(dir) != 2 {
			return gitstore.OID{}, false
		}
	}
	name := strings.Join(parts, "")
	on, err := gitstore.ParseOID(name)
	return on, err == nil && on.String() == name
}

// MergeNotes brings two tips of the notes together: all lines that either has
// on an object; either may be zero. What is no text in a note that one side alone
// has as it is goes: control characters but tabs, and what is not UTF-8. So it
// stages a commit only where each has a line that the other has not, or theirs
// has more than text; then everything about that commit follows from the two tips, so that
// every clone makes the same one. Of two that have the same lines the one with
// the lower commit id stays. A line that was taken away on one side alone comes
// back: notes are a view of the tasks.
func (tx *Tx) MergeNotes(ctx context.Context, ours, theirs gitstore.OID) (gitstore.OID, Outcome, error) {
	mine, err := tx.notesAt(ctx, ours)
	if err != nil {
		return ours, "", err
	}
	if theirs.IsZero() {
		return ours, OutcomeUnchanged, nil
	}
	other, err := tx.notesAt(ctx, theirs)
	if err != nil {
		return ours, "", err
	}
	all := maps.Clone(mine)
	maps.Copy(all, other)
	oursLacks, theirsLacks := false, false
	for on := range all {
		if mine[on] == other[on] {
			continue
		}
		blob, inOurs, inTheirs, err := tx.mergeNote(ctx, mine[on], other[on])
		if err != nil {
			return ours, "", fmt.Errorf("merge the note on %s: %w", on.Short(), err)
		}
		all[on] = blob
		oursLacks, theirsLacks = oursLacks || !inOurs, theirsLacks || !inTheirs
	}
	switch {
	case ours.IsZero() && !theirsLacks:
		return theirs, OutcomeFastForwarded, nil
	case !oursLacks && !theirsLacks && theirs.Compare(ours) < 0, oursLacks && !theirsLacks:
		return theirs, OutcomeFastForwarded, nil
	case !oursLacks:
		return ours, OutcomeUnchanged, nil
	}
	tree, err := tx.noteTree(all)
	if err != nil {
		return ours, "", err
	}
	parents := []gitstore.OID{ours, theirs}
	slices.SortFunc(parents, gitstore.OID.Compare)
	parents = slices.DeleteFunc(parents, gitstore.OID.IsZero)
	who, err := tx.later(ctx, parents)
	if err != nil {
		return ours, "", err
	}
	return tx.stageBy(who, tree, "merge of notes\n", parents), OutcomeMerged, nil
}

// notesAt lists the notes at a tip by what they are on. Two on one object, which
// git does not write, are one.
func (tx *Tx) notesAt(ctx context.Context, tip gitstore.OID) (map[gitstore.OID]gitstore.OID, error) {
	notes := map[gitstore.OID]gitstore.OID{}
	if tip.IsZero() {
		return notes, nil
	}
	files, err := tx.l.repo.Objects.Files(ctx, tip)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		on, isNote := notedAt(f.Path)
		if !isNote {
			continue
		}
		blob := f.OID
		if first, twice := notes[on]; twice {
			if blob, _, _, err = tx.mergeNote(ctx, first, blob); err != nil {
				return nil, err
			}
		}
		notes[on] = blob
	}
	return notes, nil
}

// noteTree stages the tree of all notes.
func (tx *Tx) noteTree(notes map[gitstore.OID]gitstore.OID) (gitstore.OID, error) {
	files := make(map[string]gitstore.OID, len(notes))
	for on, blob := range notes {
		files[notePath(on)] = blob
	}
	return tx.w.Files(files)
}

// mergeNote makes one of two notes on an object, of which one may be none (the zero
// id): all lines of both, sorted, unless one has them all. InA, inB: that one is
// there, has all of it, and nothing but text.
func (tx *Tx) mergeNote(ctx context.Context, a, b gitstore.OID) (blob gitstore.OID, inA, inB bool, err error) {
	all := map[string]bool{}
	var has [2]int // so many lines
	var isText [2]bool
	for i, oid := range []gitstore.OID{a, b} {
		if oid.IsZero() {
			continue
		}
		text, err := tx.blob(ctx, oid)
		if err != nil {
			return blob, false, false, err
		}
		lines := map[string]bool{}
		for _, line := range noteLines(text) {
			lines[line], all[line] = true, true
		}
		has[i], isText[i] = len(lines), plainText(string(text)) == string(text)
	}
	inA, inB = isText[0] && has[0] == len(all), isText[1] && has[1] == len(all)
	switch {
	case inA && (!inB || a.Compare(b) < 0):
		return a, inA, inB, nil
	case inB:
		return b, inA, inB, nil
	}
	return tx.Blob(noteText(slices.Sorted(maps.Keys(all)))), false, false, nil
}
