package notes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

const maxSize = 1 << 20

// Accept checks notes that a stranger sent, theirs, as far as they are not
// ours (zero: there are none): notes on objects, as git keeps them, of
// no more than maxSize each. What their lines say is not judged: one that git itself
// took would keep everybody's from being shared for good. Merge takes no
// more over than text.
func Accept(ctx context.Context, l *ledger.Ledger, ours, theirs gitstore.OID) error {
	limit := func(path string) int64 {
		if _, ok := notedAt(path); ok {
			return maxSize
		}
		return -1
	}
	return l.AcceptChain(ctx, ours, theirs, 2, limit, nil)
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

// Merge brings two tips of the notes together: all lines that either has
// on an object; either may be zero. What is no text in a note that one side alone
// has as it is goes: control characters but tabs, and what is not UTF-8. So it
// stages a commit only where each has a line that the other has not, or theirs
// has more than text; then everything about that commit follows from the two tips, so that
// every clone makes the same one. Of two that have the same lines the one with
// the lower commit id stays. A line that was taken away on one side alone comes
// back: notes are a view of the tasks.
func Merge(ctx context.Context, tx *ledger.Tx, ours, theirs gitstore.OID) (gitstore.OID, ledger.Outcome, error) {
	mine, err := at(ctx, tx, ours)
	if err != nil {
		return ours, "", err
	}
	if theirs.IsZero() {
		return ours, ledger.OutcomeUnchanged, nil
	}
	other, err := at(ctx, tx, theirs)
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
		blob, inOurs, inTheirs, err := mergeOne(ctx, tx, mine[on], other[on])
		if err != nil {
			return ours, "", fmt.Errorf("merge the note on %s: %w", on.Short(), err)
		}
		all[on] = blob
		oursLacks, theirsLacks = oursLacks || !inOurs, theirsLacks || !inTheirs
	}
	if tip, how, ok := ledger.Choose(ours, theirs, oursLacks, theirsLacks); ok {
		return tip, how, nil
	}
	tree, err := makeTree(tx, all)
	if err != nil {
		return ours, "", err
	}
	made, err := tx.StageMerge(ctx, tree, "merge of notes\n", ours, theirs)
	return made, ledger.OutcomeMerged, err
}

// at lists the notes at a tip by what they are on. Two on one object, which
// git does not write, are one.
func at(ctx context.Context, tx *ledger.Tx, tip gitstore.OID) (map[gitstore.OID]gitstore.OID, error) {
	notes := map[gitstore.OID]gitstore.OID{}
	if tip.IsZero() {
		return notes, nil
	}
	files, err := tx.Ledger().Repo().Objects.Files(ctx, tip)
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
			if blob, _, _, err = mergeOne(ctx, tx, first, blob); err != nil {
				return nil, err
			}
		}
		notes[on] = blob
	}
	return notes, nil
}

func makeTree(tx *ledger.Tx, notes map[gitstore.OID]gitstore.OID) (gitstore.OID, error) {
	files := make(map[string]gitstore.OID, len(notes))
	for on, blob := range notes {
		files[pathOf(on)] = blob
	}
	return tx.Writer().Files(files)
}

// mergeOne makes one of two notes on an object, of which one may be none (the zero
// id): all lines of both, sorted, unless one has them all. InA, inB: that one is
// there, has all of it, and nothing but text.
func mergeOne(ctx context.Context, tx *ledger.Tx, a, b gitstore.OID) (blob gitstore.OID, inA, inB bool, err error) {
	all := map[string]bool{}
	var has [2]int // so many lines
	var isText [2]bool
	for i, oid := range []gitstore.OID{a, b} {
		if oid.IsZero() {
			continue
		}
		text, err := tx.ReadBlob(ctx, oid, gitstore.MaxObjectSize)
		if err != nil {
			return blob, false, false, err
		}
		lines := map[string]bool{}
		for _, line := range linesOf(text) {
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
	return tx.Blob(textOf(slices.Sorted(maps.Keys(all)))), false, false, nil
}
