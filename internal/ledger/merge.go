package ledger

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// ErrUnknownLaw: a history holds operations made under rules that this program
// does not know. It may be fast-forwarded, never folded anew.
var ErrUnknownLaw = errors.New("it was written by a newer git-brew")

// ErrShallow: a part of a record's history is not in this clone.
var ErrShallow = errors.New("its history is cut short; 'git fetch --unshallow' brings the rest")

// Outcome is how two histories of one record relate.
type Outcome string

// The outcomes of Merge. All but OutcomeMerged make no commit.
const (
	OutcomeUnchanged     Outcome = "unchanged"      // ours has all that theirs has
	OutcomeFastForwarded Outcome = "fast-forwarded" // theirs has all that ours has
	OutcomeMerged        Outcome = "merged"
)

// Merge brings two histories of one record together. It stages a commit only
// where each has what the other has not; then everything about that commit
// follows from the two tips, so that every clone makes the same one.
//
// Of a history that a shallow clone has only a part of, nothing is known but
// which of its commits follow from which: ErrShallow where that does not
// decide.
func Merge[S any](ctx context.Context, tx *Tx, law Law[S], ours, theirs gitstore.OID) (gitstore.OID, Outcome, error) {
	for _, way := range []struct {
		old, tip gitstore.OID
		how      Outcome
	}{{theirs, ours, OutcomeUnchanged}, {ours, theirs, OutcomeFastForwarded}} {
		if follows, err := tx.l.follows(ctx, way.old, way.tip); err != nil || follows {
			return way.tip, way.how, err
		}
	}
	c, err := tx.l.commitGraph(ctx, ours, theirs)
	if err != nil {
		return ours, "", err
	}
	tips := [2]int{c.at[ours], c.at[theirs]}
	switch {
	case c.leads(tips[0], tips[1]):
		return ours, OutcomeUnchanged, nil
	case c.leads(tips[1], tips[0]):
		return theirs, OutcomeFastForwarded, nil
	case c.cut[tips[0]], c.cut[tips[1]]:
		return ours, "", ErrShallow
	}
	r := newReader(tx.l, c, tx.l.limits.allowance())
	base, behind := c.fork(tips[:]...)
	if base < 0 && law.Bounds.OneRoot {
		return ours, "", &UnsoundError{Commit: theirs, Why: anotherRecord}
	}
	inTheirs, inOurs, err := r.compare(ctx, tips, base)
	if err != nil {
		return ours, "", err
	}
	if tip, how, ok := Choose(ours, theirs, !inOurs, !inTheirs); ok {
		return tip, how, nil
	}
	at := func(ctx context.Context, commit gitstore.OID) (S, error) { return Load(ctx, tx.l, law, commit) }
	state, err := foldFrom(ctx, r, law, base, behind, at, tx)
	if err != nil {
		return ours, "", err
	}
	files, err := stateFiles(law, state, tx.Blob)
	if err != nil {
		return ours, "", err
	}
	tree, err := tx.w.Files(files)
	if err != nil {
		return ours, "", err
	}
	oid, err := tx.StageMerge(ctx, tree, "merge of two histories\n", ours, theirs)
	return oid, OutcomeMerged, err
}

// Choose takes the one of two tips that lacks nothing which the other has: of two that
// have the same, whatever their trees, the one with the lower id, so that a ring of
// clones comes to rest. False: each lacks something. Either may be zero.
func Choose(ours, theirs gitstore.OID, oursLacks, theirsLacks bool) (tip gitstore.OID, how Outcome, ok bool) {
	switch {
	case !theirsLacks && (oursLacks || ours.IsZero() || theirs.Compare(ours) < 0):
		return theirs, OutcomeFastForwarded, true
	case !oursLacks:
		return ours, OutcomeUnchanged, true
	}
	return ours, OutcomeMerged, false
}

// StageMerge adds the merge commit of two tips, one of which may be zero: parents in the
// order of their names, author and times those of the parent that was committed later.
func (tx *Tx) StageMerge(ctx context.Context, tree gitstore.OID, message string, a,
	b gitstore.OID,
) (gitstore.OID, error) {
	parents := slices.DeleteFunc([]gitstore.OID{a, b}, gitstore.OID.IsZero)
	slices.SortFunc(parents, gitstore.OID.Compare)
	late, err := tx.Later(ctx, parents)
	if err != nil {
		return a, err
	}
	return tx.StageBy(late, tree, message, parents), nil
}

// Later is who committed the later one of several commits, and when; the first
// of those at one time.
func (tx *Tx) Later(ctx context.Context, commits []gitstore.OID) (gitstore.Signature, error) {
	var late gitstore.Signature
	for i, p := range commits {
		c, err := tx.l.repo.Objects.Commit(ctx, p)
		if err != nil {
			return late, err
		}
		if i == 0 || c.Committer.When.After(late.When) {
			late = c.Committer
		}
	}
	return late, nil
}

// Void returns the commits of a record's history whose operations are left out of its
// fold (operation.Void). ErrShallow where a part of the history is not here.
func (l *Ledger) Void(ctx context.Context, tip gitstore.OID, rules operation.Rules) ([]Step, error) {
	c, err := l.commitGraph(ctx, tip)
	if err != nil {
		return nil, err
	}
	if c.cut[c.at[tip]] {
		return nil, ErrShallow
	}
	all := slices.Sorted(maps.Values(c.at))
	nodes, made, err := newReader(l, c, unlimited()).operations(ctx, all)
	if err == nil {
		err = knownLaw(made...)
	}
	if err != nil {
		return nil, err
	}
	void, err := operation.Void(nodes, rules, nil)
	var left []Step
	for i, out := range void {
		if out {
			left = append(left, made[i])
		}
	}
	return left, err
}
