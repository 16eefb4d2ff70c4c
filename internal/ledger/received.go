package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// received looks at the operations that a stranger sent, parents before
// children.
type received struct {
	in        *inspector
	bounds    Bounds
	ref       gitstore.RefName
	continues bool // there is ours
	roots     int
	bytes     int64
	heights   map[gitstore.OID]height
	outside   []gitstore.OID // commits of ours that theirs were made on
	// fenceAt is the highest fence up to one of those.
	fenceAt func(ctx context.Context, commit gitstore.OID) (uint64, error)
	ids     map[operation.ID]gitstore.OID // their op.json
	// wanted are texts that operations name, by the first commit that does.
	wanted map[gitstore.OID]gitstore.OID
	// past are commits of their history that operations name, likewise, but for
	// those that came before them here.
	past map[gitstore.OID]gitstore.OID
}

func newReceived[S any](in *inspector, law Law[S], ref gitstore.RefName, continues bool) *received {
	return &received{
		in: in, bounds: law.Bounds(), ref: ref, continues: continues, fenceAt: fenceOf(in.l, law),
		heights: map[gitstore.OID]height{},
		ids:     map[operation.ID]gitstore.OID{}, wanted: map[gitstore.OID]gitstore.OID{},
		past: map[gitstore.OID]gitstore.OID{},
	}
}

// fault says what is wrong with the operation of a commit.
func fault(s *Step, format string, args ...any) error {
	return &UnsoundError{Commit: s.Commit, Path: opFile, Why: fmt.Sprintf(format, args...)}
}

// check reads the operation of a commit that was looked at.
func (r *received) check(ctx context.Context, s *Step) error {
	top, err := r.in.entries(ctx, s.tree)
	if err != nil {
		return Unsound(ctx, s.Commit, err)
	}
	e, ok := entryNamed(top, opFile)
	switch {
	case !ok && len(s.Parents) != 2:
		return &UnsoundError{
			Commit: s.Commit,
			Why:    fmt.Sprintf("it is no operation, and with %d parents no merge", len(s.Parents)),
		}
	case !ok:
		return r.checkClock(ctx, s)
	case len(s.Parents) > 1:
		return fault(s, "an operation is made on one parent, this has %d", len(s.Parents))
	}
	s.opBlob = e.OID
	data, err := r.in.l.repo.Objects.UpTo(operation.MaxSize).Blob(ctx, s.opBlob)
	if err != nil {
		return Unsound(ctx, s.Commit, fmt.Errorf("%s: %w", opFile, err))
	}
	if r.bytes += int64(len(data)); r.bytes > r.in.limits.operations {
		return fault(s, "the operations have more than %d bytes", r.in.limits.operations)
	}
	op, err := decodeReceived(data)
	if err != nil {
		return fault(s, "%v", err)
	}
	s.Op = &op
	if first, twice := r.ids[op.ID]; twice && first != s.opBlob {
		return fault(s, "another operation has the id %s", op.ID)
	}
	r.ids[op.ID] = s.opBlob
	if len(s.Parents) == 0 {
		if err := r.root(s); err != nil {
			return err
		}
	}
	note(r.wanted, s, r.bounds.Texts(op), func(text gitstore.OID) bool { return r.in.stood[text] })
	if r.bounds.Commits != nil {
		note(r.past, s, r.bounds.Commits(op), func(commit gitstore.OID) bool {
			_, seen := r.in.commits[commit]
			return seen && commit != s.Commit
		})
	}
	return r.checkClock(ctx, s)
}

// anotherRecord: two histories that have nothing in common are two records.
const anotherRecord = "another record begins here under the same name"

// root looks at a commit that a history begins with.
func (r *received) root(s *Step) error {
	r.roots++
	if r.bounds.OneRoot && r.continues {
		return &UnsoundError{Commit: s.Commit, Why: anotherRecord}
	}
	if r.bounds.OneRoot && r.roots > 1 {
		return &UnsoundError{Commit: s.Commit, Why: "the record begins twice"}
	}
	if err := r.bounds.Owns(r.ref, *s.Op); err != nil {
		return &UnsoundError{Commit: s.Commit, Path: opFile, Err: err}
	}
	return nil
}

// decodeReceived reads an operation that must be written as ours are, byte for
// byte: what two programs could read in two ways would give two states.
func decodeReceived(data []byte) (operation.Operation, error) {
	op, err := operation.Decode(data)
	if err != nil {
		return op, err
	}
	ours, err := operation.Encode(op)
	if err != nil {
		return op, err
	}
	if !bytes.Equal(ours, data) {
		return op, errNotCanonical
	}
	for name := range op.Extra {
		if !plainLine(name) {
			return op, errControl
		}
	}
	for _, text := range []string{string(op.Kind), op.At, op.Actor.Name, op.Actor.Email, op.Session, op.Claim} {
		if !plainLine(text) {
			return op, errControl
		}
	}
	return op, nil
}

var (
	errNotCanonical = errors.New("it is not in canonical form")
	errControl      = errors.New("it has control characters")
)

// checkClock notes the height of a commit. It refuses a clock that is not above
// those that its author had seen, or too far above, a fence too far above them, and
// a law below them: whoever does not know a law adds nothing to what was made under
// it.
func (r *received) checkClock(ctx context.Context, s *Step) error {
	var seen height
	for _, p := range s.Parents {
		if _, known := r.heights[p]; !known {
			before, err := r.in.l.heightAt(ctx, p)
			if err != nil {
				return Unsound(ctx, s.Commit, fmt.Errorf("what it was made on: %w", err))
			}
			r.heights[p] = before
			r.outside = append(r.outside, p)
		}
		seen = seen.join(r.heights[p])
	}
	r.heights[s.Commit] = seen
	if s.Op == nil {
		return nil
	}
	if err := checkClock(seen.clock, *s); err != nil {
		return err
	}
	if s.Op.Clock-seen.clock > r.in.limits.leap {
		return fault(s, "its clock is %d, far ahead of the %d that its author had seen", s.Op.Clock, seen.clock)
	}
	if s.Op.Law < seen.law {
		return fault(s, "its law is %d, and its author had seen %d", s.Op.Law, seen.law)
	}
	if s.Op.Fence > seen.fence+fenceLeap {
		known, err := r.highestFence(ctx)
		if err != nil {
			return Unsound(ctx, s.Commit, fmt.Errorf("the fences before it: %w", err))
		}
		if known = max(known, seen.fence); s.Op.Fence > known+fenceLeap {
			return fault(s, "its fence is %d, far above the %d that is known", s.Op.Fence, known)
		}
	}
	r.heights[s.Commit] = seen.join(height{clock: s.Op.Clock, fence: s.Op.Fence, law: s.Op.Law})
	return nil
}

// highestFence is the highest fence that is known without what was received: of what
// that was made on, and of the record's lock as it was accepted. Fences are small, so
// that hardly anybody has to ask.
func (r *received) highestFence(ctx context.Context) (highest uint64, err error) {
	for _, at := range r.outside {
		fence, err := r.fenceAt(ctx, at)
		if err != nil {
			return 0, err
		}
		highest = max(highest, fence)
	}
	id, ok := TaskOf(r.ref)
	if !ok || r.bounds.LockFence == nil {
		return highest, nil
	}
	tip, err := r.in.l.Tip(ctx, LockRef(id))
	if err != nil || tip.IsZero() {
		return highest, nil //nolint:nilerr // what can't be read says nothing
	}
	c, err := r.in.l.repo.Objects.Commit(ctx, tip)
	if err == nil {
		var fence uint64
		if fence, err = r.in.l.fenceIn(ctx, c.Tree, r.bounds.LockFence); err == nil {
			highest = max(highest, fence)
		}
	}
	return highest, ctx.Err()
}

// note notes what an operation names and was not seen before: of texts, what did not
// stand in the tree before it, or does in its own; of commits, those that were not looked
// at before it. What is no id is nowhere.
func note(into map[gitstore.OID]gitstore.OID, s *Step, names []string, seen func(gitstore.OID) bool) {
	for _, name := range names {
		oid, err := gitstore.ParseOID(name)
		if err != nil || oid.IsZero() || seen(oid) {
			continue
		}
		if _, known := into[oid]; !known {
			into[oid] = s.Commit
		}
	}
}

// checkNamedCommits refuses an operation that names a commit which is not of its own history:
// some clones would have it, and others not, and their folds differ. In a shallow
// clone it may be in what is not here; an object of that name says nothing, for
// anybody can bring one: ErrShallow.
func (r *received) checkNamedCommits(ctx context.Context, tip gitstore.OID) error {
	if len(r.past) == 0 {
		return nil
	}
	c, err := r.in.l.commitGraph(ctx, tip)
	if err != nil {
		return Unsound(ctx, tip, err)
	}
	named := slices.SortedFunc(maps.Keys(r.past), gitstore.OID.Compare)
	for _, oid := range named {
		if _, leads := c.at[oid]; leads {
			continue
		}
		fault := &UnsoundError{
			Commit: r.past[oid], Path: opFile,
			Why: fmt.Sprintf("it names the commit %s, which is nowhere in its history", oid.Short()),
		}
		if c.cut[c.at[tip]] {
			fault.Err = fmt.Errorf("it names the commit %s, which is not here: %w", oid.Short(), ErrShallow)
		}
		return fault
	}
	return nil
}

// checkTexts refuses an operation that names a text which no tree of its history
// holds: some clones would have it, and others not, and their folds differ.
func (r *received) checkTexts(ctx context.Context, tip gitstore.OID) error {
	maps.DeleteFunc(r.wanted, func(text, _ gitstore.OID) bool { return r.in.stood[text] })
	if len(r.wanted) == 0 {
		return nil
	}
	oids := slices.SortedFunc(maps.Keys(r.wanted), gitstore.OID.Compare)
	apart, err := r.in.l.repo.History.UnreachedBlobs(ctx, tip, oids)
	if err != nil {
		return Unsound(ctx, tip, err)
	}
	for _, oid := range oids {
		if apart[oid] {
			return &UnsoundError{
				Commit: r.wanted[oid], Path: opFile,
				Why: fmt.Sprintf("it names the text %s, which is nowhere in its history", oid.Short()),
			}
		}
	}
	return nil
}
