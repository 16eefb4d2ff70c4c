// Package claim takes locks and gives them back, at the arbiter where there is one.
package claim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Claims takes and gives back locks, at the arbiter where there is one.
type Claims struct {
	*change.Engine
	Exchange *exchange.Exchange
}

// patience is how long a claim waits for the arbiter, all in all; tries how
// often it claims anew while others do; maxTogether how often the task goes with the
// claim while others write to it.
const (
	patience    = 15 * time.Second
	tries       = 10
	maxTogether = 3
)

// Claimed is how a claim ended.
type Claimed struct {
	// over is the lock that was taken over; not held: it was nobody's.
	Over lease.Lock
	// unread says why the lock that stood there before could not be read.
	unread string
	// made: the claim is of this call.
	made bool
	// begun is what went to the arbiter with it, or was to go; nil: nothing.
	Begun *exchange.Begun
	// unsure says why the arbiter did not confirm the claim; "" where it did,
	// and where there is none.
	unsure string
}

// Notes are remarks for the person.
func (c *Claimed) Notes(s *Claims) []string {
	var notes []string
	if c.unread != "" {
		notes = append(notes, "the lock could not be read, and counted as free: "+c.unread)
	}
	switch {
	case c.Over.Held && lease.Stale(c.Over, s.Clone.Now()):
		notes = append(notes, "took over the lock of "+c.Over.Holder()+", whose lease had run out")
	case c.Over.Held:
		notes = append(notes, "took the lock from "+c.Over.Holder())
	}
	if c.unsure != "" {
		notes = append(notes, c.unsure)
	}
	return notes
}

// Decide lets the arbiter decide whether the caller holds a lock, before
// anything is done under it; without an arbiter it does nothing, and the lock
// is the caller's to take. May says whether the rules allow what the lock is
// taken for: what they refuse is refused before it is taken.
//
// What the arbiter has of the task and its lock is taken over first. Then the
// lock is taken here and given to the arbiter, which takes one claim of many. It
// is asked again what it has, for some say yes to all: a claim counts as confirmed
// where it is seen there. Where another one is, it starts again, so that it ends
// with the claim confirmed or with a *task.HeldError. Where the arbiter can't be
// reached in time, the claim stays, unconfirmed, until the next sync. One that the
// arbiter did not take is given back.
//
// Begin makes what the lock is taken for, which goes to the arbiter with the claim and
// comes back from there, where it took it: nothing of it is here before. Nil: nothing.
func (s *Claims) Decide(ctx context.Context, id task.ID, steal bool, may func(c *change.Tx) error,
	begin func(ctx context.Context, c *change.Tx, won Claimed) error,
) (won Claimed, err error) {
	arbiter, is, err := s.Config.Arbiter(ctx)
	if err != nil || !is || s.Clone.DryRun() {
		return won, err
	}
	if s.Exchange.IsApart(arbiter) {
		won.unsure = fmt.Sprintf(apart, arbiter.Name)
		_, err = s.takeFirst(ctx, id, steal, may, &won)
		return won, err
	}
	s.Locks.Claiming = id
	defer func() { s.Locks.Claiming = "" }()
	defer s.Clone.Asks(arbiter.Name)()
	net, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var lock lease.Lock
	tried := attempts{together: maxTogether}
	for range tries {
		asked := s.Exchange.SyncTask(net, arbiter, id)
		seen, err := s.Clone.Ledger.Tip(ctx, arbiter.Seen(ledger.LockRef(string(id))))
		if err != nil {
			return won, err
		}
		tried.count(asked, seen, won.Begun != nil)
		switch last := tried.last; {
		case asked != nil && ctx.Err() != nil:
			return won, ctx.Err()
		case asked != nil && (last == refsync.Moved || last == refsync.UpToDate || refsync.Answered(asked)):
			return won, s.giveBack(ctx, id, won, asked)
		case tried.stuck > 1:
			return won, s.giveBack(ctx, id, won, refsync.Hides(arbiter))
		case asked == nil && last == refsync.Pushed:
			if seen, err := s.looked(ctx, arbiter, id, lock, &won); err != nil || seen {
				return won, err
			}
		}
		if lock, err = s.takeFirst(ctx, id, steal, may, &won); err != nil {
			return won, err
		}
		if done, err := s.settled(ctx, net, arbiter, id, lock, asked, &won); err != nil || done {
			return won, err
		}
		if won.Begun = nil; begin != nil && tried.together > 0 {
			won.Begun = s.Exchange.Begin(ctx, id, func(ctx context.Context, c *change.Tx) error { return begin(ctx, c, won) })
		}
		tried.last, err = s.Exchange.PushLock(net, arbiter, id, won.Begun)
		switch {
		case err != nil && ctx.Err() != nil:
			return won, ctx.Err()
		case refsync.Answered(err):
			return won, s.giveBack(ctx, id, won, err)
		case err != nil:
			won.unsure = unconfirmed(net, arbiter, err)
			return won, nil
		}
	}
	return won, s.giveBack(ctx, id, won, &refsync.RemoteError{Remote: arbiter.Name, Kind: refsync.ErrMoving})
}

// settled reports that nothing is left to ask: the arbiter has the lock already, or did
// not answer, asked with this error.
func (s *Claims) settled(ctx, net context.Context, arbiter refsync.Remote, id task.ID, lock lease.Lock,
	asked error, won *Claimed,
) (bool, error) {
	there, err := s.AtArbiter(ctx, id, lock)
	switch {
	case err != nil:
		return true, err
	case asked == nil:
		return there.Confirmed, nil
	case there.Confirmed:
		won.unsure = "the lock was confirmed before, and " + reasonOf(net, arbiter, asked)
	default:
		won.unsure = unconfirmed(net, arbiter, asked)
	}
	return true, nil
}

// apart says of a remote's name why nobody can tell who has a lock there.
const apart = "the lock is not confirmed: %s has records under two namespaces, and each may have one; " +
	"'git brew doctor' says how they join"

// attempts are what came of asking the arbiter again and again.
type attempts struct {
	last     refsync.Answer // to the last push
	on       gitstore.OID   // what the last claim was made on
	stuck    int            // how often nothing moved that could have refused it
	together int            // how often the task may still be pushed with its lock
}

// count counts one more look at the arbiter, which shows its lock at seen. begun: the
// last push had the task, too.
func (a *attempts) count(asked error, seen gitstore.OID, begun bool) {
	switch same := a.last == refsync.Moved && asked == nil && seen == a.on; {
	case same && begun:
		a.together-- // it was the task that moved
	case same:
		a.stuck++
	}
	a.on = seen
}

// looked reports that nothing is left to be asked about a claim that the arbiter
// said it took: it shows the claim, or nothing at all.
func (s *Claims) looked(ctx context.Context, arbiter refsync.Remote, id task.ID, l lease.Lock,
	won *Claimed,
) (bool, error) {
	done, err := s.ConfirmedBy(ctx, arbiter, id, l)
	if err != nil || done {
		return done, err
	}
	seen, err := s.Clone.Ledger.Tip(ctx, arbiter.Seen(ledger.LockRef(string(id))))
	if err != nil || !seen.IsZero() {
		return false, err
	}
	won.unsure = "the lock is not confirmed: " + arbiter.Name +
		" takes locks and shows them to nobody who fetches (uploadpack.hideRefs); ask who runs it to show them"
	return true, nil
}

// giveBack releases a claim of this call that the arbiter did not take, and returns
// why it did not.
func (s *Claims) giveBack(ctx context.Context, id task.ID, won Claimed, why error) error {
	if !won.made {
		return why
	}
	_, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if !lease.Holds(c.Lock, s.Clone.Who()) {
			return nil
		}
		return c.SetLock(ctx, lease.Release(c.Lock, s.Clone.Now()))
	})
	if err != nil {
		return fmt.Errorf("%w; the lock is held here alone: %w", why, err)
	}
	return why
}

// takeFirst takes the lock here, where the rules allow what it is taken for.
func (s *Claims) takeFirst(ctx context.Context, id task.ID, steal bool, may func(c *change.Tx) error,
	won *Claimed,
) (lease.Lock, error) {
	was := *won
	return s.changeLock(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if err := may(c); err != nil {
			return err
		}
		*won = was
		return s.Take(ctx, c, steal, won)
	})
}

// unconfirmed says, in one line, why a claim is not confirmed, and when it will be: what
// the arbiter has as this lock may be none.
func unconfirmed(net context.Context, arbiter refsync.Remote, why error) string {
	then := "the next 'git brew sync' confirms it, or tells who has it"
	if _, remote := errors.AsType[*refsync.RemoteError](why); !remote && net.Err() == nil {
		then = "no sync confirms it before that is mended there"
	}
	return "the lock is not confirmed (" + reasonOf(net, arbiter, why) + "); " + then
}

// reasonOf is why the arbiter gave no answer that counts, with its name.
func reasonOf(net context.Context, arbiter refsync.Remote, why error) string {
	if net.Err() != nil {
		return fmt.Sprintf("%s did not answer within %s", arbiter.Name, patience)
	}
	return arbiter.Name + ": " + strings.TrimPrefix(why.Error(), arbiter.Name+": ")
}

// Arbitrated is what the arbiter has of a lock, as it was last seen.
type Arbitrated struct {
	// Arbiter is the remote that decides about a held lock; "" for none: the clone decides
	// for itself.
	Arbiter   string
	Confirmed bool // it has the claim of a held lock
	// Unheard says that it has a lock as held that is free here: others are refused until
	// it hears of that.
	Unheard string
}

// AtArbiter looks at what the arbiter has of a lock.
func (s *Claims) AtArbiter(ctx context.Context, id task.ID, l lease.Lock) (a Arbitrated, err error) {
	remote, is, err := s.Config.Arbiter(ctx)
	if err != nil || !is {
		return Arbitrated{Confirmed: err == nil && l.Held}, err
	}
	if l.Held {
		a.Arbiter = remote.Name
		if !s.Exchange.IsApart(remote) {
			a.Confirmed, err = s.ConfirmedBy(ctx, remote, id, l)
		}
		return a, err
	}
	there, err := s.lockAtArbiter(ctx, remote, id)
	if err == nil && there.Held && !s.Clone.DryRun() { // what can't be read there holds nobody back
		a.Unheard = remote.Name + " does not know yet; the next 'git brew sync' tells it"
	}
	return a, nil
}

// ConfirmedBy is confirmed for the arbiter that there is.
func (s *Claims) ConfirmedBy(ctx context.Context, arbiter refsync.Remote, id task.ID, l lease.Lock) (bool, error) {
	ref := ledger.LockRef(string(id))
	tip, err := s.Clone.Ledger.Tip(ctx, ref)
	if err != nil {
		return false, nil //nolint:nilerr // a lock that can't be read counts as free
	}
	seen, err := s.Clone.Ledger.Tip(ctx, arbiter.Seen(ref))
	if err != nil || seen.IsZero() || seen == tip {
		return err == nil && !seen.IsZero(), err
	}
	there, err := s.lockAtArbiter(ctx, arbiter, id)
	return err == nil && there.Held && records.SameClaim(there, l), err
}

// lockAtArbiter is a lock as the arbiter had it when it was last asked.
func (s *Claims) lockAtArbiter(ctx context.Context, arbiter refsync.Remote, id task.ID) (lease.Lock, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, arbiter.Seen(ledger.LockRef(string(id))))
	if err != nil || tip.IsZero() {
		return lease.Lock{}, err
	}
	return records.FreeIfUnread(s.Records.ReadLock(ctx, tip))
}

// ShareDue reports that the arbiter saw the lease of a lock, or the claim itself,
// so long ago that a renewal has to be carried there.
func (s *Claims) ShareDue(ctx context.Context, id task.ID, l lease.Lock) (bool, error) {
	arbiter, is, err := s.Config.Arbiter(ctx)
	if err != nil || !is {
		return false, err
	}
	there, err := s.lockAtArbiter(ctx, arbiter, id)
	if err != nil || !there.Held || !records.SameClaim(there, l) {
		return err == nil, err
	}
	renewed, ok := clone.ParseTime(there.RenewedAt)
	return !ok || s.Clone.Now().Sub(renewed) >= lease.Lease(there)/2 || lease.Ahead(there, s.Clone.Now()) > 0, nil
}

// May reports why the rules refuse an operation as the task is now.
func May(t task.Task, kind operation.Kind, payload any) error {
	data, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return rules.Check(t, operation.Operation{Kind: kind, Payload: data})
}
