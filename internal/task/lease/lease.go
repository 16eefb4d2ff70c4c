// Package lease is a task's lock: who holds it, under which fence, and for how long. A
// lock is a record of its own, and tells nothing of the task's state.
package lease

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Lock is the state of a task's lock: lock.json at the tip of its chain. The
// chain is never deleted, so fences never restart.
type Lock struct {
	Schema string  `json:"schema"`
	Task   task.ID `json:"task"`
	Held   bool    `json:"held"`
	// Session holds the lock; empty: not bound yet, held by the person User
	// on Clone.
	Session string `json:"session,omitempty"`
	// Client is the agents' program that it was taken or bound by, as 'git brew hook
	// --agent' names it; empty: a person, or nobody knows.
	Client string `json:"client,omitempty"`
	Host   string `json:"host,omitempty"`
	User   string `json:"user,omitempty"`
	Clone  string `json:"clone,omitempty"`
	// WorkTree is the absolute path of the work tree it was taken in.
	WorkTree string `json:"worktree,omitempty"`
	PID      int    `json:"pid,omitempty"` // shown, never used to judge
	// Times are RFC 3339 in UTC. TTLSeconds is the lease, from RenewedAt.
	AcquiredAt string `json:"acquired_at,omitempty"`
	BoundAt    string `json:"bound_at,omitempty"`
	RenewedAt  string `json:"renewed_at,omitempty"`
	TTLSeconds int64  `json:"ttl_seconds,omitempty"`
	// Fence grows with every change of holder. Nonce makes every claim's
	// commit unique. Claim is the commit that acquired the lock; empty in
	// that commit itself.
	Fence uint64 `json:"fence"`
	Nonce string `json:"nonce,omitempty"`
	Claim string `json:"claim,omitempty"`
	// StolenFrom is the session that it was stolen from, which can't bind it
	// again.
	StolenFrom string `json:"stolen_from,omitempty"`
	// Event is what the last change was: acquired, bound, renewed, released,
	// unbound, stolen.
	Event string `json:"event"`
	// Unread says why what is recorded could not be read; such a lock counts
	// as free (BC-62). It is told, never recorded.
	Unread string `json:"-"`
}

// The events of a lock's chain.
const (
	LockAcquired = "acquired"
	LockBound    = "bound"
	LockRenewed  = "renewed"
	LockReleased = "released"
	LockUnbound  = "unbound"
	LockStolen   = "stolen"
)

// defaultTTL is how long a lock is held without being renewed.
const defaultTTL = 24 * time.Hour

// ErrBadLock says that a lock's state is not one that this package made. Such
// a lock counts as free (BC-62).
var ErrBadLock = errors.New("corrupt lock")

// OtherClient is an agents' program that nobody here knows. No lock says so: its hooks may
// call it by the name of one that they speak like.
const OtherClient = "other"

// Who asks: an agent's session, or without one a person, on a clone.
type Who struct {
	Session, Clone, User string
	// Client is the agents' program that asks; empty: none does, or nobody knows which.
	Client string
	// Typed: an agent's shell says that it is of Session, and its environment does not.
	Typed bool
	// Agent: it is one of no session, and no person. A run's lock holds against it.
	Agent bool
}

// OfRun reports a lock that a run has.
func OfRun(l Lock) bool { return strings.HasPrefix(l.Session, task.RunPrefix) }

// HeldError says that somebody else holds a lock (exit 3).
type HeldError struct {
	Lock  Lock
	Name  string        // of the task, as people are told it; "": its slug
	To    Who           // who is told: names alike are told apart
	For   time.Duration // since it was acquired
	Stale bool
}

func (e *HeldError) Error() string {
	held := fmt.Sprintf("%s is held by %s", task.SubjectLine(cmp.Or(e.Name, e.Lock.Task.Slug())), e.Lock.HolderTo(e.To))
	if e.For >= time.Second {
		held += ", taken " + duration(e.For) + " ago"
	}
	if e.Stale {
		return held + ", and its lease has run out; 'git brew start' takes it over"
	}
	return held + "; wait, or a person takes it over with 'git brew start --steal " + e.Lock.Task.Slug() +
		"' if the holder is gone"
}

// Holder names the holder for people: session 7f3a9c01 on mara@laptop.
func (l Lock) Holder() string {
	where := task.SubjectLine(l.User)
	if host := task.SubjectLine(l.Host); host != "" {
		where = strings.TrimPrefix(where+"@"+host, "@")
	}
	switch {
	case l.Session == "":
		return cmp.Or(where, "somebody")
	case where == "":
		return "session " + task.ShortSession(l.Session)
	}
	return "session " + task.ShortSession(l.Session) + " on " + where
}

// HolderTo is Holder for somebody who is asked to tell holders apart: the same
// person in another clone is named with the work tree that the lock was taken
// in, another agents' program with its name.
func (l Lock) HolderTo(w Who) string {
	holder := l.Holder()
	if foreign(l, w) {
		holder += " with " + task.SubjectLine(l.Client)
	}
	if l.User == "" || l.User != w.User || l.Clone == w.Clone || l.WorkTree == "" {
		return holder
	}
	return holder + " in " + task.SubjectPath(l.WorkTree)
}

// duration is d in its largest unit.
func duration(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	case d >= time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d >= time.Minute:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}

// Lease is how long a lock is held without being renewed: what it says, or
// defaultTTL where that makes no sense.
func Lease(l Lock) time.Duration {
	if l.TTLSeconds <= 0 || l.TTLSeconds > int64(10*365*24*time.Hour/time.Second) {
		return defaultTTL
	}
	return time.Duration(l.TTLSeconds) * time.Second
}

// Stale reports whether the lease of a held lock has run out, by its last
// renewal (BC-59); a time that can't be read is long ago. Of a lock held on
// another clone the caller asks more before it believes that: Locks.Stale of internal/app/lock.
func Stale(l Lock, now time.Time) bool {
	if !l.Held {
		return false
	}
	renewed, err := time.Parse(time.RFC3339, l.RenewedAt)
	return err != nil || now.Sub(renewed) > Lease(l)
}

// Skew is how far apart the clocks of machines may be that both are set.
const Skew = 10 * time.Minute

// Ahead is how far the clock that a held lock was renewed by was ahead of now, where
// that is more than Skew; else 0. The times of such a lock say nothing of its lease:
// the caller counts it from when it first saw the lock.
func Ahead(l Lock, now time.Time) time.Duration {
	renewed, err := time.Parse(time.RFC3339, l.RenewedAt)
	if ahead := renewed.Sub(now); l.Held && err == nil && ahead > Skew {
		return ahead
	}
	return 0
}

// ExpiresAt is when the lease runs out, RFC 3339 in UTC; "" where nothing
// does, or nobody knows.
func ExpiresAt(l Lock, now time.Time) string {
	renewed, err := time.Parse(time.RFC3339, l.RenewedAt)
	if !l.Held || err != nil || Ahead(l, now) > 0 {
		return ""
	}
	return stamp(renewed.Add(Lease(l)))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Allows reports why w must not change what the lock guards: nil, or a
// *HeldError. While the lock is free everybody may. While it is held its
// session may; while no session is bound, whoever is on that clone as that
// user, but the session it was stolen from; and a person there always, acting
// as the holder. A run's workers are no persons, and no shell of another agents'
// program is the holder's, though it may not know its session, or type the holder's.
func Allows(l Lock, w Who, now time.Time) error {
	home := l.Clone == w.Clone && l.User == w.User && !foreign(l, w)
	switch {
	case !l.Held,
		w.Session != "" && w.Session == l.Session && !(w.Typed && w.Client != OtherClient && foreign(l, w)),
		home && l.Session == "" && (w.Session == "" || w.Session != l.StolenFrom),
		home && w.Session == "" && !(w.Agent && OfRun(l)):
		return nil
	}
	return held(l, w, now)
}

// foreign reports whether another agents' program has a lock than the one that asks.
func foreign(l Lock, w Who) bool { return l.Client != "" && w.Client != "" && l.Client != w.Client }

// Holds reports whether w itself is the holder: its session, or without one the
// same person on the same clone.
func Holds(l Lock, w Who) bool {
	if l.Session != "" || w.Session != "" {
		return l.Held && l.Session == w.Session
	}
	return l.Held && l.Clone == w.Clone && l.User == w.User
}

func held(l Lock, w Who, now time.Time) error {
	e := &HeldError{Lock: l, To: w, Stale: Stale(l, now)}
	if since, err := time.Parse(time.RFC3339, l.AcquiredAt); err == nil {
		e.For = now.Sub(since)
	}
	return e
}

// Take makes a claimant the holder, under a fence that nobody had. The claim is the lock as
// it says of itself: who, from where, for how long, with a nonce of its own and the highest
// fence of the task's history. A lock that is held is stolen: whoever asks has seen to it
// that it may be.
func Take(l, claim Lock, now time.Time) (Lock, error) {
	highest := max(l.Fence, claim.Fence)
	if highest >= operation.MaxClock {
		return l, task.Refuse(task.CodeTaskState, fmt.Sprintf("the lock has the highest fence there is, %d", highest),
			"work on it without a lock")
	}
	next := claim
	if next.Client == OtherClient {
		next.Client = ""
	}
	next.Schema, next.Task, next.Held = operation.Format, cmp.Or(l.Task, claim.Task), true
	next.AcquiredAt, next.RenewedAt = cmp.Or(claim.AcquiredAt, stamp(now)), stamp(now)
	next.Fence, next.Claim, next.Event = 1+highest, "", LockAcquired
	if next.Session != "" {
		next.BoundAt = cmp.Or(claim.BoundAt, next.AcquiredAt)
	}
	if l.Held {
		next.Event, next.StolenFrom = LockStolen, l.Session
	}
	return next, nil
}

// Reclaim takes a lock that the arbiter has as free for whoever holds ours, a
// claim that the arbiter has not seen: the same holder, under a fence above
// both, and a claim of its own.
func Reclaim(theirs, ours Lock, nonce string, now time.Time) (Lock, error) {
	ours.Nonce = nonce
	return Take(theirs, ours, now)
}

// Bind binds an unbound lock to a session of a client, once (BC-55, BC-56): bound to
// another one, it is a *HeldError.
func Bind(l Lock, session, client string, now time.Time) (Lock, error) {
	if client == OtherClient {
		client = ""
	}
	switch {
	case !l.Held || session == "":
		return l, task.Refuse(task.CodeTaskState, "there is no lock to bind", "'git brew start' takes it")
	case l.Session != "" && l.Session != session, l.Session == "" && session == l.StolenFrom:
		return l, held(l, Who{Session: session}, now)
	case l.Session == session:
		return l, nil
	}
	l.Session, l.Client = session, cmp.Or(client, l.Client)
	l.BoundAt, l.RenewedAt, l.Event = stamp(now), stamp(now), LockBound
	return l, nil
}

// Renew extends the lease, to ttlSeconds from now.
func Renew(l Lock, ttlSeconds int64, now time.Time) Lock {
	l.RenewedAt, l.TTLSeconds, l.Event = stamp(now), ttlSeconds, LockRenewed
	return l
}

// renewEvery is how old a lease is, at most, before its holder renews it.
const renewEvery = time.Hour

// RenewDue reports whether a held lease is old enough to be renewed by
// what its holder does: an hour, or half of a lease that is shorter. One that was
// renewed by a clock far ahead is, too: the next time is a true one.
func RenewDue(l Lock, now time.Time) bool {
	if !l.Held {
		return false
	}
	renewed, err := time.Parse(time.RFC3339, l.RenewedAt)
	return err != nil || now.Sub(renewed) >= min(renewEvery, Lease(l)/2) || Ahead(l, now) > 0
}

// Unbind takes the session off; the lock stays held on its clone, for the next
// session there, of whichever client.
func Unbind(l Lock, now time.Time) Lock {
	l.Client = ""
	l.Session, l.BoundAt, l.RenewedAt, l.Event = "", "", stamp(now), LockUnbound
	return l
}

// Release frees the lock; RenewedAt says when. The fence stays, so that the
// next one is higher; who held it stays readable in the chain.
func Release(l Lock, now time.Time) Lock {
	return Lock{
		Schema: operation.Format, Task: l.Task, RenewedAt: stamp(now),
		Fence: l.Fence, Nonce: l.Nonce, Claim: l.Claim, Event: LockReleased,
	}
}

// CheckLock reports why a decoded lock can't be one: then it counts as free.
func CheckLock(l Lock) error {
	if err := operation.CheckFormat(l.Schema); err != nil {
		return err
	}
	known := []string{LockAcquired, LockBound, LockRenewed, LockReleased, LockUnbound, LockStolen}
	switch {
	case !slices.Contains(known, l.Event):
		return fmt.Errorf("%w: event %q", ErrBadLock, task.Clip(l.Event, task.MaxName))
	case l.Held && (l.User == "" && l.Clone == "" && l.Session == ""):
		return fmt.Errorf("%w: held by nobody", ErrBadLock)
	case l.Held && l.Fence == 0:
		return fmt.Errorf("%w: held without a fence", ErrBadLock)
	case l.Fence > operation.MaxClock:
		return fmt.Errorf("%w: fence %d", ErrBadLock, l.Fence)
	}
	if _, err := task.ParseID(string(l.Task)); err != nil {
		return fmt.Errorf("%w: %w", ErrBadLock, err)
	}
	return nil
}
