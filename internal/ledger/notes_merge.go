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
	files, err := l.repo.Files(ctx, theirs)
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
	oursLacks, theirsLacks := false, false
	for on, blob := range other {
		have, both := mine[on]
		if both && have == blob {
			continue
		}
		if !both {
			have = blob
		}
		merged, err := tx.mergeNote(ctx, have, blob)
		if err != nil {
			return ours, "", fmt.Errorf("merge the note on %s: %w", on.Short(), err)
		}
		all[on] = merged.blob
		oursLacks, theirsLacks = oursLacks || !both || !merged.inA, theirsLacks || !merged.inB
	}
	for on, blob := range mine {
		if _, both := other[on]; both {
			continue
		}
		clean, err := tx.mergeNote(ctx, blob, blob)
		if err != nil {
			return ours, "", fmt.Errorf("merge the note on %s: %w", on.Short(), err)
		}
		all[on] = clean.blob
		oursLacks, theirsLacks = oursLacks || !clean.inA, true
	}
	switch {
	case ours.IsZero() && !theirsLacks:
		return theirs, OutcomeFastForwarded, nil
	case !oursLacks && !theirsLacks && theirs.Compare(ours) < 0, oursLacks && !theirsLacks:
		return theirs, OutcomeFastForwarded, nil
	case !oursLacks:
		return ours, OutcomeUnchanged, nil
	}
	tree, err := tx.w.Files(notePaths(all))
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
	files, err := tx.l.repo.Files(ctx, tip)
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
			merged, err := tx.mergeNote(ctx, first, blob)
			if err != nil {
				return nil, err
			}
			blob = merged.blob
		}
		notes[on] = blob
	}
	return notes, nil
}

// mergedNote is what becomes of two notes on one object: which of them had all
// of it, and nothing but text.
type mergedNote struct {
	blob     gitstore.OID
	inA, inB bool
}

func (tx *Tx) mergeNote(ctx context.Context, a, b gitstore.OID) (mergedNote, error) {
	var texts [2][]byte
	for i, oid := range []gitstore.OID{a, b} {
		text, err := tx.blob(ctx, oid)
		if err != nil {
			return mergedNote{}, err
		}
		texts[i] = text
	}
	mine, other := lineSet(texts[0]), lineSet(texts[1])
	all := maps.Clone(mine)
	maps.Copy(all, other)
	m := mergedNote{
		inA: len(all) == len(mine) && isText(texts[0]),
		inB: len(all) == len(other) && isText(texts[1]),
	}
	switch {
	case m.inA && (!m.inB || a.Compare(b) < 0):
		m.blob = a
	case m.inB:
		m.blob = b
	default:
		m.blob = tx.Blob([]byte(strings.Join(slices.Sorted(maps.Keys(all)), "\n") + "\n"))
	}
	return m, nil
}

// isText reports whether a note has nothing that noteLines leaves out.
func isText(note []byte) bool { return plainText(string(note)) == string(note) }

func lineSet(text []byte) map[string]bool {
	set := map[string]bool{}
	for _, line := range noteLines(text) {
		set[line] = true
	}
	return set
}

// notePaths says where git keeps notes: under the names of what they are on, of
// which it makes directories of two digits as they get many.
func notePaths(notes map[gitstore.OID]gitstore.OID) map[string]gitstore.OID {
	names := make([]string, 0, len(notes))
	for on := range notes {
		names = append(names, on.String())
	}
	slices.Sort(names)
	paths := make(map[string]gitstore.OID, len(notes))
	var place func(dir string, names []string, cut int)
	place = func(dir string, names []string, cut int) {
		rest := func(name string) string { return name[cut:] }
		if !fansOut(names, rest, nil) {
			for _, name := range names {
				on, _ := gitstore.ParseOID(name)
				paths[dir+rest(name)] = notes[on]
			}
			return
		}
		for len(names) > 0 {
			pair := names[0][cut : cut+2]
			n := 1
			for n < len(names) && names[n][cut:cut+2] == pair {
				n++
			}
			place(dir+pair+"/", names[:n], cut+2)
			names = names[n:]
		}
	}
	place("", names, 0)
	return paths
}

// fansOut is git's own rule for when notes in one directory are many: there are
// two, or a directory, for each first digit.
func fansOut(files []string, rest func(string) string, dirs []string) bool {
	var notes [16]int
	count := func(name string, n int) {
		if i := strings.IndexByte("0123456789abcdef", name[0]); i >= 0 {
			notes[i] += n
		}
	}
	for _, f := range files {
		if r := rest(f); len(r) > 2 {
			count(r, 1)
		}
	}
	for _, d := range dirs {
		count(d, 2)
	}
	return !slices.ContainsFunc(notes[:], func(n int) bool { return n < 2 })
}
