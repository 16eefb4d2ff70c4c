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
type received[S any] struct {
	in        *inspector
	law       Law[S]
	bounds    Bounds
	ref       gitstore.RefName
	continues bool // there is ours
	roots     int
	bytes     int64
	heights   map[gitstore.OID]height       // of what was looked at, and of what that was made on
	ids       map[operation.ID]gitstore.OID // their op.json
	// named are objects that operations name, by the first commit that does, but for
	// those that came before it here.
	named map[gitstore.OID]gitstore.OID
}

// fault says what is wrong with the operation of the commit that is looked at.
func (r *received[S]) fault(format string, args ...any) error {
	return r.in.fault(opFile, format, args...)
}

// check reads the operation of a commit that was looked at.
func (r *received[S]) check(ctx context.Context, s *Step) error {
	top, err := r.in.entriesOf(ctx, s.tree)
	if err != nil {
		return Unsound(ctx, s.Commit, err)
	}
	e, ok := entryNamed(top, opFile)
	switch {
	case !ok && len(s.Parents) != 2:
		return r.in.fault("", "it is no operation, and with %d parents no merge", len(s.Parents))
	case !ok:
		return r.checkClock(ctx, s)
	case len(s.Parents) > 1:
		return r.fault("an operation is made on one parent, this has %d", len(s.Parents))
	}
	s.opBlob = e.OID
	data, err := r.in.l.repo.Objects.UpTo(operation.MaxSize).Blob(ctx, s.opBlob)
	if err != nil {
		return unsoundAt(ctx, s.Commit, opFile, err)
	}
	if r.bytes += int64(len(data)); r.bytes > r.in.limits.operations {
		return r.fault("the operations have more than %d bytes", r.in.limits.operations)
	}
	op, err := decodeReceived(data)
	if err != nil {
		return r.fault("%v", err)
	}
	s.Op = &op
	if first, twice := r.ids[op.ID]; twice && first != s.opBlob {
		return r.fault("another operation has the id %s", op.ID)
	}
	r.ids[op.ID] = s.opBlob
	if len(s.Parents) == 0 {
		if err := r.root(s); err != nil {
			return err
		}
	}
	r.note(s)
	return r.checkClock(ctx, s)
}

// anotherRecord: two histories that have nothing in common are two records.
const anotherRecord = "another record begins here under the same name"

// root looks at a commit that a history begins with.
func (r *received[S]) root(s *Step) error {
	r.roots++
	if r.bounds.OneRoot && r.continues {
		return &UnsoundError{Commit: s.Commit, Why: anotherRecord}
	}
	if r.bounds.OneRoot && r.roots > 1 {
		return r.in.fault("", "the record begins twice")
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
func (r *received[S]) checkClock(ctx context.Context, s *Step) error {
	var seen height
	for _, p := range s.Parents {
		if _, known := r.heights[p]; !known {
			before, err := r.in.l.heightAt(ctx, p)
			if err != nil {
				return Unsound(ctx, s.Commit, fmt.Errorf("what it was made on: %w", err))
			}
			r.heights[p] = before
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
		return r.fault("its clock is %d, far ahead of the %d that its author had seen", s.Op.Clock, seen.clock)
	}
	if s.Op.Law < seen.law {
		return r.fault("its law is %d, and its author had seen %d", s.Op.Law, seen.law)
	}
	if s.Op.Fence > seen.fence+fenceLeap {
		known, err := r.highestFence(ctx)
		if err != nil {
			return Unsound(ctx, s.Commit, fmt.Errorf("the fences before it: %w", err))
		}
		if known = max(known, seen.fence); s.Op.Fence > known+fenceLeap {
			return r.fault("its fence is %d, far above the %d that is known", s.Op.Fence, known)
		}
	}
	r.heights[s.Commit] = seen.join(height{clock: s.Op.Clock, fence: s.Op.Fence, law: s.Op.Law})
	return nil
}

// highestFence is the highest fence that is known without what was received: of what
// that was made on, and of the record's lock as it was accepted; what can't be read says
// nothing. Fences are small, so that hardly anybody has to ask.
func (r *received[S]) highestFence(ctx context.Context) (highest uint64, err error) {
	for commit := range r.heights {
		if _, new := r.in.commits[commit]; new || r.law.Fence == nil {
			continue
		}
		if state, err := Load(ctx, r.in.l, r.law, commit); err == nil {
			highest = max(highest, r.law.Fence(state))
		}
	}
	if id, ok := TaskOf(r.ref); ok {
		if tip, err := r.in.l.Tip(ctx, LockRef(id)); err == nil && !tip.IsZero() {
			if fence, err := r.in.l.fenceIn(ctx, tip, r.bounds.LockFence); err == nil {
				highest = max(highest, fence)
			}
		}
	}
	return highest, ctx.Err()
}

// note notes which objects an operation names that did not come before it: texts that
// stood in no tree yet, commits that were not looked at. What is no id is nowhere.
func (r *received[S]) note(s *Step) {
	if r.bounds.Names == nil {
		return
	}
	for _, name := range r.bounds.Names(*s.Op) {
		oid, err := gitstore.ParseOID(name)
		_, seen := r.in.commits[oid]
		if err != nil || oid.IsZero() || seen || r.in.stood[oid] {
			continue
		}
		if _, known := r.named[oid]; !known {
			r.named[oid] = s.Commit
		}
	}
}

// checkNamed refuses an operation that names an object which is not of its own history:
// some clones would have it, and others not, and their folds differ. In a shallow clone
// it may be in what is not here; an object of that name says nothing, for anybody can
// bring one: ErrShallow.
func (r *received[S]) checkNamed(ctx context.Context, tip gitstore.OID) error {
	maps.DeleteFunc(r.named, func(text, _ gitstore.OID) bool { return r.in.stood[text] })
	if len(r.named) == 0 {
		return nil
	}
	oids := slices.SortedFunc(maps.Keys(r.named), gitstore.OID.Compare)
	apart, err := r.in.l.repo.History.Unreached(ctx, tip, oids)
	if err != nil {
		return Unsound(ctx, tip, err)
	}
	for _, oid := range oids {
		if !apart[oid] {
			continue
		}
		fault := &UnsoundError{
			Commit: r.named[oid], Path: opFile, Why: "it names " + oid.Short() + ", which is nowhere in its history",
		}
		if r.in.l.repo.Shallow() {
			fault.Err = fmt.Errorf("it names %s, which is not here: %w", oid.Short(), ErrShallow)
		}
		return fault
	}
	return nil
}
