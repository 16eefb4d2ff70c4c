package ledger

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
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

// states is what a chain of states may be.
type states struct {
	parents int // of one commit, at most
	// limit is how many bytes the file at a path may have; negative: there is
	// no such file.
	limit func(path string) int64
	// check, where there is one, looks at each commit's tree, and at that of the
	// commit before it, zero for none.
	check func(ctx context.Context, tree, before gitstore.OID) error
}

// AcceptChain checks a chain of states that a stranger sent, theirs, as far as
// it is not ours (zero: there is none): commits of so many parents at most, whose
// files are those that limit allows, each up to so many bytes; a negative limit:
// no such file.
func (l *Ledger) AcceptChain(
	ctx context.Context, ours, theirs gitstore.OID, parents int, limit func(path string) int64,
) error {
	return l.acceptStates(ctx, ours, theirs, states{parents: parents, limit: limit})
}

func (l *Ledger) acceptStates(ctx context.Context, ours, theirs gitstore.OID, may states) error {
	if ours == theirs || theirs.IsZero() {
		return nil
	}
	steps, err := l.since(ctx, l.repo.Objects.UpTo(l.limits.commit), l.limits.commits, theirs, ours)
	if err != nil {
		return Unsound(ctx, theirs, err)
	}
	in := newInspector(l, may.limit)
	// A state needs none of those before it: that a shallow clone lacks some is
	// no reason to refuse it.
	in.cut = true
	for i := range steps {
		s := &steps[i]
		if i%together == 0 {
			in.expect(ctx, steps[i:min(i+together, len(steps))])
		}
		if len(s.Parents) > may.parents {
			return &UnsoundError{
				Commit: s.Commit,
				Why:    fmt.Sprintf("it has %d parents, at most %d", len(s.Parents), may.parents),
			}
		}
		if err := in.commit(ctx, s); err != nil {
			return err
		}
		if may.check == nil {
			continue
		}
		before, err := in.baseTree(ctx, s)
		if err != nil {
			return err
		}
		if err := may.check(ctx, s.tree, before); err != nil {
			return Unsound(ctx, s.Commit, err)
		}
	}
	return nil
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
	if err := l.acceptStates(ctx, ours, theirs, states{parents: 1, limit: limit, check: check}); err != nil ||
		unread == nil {
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

func (l *Ledger) fenceIn(ctx context.Context, tree gitstore.OID, read func([]byte) (uint64, error)) (uint64, error) {
	entries, err := l.repo.Objects.UpTo(l.limits.tree).Tree(ctx, tree)
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == LockFile })
	if i < 0 || len(entries) != 1 {
		return 0, fmt.Errorf("it has no %s, or not that alone", LockFile)
	}
	data, err := l.repo.Objects.UpTo(maxLock).Blob(ctx, entries[i].OID)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", LockFile, err)
	}
	fence, err := read(data)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", LockFile, err)
	}
	return fence, nil
}

// AcceptCommits looks at the commits that a stranger sent, those that lead to a tip
// and to none of the known ones, and not at what they hold.
func (l *Ledger) AcceptCommits(ctx context.Context, tip gitstore.OID, known ...gitstore.OID) error {
	steps, err := l.since(ctx, l.repo.Objects.UpTo(l.limits.commit), l.limits.commits, tip, known...)
	if err != nil {
		return Unsound(ctx, tip, err)
	}
	for _, s := range steps {
		if why := commitFault(*s.made); why != "" {
			return &UnsoundError{Commit: s.Commit, Why: why}
		}
	}
	return nil
}

// Limited reads a stranger's commits and trees, of no more bytes than they may have.
func (l *Ledger) Limited() (commits, trees odb.Reader) {
	return l.repo.Objects.UpTo(l.limits.commit), l.repo.Objects.UpTo(l.limits.tree)
}
