package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// The limits of a lock that a stranger sent.
const (
	maxLockState = 64 << 10 // bytes of a commit, a tree, a state
	// maxFenceLeap is how far its fence may be above the one here: a fence grows
	// by one with every holder, and one near the highest would be the last.
	maxFenceLeap = 1 << 20
)

// errStrangeLock: what a remote has as a lock is none.
var errStrangeLock = errors.New("it is no lock")

// acceptLock checks a lock that a remote has, before it is taken for one: what
// its chain is made of, as far as it is not known here, and what it says. The
// error says in one line what is wrong.
func (s *Service) acceptLock(ctx context.Context, id task.ID, ours, theirs gitstore.OID) error {
	known := map[gitstore.OID]bool{}
	for at := ours; !at.IsZero() && len(known) <= maxLockChain; {
		known[at] = true
		if at == theirs {
			return nil // it goes back to what was accepted
		}
		var err error
		if at, err = s.below(ctx, at); err != nil {
			return err
		}
	}
	from := s.repo.UpTo(maxLockState)
	var tip task.Lock
	n := 0
	for at := theirs; !known[at]; n++ {
		if n > maxLockChain {
			return strangeLock(at, errors.New("the chain is too long"))
		}
		c, err := from.Commit(ctx, at)
		switch {
		case errors.Is(err, gitstore.ErrNotExist) && n > 0:
			at = gitstore.OID{} // the boundary of a shallow clone
		case err != nil:
			return strange(ctx, at, err)
		case len(c.Parents) > 1:
			return strangeLock(at, errors.New("two chains in one"))
		}
		if at.IsZero() {
			break
		}
		state, err := lockBlob(ctx, from, c.Tree)
		if err != nil {
			return strange(ctx, at, err)
		}
		if n == 0 {
			data, err := from.Blob(ctx, state)
			if err == nil {
				tip, err = parseLock(data, id)
			}
			if err != nil {
				return strange(ctx, at, err)
			}
		}
		if len(c.Parents) == 0 {
			break
		}
		at = c.Parents[0]
	}
	return s.acceptFence(ctx, id, ours, theirs, tip)
}

// acceptFence refuses a fence that nobody can have come to.
func (s *Service) acceptFence(ctx context.Context, id task.ID, ours, theirs gitstore.OID, l task.Lock) error {
	var mine task.Lock
	if !ours.IsZero() {
		var err error
		if mine, err = s.lockBriefAt(ctx, id, ours); err != nil {
			return err
		}
	}
	if l.Fence > mine.Fence && l.Fence-mine.Fence > maxFenceLeap {
		return strangeLock(theirs, fmt.Errorf("its fence is %d, and here it is %d", l.Fence, mine.Fence))
	}
	return nil
}

// lockBlob is the one file in the tree of a lock.
func lockBlob(ctx context.Context, from gitstore.Bounded, tree gitstore.OID) (gitstore.OID, error) {
	entries, err := from.Tree(ctx, tree)
	if err != nil {
		return gitstore.OID{}, err
	}
	if len(entries) != 1 || entries[0].Name != lockFile || entries[0].Mode != gitstore.ModeFile {
		return gitstore.OID{}, fmt.Errorf("its tree is not one file %s", lockFile)
	}
	return entries[0].OID, nil
}

// parseLock reads a lock that has to be the task's.
func parseLock(data []byte, id task.ID) (task.Lock, error) {
	var l task.Lock
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("%w: %w", task.ErrBadLock, err)
	}
	if err := task.CheckLock(l); err != nil {
		return l, err
	}
	if l.Task != id {
		return l, fmt.Errorf("it is the lock of %.100q", string(l.Task))
	}
	return l, nil
}

// strange makes an error of looking at a stranger's lock one that names it,
// unless it is about us.
func strange(ctx context.Context, at gitstore.OID, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return strangeLock(at, err)
}

func strangeLock(at gitstore.OID, why error) error {
	return fmt.Errorf("commit %s: %w: %w", at.Short(), errStrangeLock, why)
}
