// Package lock says who may act on a task: how a lock is read, how long a holder is
// believed, and what becomes of two locks when clones meet.
package lock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// Locks reads locks, and says who may act under them and how two of them become one.
type Locks struct {
	Claiming task.ID                 // the task whose lock is being claimed; see decide
	observed map[task.ID]observation // read on first use
	Clone    *clone.Clone
	Config   *config.Config
	Journal  *journal.Journal
	Records  *records.Records
}

// ClaimRequest is the lock that this caller claims.
func (s *Locks) ClaimRequest(ctx context.Context, fence uint64) (lease.Lock, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return lease.Lock{}, err
	}
	nonce, err := operation.NewID(s.Clone.Random)
	who := s.Clone.Who()
	return lease.Lock{
		Session: who.Session, Client: who.Client, Clone: who.Clone, User: who.User,
		Host: s.Clone.Caller.Host, WorkTree: s.Clone.Repo.WorkTree, PID: s.Clone.Caller.PID,
		TTLSeconds: int64(set.Period(config.KeyLockTTL).Seconds()), Fence: fence, Nonce: string(nonce),
	}, err
}

// Allows is task.Allows for this caller, and says of a lock that it is stale
// only where stale does.
func (s *Locks) Allows(l lease.Lock) error {
	who := s.Clone.Who()
	who.Agent = l.Held && lease.OfRun(l) && who.Session == "" && s.Clone.Caller.Reached().Agent()
	err := lease.Allows(l, who, s.Clone.Now())
	if held, ok := errors.AsType[*lease.HeldError](err); ok {
		judged := *held
		judged.Stale = s.Stale(l)
		return &judged
	}
	return err
}

// Stale reports whether the lease of a lock has run out. Of a lock of this
// clone its own times tell that. Of another clone's they don't, whoever's clock
// is wrong: besides, this clone must have seen it unchanged for a whole lease.
// Where a clock far ahead renewed it, that alone counts: else nobody
// could take it before that time. Nobody's pid is asked.
func (s *Locks) Stale(l lease.Lock) bool {
	switch {
	case lease.Ahead(l, s.Clone.Now()) > 0:
		return s.silent(l)
	case !lease.Stale(l, s.Clone.Now()):
		return false
	}
	return l.Clone == s.Clone.ID || s.silent(l)
}

// observedLocks, in the cache directory, says since when this clone has seen other
// clones' locks as they are. Losing it, or what two processes write at once, restarts
// the wait.
const observedLocks = "observed-locks"

// observation is since when a lock was seen at its tip.
type observation struct {
	Tip   string `json:"tip"`
	Since int64  `json:"since"` // seconds since 1970, by this machine's clock
}

// silent reports whether this clone has seen a lock, mostly another one's, unchanged for
// as long as its lease is. Whoever looks first begins the wait.
func (s *Locks) silent(l lease.Lock) bool {
	tip, err := s.Clone.Ledger.Tip(context.Background(), ledger.LockRef(string(l.Task)))
	if err != nil || tip.IsZero() {
		return false
	}
	return s.Clone.Now().Sub(time.Unix(s.observe(l.Task, tip), 0)) > lease.Lease(l)
}

// observe notes that the lock of a task is at tip, and returns since when this clone
// has seen it there. A time that is still to come counts as now.
func (s *Locks) observe(id task.ID, tip gitstore.OID) int64 {
	if s.observed == nil {
		data, _ := gitfile.ReadFile(s.Clone.SyncFile(observedLocks))
		_ = json.Unmarshal(data, &s.observed) // else every look is the first
	}
	now := s.Clone.Now().Unix()
	if o := s.observed[id]; o.Tip == tip.String() && o.Since <= now {
		return o.Since
	}
	if s.observed == nil {
		s.observed = map[task.ID]observation{}
	}
	s.observed[id] = observation{Tip: tip.String(), Since: now}
	if data, err := json.Marshal(s.observed); err == nil {
		_ = s.Clone.Repo.WriteCache(observedLocks, data)
	}
	return now
}

// MayAct says why the caller may run nothing under a task's lock: it is asked before
// something is run, which is recorded only then.
func (s *Locks) MayAct(ctx context.Context, id task.ID) error {
	if err := s.Config.MayChange(ctx); err != nil {
		return err
	}
	lock, err := s.Records.LockBrief(ctx, id)
	if err != nil {
		return err
	}
	return s.Allows(lock)
}

// MayLeave says why an agent may not take this work tree from the task that it is at: another agent's
// session works on that here. A run has trees of its own.
func (s *Locks) MayLeave(ctx context.Context, here task.ID) error {
	if here == "" || !s.Clone.Caller.Reached().Agent() {
		return nil
	}
	l, err := s.Records.LockBrief(ctx, here)
	if err != nil || !l.Held || lease.OfRun(l) || l.Clone != s.Clone.ID || l.WorkTree != s.Clone.Repo.WorkTree {
		return err
	}
	if held, is := errors.AsType[*lease.HeldError](s.Allows(l)); is && !held.Stale {
		return clone.Refuse("'git brew create --no-switch' leaves this work tree alone, 'git worktree add' makes another one",
			"%s works on %s in this work tree", l.HolderTo(held.To), here.Slug())
	}
	return nil
}

// LockState says how a lock stands for everybody.
type LockState string

// The states of a lock. Stale: its lease has run out, as far as this clone can
// tell.
const (
	LockFree  LockState = "free"
	LockHeld  LockState = "held"
	LockStale LockState = "stale"
)

func (s *Locks) LockState(l lease.Lock) LockState {
	switch {
	case !l.Held:
		return LockFree
	case s.Stale(l):
		return LockStale
	}
	return LockHeld
}

// Stage stages the next state of a task's lock, of which claim names the claim that it
// has. It gives the lock as it is recorded, and the claim that it has then.
func (s *Locks) Stage(
	ctx context.Context, tx *ledger.Tx, id task.ID, claim string, next lease.Lock,
) (lease.Lock, string, error) {
	next.Claim = claim
	if records.NewClaim(next) {
		next.Claim = ""
	}
	next.Schema, next.Task, next.Unread = operation.Format, id, ""
	data, err := json.MarshalIndent(next, "", "  ")
	if err != nil {
		return next, claim, err
	}
	ref := ledger.LockRef(string(id))
	tip, err := tx.PutOver(ctx, ref, map[string][]byte{ledger.LockFile: append(data, '\n')}, lockSubject(next))
	if err != nil {
		return next, claim, err
	}
	if next.Claim == "" && next.Held {
		claim = tip.String()
	}
	s.Journal.RecordAfter(tx, journal.LockEvent(id, next))
	tx.Snapshot(ref, tip, func() any { return next })
	return next, claim, nil
}

func lockSubject(l lease.Lock) string {
	who := "by " + l.User + "@" + l.Host
	if l.Session != "" {
		who = "by session " + task.ShortSession(l.Session)
	}
	return fmt.Sprintf("lock: %s %s, fence %d\n", l.Event, who, l.Fence)
}

// AcceptLock checks a lock that a remote has, before it is taken for one: what
// its chain is made of, as far as it is not known here, and what it says. The
// error says in one line what is wrong.
func (s *Locks) AcceptLock(ctx context.Context, id task.ID, ours, theirs gitstore.OID) error {
	return s.Clone.Ledger.AcceptLock(ctx, ours, theirs, func(file []byte) (fence uint64, err error) {
		var l lease.Lock
		if err := json.Unmarshal(file, &l); err != nil {
			return 0, fmt.Errorf("%w: %w", lease.ErrBadLock, err)
		}
		if l.Task != id {
			return 0, fmt.Errorf("it is the lock of %.100q", string(l.Task))
		}
		return l.Fence, lease.CheckLock(l)
	}, func(ctx context.Context) uint64 {
		b, _, err := s.Records.Brief(ctx, id)
		if err != nil {
			return 0 // it says nothing
		}
		return b.Task.Fence
	})
}

// markLost records that the session which held a lock here is to be told. A
// person is told by the command that finds it out; so is the session whose own
// claim is being decided. Where it can't be recorded, nobody is told: a
// notebook keeps no sync from its end.
func (s *Locks) markLost(ctx context.Context, tx *ledger.Tx, held lease.Lock, lost clone.LostLock) error {
	if !lost.Again {
		s.Journal.RecordAfter(tx, journal.LostEvent(held, lost))
	}
	if held.Session == "" || s.Claiming == lost.Task && held.Session == s.Clone.Caller.Session {
		return nil
	}
	lost.At = s.Clone.Timestamp()
	data, err := json.MarshalIndent(lost, "", "  ")
	if err != nil {
		return err
	}
	subject := "session " + task.ShortSession(lost.Session) + ": its lock of " + string(lost.Task) + " is lost\n"
	if _, err := tx.PutOver(ctx, s.Clone.Ref(), map[string][]byte{lost.Path(): append(data, '\n')}, subject); err != nil {
		return ctx.Err()
	}
	return nil
}

// LostTold records that the caller's session was told of its lost locks, or
// that a sub-agent of it was, and reports whether there was something left to
// tell: who asks second says nothing.
func (s *Locks) LostTold(ctx context.Context, aside bool) (first bool, err error) {
	err = s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": told of a lost lock",
		func(_ context.Context, c *clone.Change) error {
			first = false
			var left []clone.LostLock
			for _, l := range c.State.Lost {
				if l.Session != s.Clone.Caller.Session || aside && l.Aside {
					left = append(left, l)
					continue
				}
				first = true
				if !aside {
					c.Files[l.Path()] = nil
					continue
				}
				l.Aside = true
				if err := c.Put(l.Path(), nil, l); err != nil {
					return err
				}
				left = append(left, l)
			}
			c.State.Lost = slices.Clip(left)
			return nil
		})
	return first, err
}
