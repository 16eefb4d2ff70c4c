package claim

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// LockView is a task's lock, and how it stands.
type LockView struct {
	Task  task.ID
	Lock  lease.Lock
	State lock.LockState
	Arbitrated
	Holder    bool // the caller acts as the holder
	ExpiresAt string
	// Notes are remarks for the person: whose lock was taken over, why it is
	// not confirmed.
	Notes []string
}

func (s *Claims) LockView(ctx context.Context, id task.ID, l lease.Lock) (LockView, error) {
	there, err := s.AtArbiter(ctx, id, l)
	if err != nil {
		return LockView{}, err
	}
	v := LockView{
		Task: id, Lock: l, State: s.Locks.LockState(l), Arbitrated: there,
		Holder: l.Held && s.Locks.Allows(l) == nil, ExpiresAt: lease.ExpiresAt(l, s.Clone.Now()),
	}
	if there.Unheard != "" {
		v.Notes = append(v.Notes, there.Unheard)
	}
	return v, nil
}

// Unheard are remarks for who has just let a lock go: that the arbiter does not
// know yet. Whoever looks at the lock is told what goes wrong here.
func (s *Claims) Unheard(ctx context.Context, id task.ID) []string {
	l, _ := s.LockOf(ctx, id)
	return l.Notes
}

// LockOf shows the lock of a task.
func (s *Claims) LockOf(ctx context.Context, id task.ID) (LockView, error) {
	b, _, err := s.Records.Brief(ctx, id)
	if err != nil {
		return LockView{}, err
	}
	l, err := s.Records.LockOf(ctx, id, b.Archived)
	if err != nil {
		return LockView{}, err
	}
	return s.LockView(ctx, id, l)
}

// Take makes the caller act as the holder: it does already, the lock is free or
// stale, or it is to be stolen. Stolen, the lock is the caller's own. Won notes whose lock
// was taken over, or what stood in its place.
func (s *Claims) Take(ctx context.Context, c *change.Tx, steal bool, won *Claimed) error {
	before := c.Lock
	if err := s.take(ctx, c, steal); err != nil {
		return err
	}
	if anew := c.Lock.Fence != before.Fence; anew && c.Lock.Held {
		won.made = true
		won.unread = cmp.Or(before.Unread, won.unread)
		if before.Held {
			won.Over = before
		}
	}
	return nil
}

func (s *Claims) take(ctx context.Context, c *change.Tx, steal bool) error {
	from := c.Lock
	from.Held = from.Held && !s.Locks.Stale(from) // a stale one is free, whatever its times say
	if from.Held && !(steal && !lease.Holds(from, s.Clone.Who())) {
		return s.goOn(ctx, c)
	}
	tip, err := c.Ledger.Tip(ctx, ledger.TaskRef(string(c.ID)))
	if err != nil {
		return err
	}
	if err := s.Clone.Ledger.KnownLaw(ctx, tip); errors.Is(err, ledger.ErrUnknownLaw) {
		return fmt.Errorf("%s: %w; install a newer one to work on it", c.ID, err)
	}
	claim, err := s.Locks.ClaimRequest(ctx, c.Task.Fence)
	if err != nil {
		return err
	}
	next, err := lease.Take(from, claim, s.Clone.Now())
	if err != nil {
		return err
	}
	return c.SetLock(ctx, next)
}

// goOn acts under a lock that is held. It is claimed anew where the task's history has a
// fence above it: what was done under the old claim would be void beside that.
func (s *Claims) goOn(ctx context.Context, c *change.Tx) error {
	if err := s.Locks.Allows(c.Lock); err != nil {
		return err
	}
	if c.Lock.Session == "" && s.Clone.Caller.Session != "" {
		if err := c.Bind(ctx); err != nil {
			return err
		}
	}
	if c.Task.Fence <= c.Lock.Fence {
		return nil
	}
	nonce, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return err
	}
	next, err := lease.Reclaim(lease.Lock{Fence: c.Task.Fence}, c.Lock, string(nonce), s.Clone.Now())
	if err != nil {
		return err
	}
	return c.SetLock(ctx, next)
}

// Release frees the lock where the caller holds it.
func (s *Claims) Release(ctx context.Context, c *change.Tx) error {
	if mine := s.Locks.Allows(c.Lock) == nil; !c.Lock.Held || !mine {
		return nil
	}
	return c.SetLock(ctx, lease.Release(c.Lock, s.Clone.Now()))
}

// changeLock runs decide on a task's lock, and gives the lock after it.
func (s *Claims) changeLock(ctx context.Context, id task.ID,
	decide func(ctx context.Context, c *change.Tx) error,
) (after lease.Lock, err error) {
	_, err = s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		err := decide(ctx, c)
		after = c.Lock
		return err
	})
	return after, err
}

// LockChange is changeLock that shows the lock.
func (s *Claims) LockChange(ctx context.Context, id task.ID,
	decide func(ctx context.Context, c *change.Tx) error,
) (LockView, error) {
	after, err := s.changeLock(ctx, id, decide)
	if err != nil {
		return LockView{}, err
	}
	return s.LockView(ctx, id, after)
}

// AcquireLock takes the lock; held by somebody else, it is refused (exit 3).
func (s *Claims) AcquireLock(ctx context.Context, id task.ID) (LockView, error) {
	free := func(*change.Tx) error { return nil }
	won, err := s.Decide(ctx, id, false, free, nil)
	if err != nil {
		return LockView{}, err
	}
	lock, err := s.takeFirst(ctx, id, false, free, &won)
	if err != nil {
		return LockView{}, err
	}
	l, err := s.LockView(ctx, id, lock)
	l.Notes = won.Notes(s)
	return l, err
}

// BindLock binds an unbound lock to the caller's session.
func (s *Claims) BindLock(ctx context.Context, id task.ID) (LockView, error) {
	if s.Clone.Caller.Session == "" {
		return LockView{}, clone.Invalid("give --session ID", "there is no session to bind the lock to")
	}
	return s.changeMine(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if c.Lock.Session == s.Clone.Caller.Session {
			return nil
		}
		return c.Bind(ctx)
	})
}

// RenewLock extends the lease of the caller's lock.
func (s *Claims) RenewLock(ctx context.Context, id task.ID) (LockView, error) {
	return s.changeMine(ctx, id, func(ctx context.Context, c *change.Tx) error { return c.Renew(ctx) })
}

// changeMine changes a lock that the caller holds, or acts for.
func (s *Claims) changeMine(ctx context.Context, id task.ID,
	does func(ctx context.Context, c *change.Tx) error,
) (LockView, error) {
	return s.LockChange(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if !c.Lock.Held {
			return clone.Refuse("'git brew start' takes it", "the lock of %s is free", id)
		}
		if err := s.Locks.Allows(c.Lock); err != nil {
			return err
		}
		return does(ctx, c)
	})
}

// ReleaseLock frees the caller's lock; a free one stays free.
func (s *Claims) ReleaseLock(ctx context.Context, id task.ID) (LockView, error) {
	return s.LockChange(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if err := s.Locks.Allows(c.Lock); err != nil {
			return err
		}
		return s.Release(ctx, c)
	})
}

// MendLock puts a free lock in the place of one that can't be read, with a fence
// that nothing in the task's history is above.
func (s *Claims) MendLock(ctx context.Context, id task.ID) error {
	_, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if c.Lock.Unread == "" {
			return nil
		}
		free := c.Lock
		free.Fence = max(free.Fence, c.Task.Fence)
		return c.SetLock(ctx, lease.Release(free, s.Clone.Now()))
	})
	return err
}
