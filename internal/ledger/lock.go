package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// LockFile is the one file in a lock's tree.
const LockFile = "lock.json"

// maxLock bounds the size of a LockFile, in bytes: names, times, and the path of
// a work tree.
const maxLock = 16 << 10

// fenceLeap is how far a fence may be above the one before it, of a lock or its
// task. Ours is one above the highest of both; one near operation.MaxClock would
// be the last ever.
const fenceLeap = 1 << 20

// AcceptChain checks a chain of states that a stranger sent, theirs, as far as
// it is not ours (zero: there is none): commits of so many parents at most, whose
// files are those that limit allows, each up to so many bytes; a negative limit:
// no such file. Check, where there is one, looks at each commit's tree, and at that of
// the commit before it, zero for none.
func (l *Ledger) AcceptChain(ctx context.Context, ours, theirs gitstore.OID, parents int,
	limit func(path string) int64, check func(ctx context.Context, tree, before gitstore.OID) error,
) error {
	if ours == theirs || theirs.IsZero() {
		return nil
	}
	steps, err := l.strange(ctx, theirs, ours)
	if err != nil {
		return err
	}
	in := newInspector(l, l.limits, limit)
	// A state needs none of those before it: that a shallow clone lacks some is
	// no reason to refuse it.
	in.cut = true
	return in.each(ctx, steps, func(s *Step) error {
		if len(s.Parents) > parents {
			return &UnsoundError{Commit: s.Commit, Why: fmt.Sprintf("it has %d parents, at most %d", len(s.Parents), parents)}
		}
		if check == nil {
			return nil
		}
		before, err := in.baseTree(ctx, s)
		if err != nil {
			return err
		}
		return Unsound(ctx, s.Commit, check(ctx, s.tree, before))
	})
}

// AcceptLock checks a lock's chain that a stranger sent, theirs, as far as it is
// not ours (zero: there is none): one file, fences that never fall and never
// leap: from the one before, or from that of the task, which is asked only where
// it matters. Read is what a lock's file says: its fence, or why it can't be that
// of this lock; one below the tip that can't be read counts as free, as it does
// here. That chains begin apart is no fault: two clones may claim a lock that
// neither had seen, and the arbiter decides.
func (l *Ledger) AcceptLock(ctx context.Context, ours, theirs gitstore.OID,
	read func(file []byte) (fence uint64, err error), ofTask func(ctx context.Context) uint64,
) error {
	limit := func(path string) int64 {
		if path == LockFile {
			return maxLock
		}
		return -1
	}
	var highest uint64
	var unread error // why the latest can't be read
	first := true
	check := func(ctx context.Context, tree, before gitstore.OID) error {
		if first && !before.IsZero() {
			var err error
			if highest, err = l.fenceIn(ctx, before, read); err != nil {
				highest = anyFence
			}
		}
		first = false
		fence, err := l.fenceIn(ctx, tree, read)
		if unread = err; err != nil {
			return ctx.Err()
		}
		if highest != anyFence {
			err = cmpFence(fence, highest)
			if err != nil && fence > highest && cmpFence(fence, min(fence, ofTask(ctx))) == nil {
				err = nil // whoever claims it is above its task, too
			}
		}
		highest = fence
		return err
	}
	if err := l.AcceptChain(ctx, ours, theirs, 1, limit, check); err != nil || unread == nil {
		return err
	}
	return Unsound(ctx, theirs, unread)
}

// anyFence stands for the fence of a lock of ours that can't be read.
const anyFence = math.MaxUint64

func cmpFence(fence, last uint64) error {
	switch {
	case fence < last:
		return fmt.Errorf("%s: its fence fell from %d to %d", LockFile, last, fence)
	case fence-last > fenceLeap || fence > operation.MaxClock:
		return fmt.Errorf("%s: its fence leapt from %d to %d", LockFile, last, fence)
	}
	return nil
}

// fenceIn is the fence that the one file of a lock says, at a commit or in a tree.
func (l *Ledger) fenceIn(ctx context.Context, at gitstore.OID, read func([]byte) (uint64, error)) (uint64, error) {
	entries, err := l.repo.Objects.Tree(ctx, at)
	if err != nil {
		return 0, err
	}
	e, ok := entryNamed(entries, LockFile)
	if !ok || len(entries) != 1 {
		return 0, fmt.Errorf("it has no %s, or not that alone", LockFile)
	}
	var fence uint64
	data, err := l.repo.Objects.UpTo(maxLock).Blob(ctx, e.OID)
	if err == nil {
		fence, err = read(data)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", LockFile, err)
	}
	return fence, nil
}

// AcceptCommits looks at the commits that a stranger sent, those that lead to a tip
// and to none of the known ones, and not at what they hold.
func (l *Ledger) AcceptCommits(ctx context.Context, tip gitstore.OID, known ...gitstore.OID) error {
	steps, err := l.strange(ctx, tip, known...)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if why := commitFault(*s.made); why != "" {
			return &UnsoundError{Commit: s.Commit, Why: why}
		}
	}
	return nil
}

// LaterLock chooses between two tips of a task's lock: the one that goes on from
// the other; of two that went apart the one with the higher fence, then the one
// with the longer chain, then the lower id. All but the last grow along a chain,
// so that any clones, whoever met whom first, come to choose the same. How long
// a chain is that a shallow clone has cut, nobody knows: ErrShallow.
func (tx *Tx) LaterLock(ctx context.Context, a, b gitstore.OID) (gitstore.OID, error) {
	switch {
	case a == b || b.IsZero():
		return a, nil
	case a.IsZero():
		return b, nil
	}
	for _, way := range []struct{ old, tip gitstore.OID }{{a, b}, {b, a}} {
		if follows, err := tx.l.repo.History.IsAncestor(ctx, way.old, way.tip); err != nil || follows {
			return way.tip, err
		}
	}
	for _, measure := range []func(context.Context, *Ledger, gitstore.OID) (uint64, error){fenceAt, chainOf} {
		of, err := measure(ctx, tx.l, a)
		var other uint64
		if err == nil {
			other, err = measure(ctx, tx.l, b)
		}
		switch {
		case err != nil:
			return a, fmt.Errorf("read the lock: %w", err)
		case of > other:
			return a, nil
		case of < other:
			return b, nil
		}
	}
	if a.Compare(b) < 0 {
		return a, nil
	}
	return b, nil
}

// fenceAt is the fence of a lock at a tip; 0 where it says none.
func fenceAt(ctx context.Context, l *Ledger, tip gitstore.OID) (uint64, error) {
	data, err := l.File(ctx, tip, LockFile)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return 0, err
	}
	var lock struct {
		Fence uint64 `json:"fence"`
	}
	_ = json.Unmarshal(data, &lock) // what is no lock has no fence
	return lock.Fence, nil
}

// chainOf is how many states a lock had, up to a tip.
func chainOf(ctx context.Context, l *Ledger, tip gitstore.OID) (n uint64, err error) {
	cut, err := l.repo.History.Boundary()
	if err != nil {
		return 0, err
	}
	err = l.repo.History.Walk(ctx, tip, func(oid gitstore.OID, _ gitstore.Commit) (bool, error) {
		n++
		if cut[oid] {
			return false, ErrShallow
		}
		return true, nil
	})
	return n, err
}
