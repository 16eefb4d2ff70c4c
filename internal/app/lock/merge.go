package lock

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// lockMerge is a lock that is not the same here and at the arbiter.
type lockMerge struct {
	s      *Locks
	tx     *ledger.Tx
	remote refsync.Remote
	id     task.ID
	ref    gitstore.RefName
	// The tips and states of both sides; base is what both had last.
	ours, theirs, base gitstore.OID
	mine, other        lease.Lock
	// claims are those made here since base, and the one that is held here.
	claims []lockClaim
	notes  []string
}

type lockClaim struct {
	fence uint64
	oid   string
	// shared: the arbiter had it once, so only what it has not seen of the work
	// under it is at stake.
	shared bool
}

// SettleLock decides what becomes of a lock that is not the same here and at
// the arbiter, remote. What follows from the other side's goes on. Where both
// went on apart, the arbiter's holds; only where it is free there, and held
// here, it is claimed again on top of it. A lock that was let go here is given
// back behind what was done under it. Whoever held here and does no more is
// told by the next hook (see markLost), and the task's record says which claims
// gave way, so that what was done under the arbiter's is not void by them.
func (s *Locks) SettleLock(ctx context.Context, tx *ledger.Tx, remote refsync.Remote, id task.ID, ours,
	theirs gitstore.OID,
) (refsync.Settlement, error) {
	m := &lockMerge{s: s, tx: tx, remote: remote, id: id, ref: ledger.LockRef(string(id)), ours: ours, theirs: theirs}
	if err := m.read(ctx); err != nil {
		return refsync.Settlement{}, err
	}
	switch {
	case theirs.IsZero(), !ours.IsZero() && m.base == theirs:
		return refsync.Settlement{Outcome: m.ahead(), There: ours, Late: !m.mine.Held}, nil
	case ours.IsZero():
		return m.follow(ctx, refsync.New)
	case m.base == ours:
		return m.follow(ctx, refsync.FastForwarded)
	case m.mine.Held && !m.other.Held && !lease.Stale(m.mine, s.Clone.Now()) && m.mine.Clone == s.Clone.ID:
		return m.reclaim(ctx)
	case records.SameClaim(m.mine, m.other) && m.other.Held && m.mine.Event == lease.LockReleased:
		return m.releaseAgain(ctx)
	}
	return m.follow(ctx, refsync.FastForwarded)
}

func (m *lockMerge) read(ctx context.Context) error {
	var err error
	for _, side := range []struct {
		tip gitstore.OID
		to  *lease.Lock
	}{{m.ours, &m.mine}, {m.theirs, &m.other}} {
		if side.tip.IsZero() {
			continue
		}
		if *side.to, err = records.FreeIfUnread(m.s.Records.ReadLock(ctx, side.tip)); err != nil {
			return fmt.Errorf("read the lock of %s: %w", m.id, err)
		}
	}
	if m.ours.IsZero() || m.theirs.IsZero() {
		return nil
	}
	var since []gitstore.OID
	if m.base, since, err = m.s.Records.LastCommon(ctx, m.ours, m.theirs); err != nil || m.base == m.theirs {
		return err
	}
	return m.readClaims(ctx, since)
}

// readClaims finds the claims made here that the arbiter does not know, and the
// one that is held here.
func (m *lockMerge) readClaims(ctx context.Context, since []gitstore.OID) error {
	for _, at := range since {
		l, err := m.s.Records.LockAt(ctx, at)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // what is no lock claims nothing
		}
		if l.Clone == m.s.Clone.ID && records.NewClaim(l) {
			m.claims = append(m.claims, lockClaim{fence: l.Fence, oid: at.String()})
		}
	}
	if oid := records.ClaimOf(m.mine, m.ours); m.gone() &&
		!slices.ContainsFunc(m.claims, func(c lockClaim) bool { return c.oid == oid }) {
		m.claims = append(m.claims, lockClaim{fence: m.mine.Fence, oid: oid, shared: true})
	}
	return nil
}

// gone reports whether the lock is held here, on this clone, and by somebody
// else or nobody at the arbiter.
func (m *lockMerge) gone() bool {
	if !m.mine.Held || m.mine.Clone != m.s.Clone.ID {
		return false
	}
	still := m.other.Held && m.other.Clone == m.s.Clone.ID && m.other.Session == m.mine.Session
	return !still && !(m.other.Held && records.SameClaim(m.mine, m.other))
}

// ahead names what the arbiter is to learn: a claim, or what became of one.
func (m *lockMerge) ahead() refsync.Outcome {
	if m.mine.Held && m.mine.Clone == m.s.Clone.ID && !records.SameClaim(m.mine, m.other) {
		return refsync.LockConfirmed
	}
	return refsync.Ahead
}

// follow takes what the arbiter has.
func (m *lockMerge) follow(ctx context.Context, how refsync.Outcome) (refsync.Settlement, error) {
	if err := m.tx.Move(ctx, m.ref, m.theirs); err != nil {
		return refsync.Settlement{}, err
	}
	work, err := m.recordLostClaims(ctx)
	if err != nil {
		return refsync.Settlement{}, err
	}
	if m.gone() {
		how = refsync.LockLost
		note := fmt.Sprintf("%s is not held here any more: its lock is free", m.id.Slug())
		if m.other.Held {
			note = fmt.Sprintf("%s is held by %s", m.id.Slug(), m.other.Holder())
		}
		m.notes = append(m.notes, note)
		if err := m.s.markLost(ctx, m.tx, m.mine, clone.NewLostLock(m.id, m.mine, m.other, work)); err != nil {
			return refsync.Settlement{}, err
		}
	}
	if m.other.Held && m.other.Clone != m.s.Clone.ID {
		m.tx.After(func(context.Context) { m.s.observe(m.id, m.theirs) })
	}
	return refsync.Settlement{Outcome: how, There: m.theirs, Notes: m.notes}, nil
}

// reclaim claims the lock again, for who holds it here, where there is a higher fence.
func (m *lockMerge) reclaim(ctx context.Context) (refsync.Settlement, error) {
	nonce, err := operation.NewID(m.s.Clone.Random)
	if err != nil {
		return refsync.Settlement{}, err
	}
	next, err := lease.Reclaim(m.other, m.mine, string(nonce), m.s.Clone.Now())
	if err != nil {
		return m.follow(ctx, refsync.FastForwarded)
	}
	work, err := m.recordLostClaims(ctx)
	if err != nil {
		return refsync.Settlement{}, err
	}
	if work {
		lost := clone.NewLostLock(m.id, m.mine, m.other, true)
		lost.Again = true
		if err := m.s.markLost(ctx, m.tx, m.mine, lost); err != nil {
			return refsync.Settlement{}, err
		}
		m.notes = append(m.notes, m.id.Slug()+
			" was held elsewhere meanwhile; what was done there counts, and here its lock is held again")
	}
	tip, err := m.put(ctx, next)
	return refsync.Settlement{Outcome: refsync.LockConfirmed, There: tip, Notes: m.notes}, err
}

// releaseAgain releases on top of what the arbiter has: the claim that was
// released here is still held there.
func (m *lockMerge) releaseAgain(ctx context.Context) (refsync.Settlement, error) {
	if _, err := m.recordLostClaims(ctx); err != nil {
		return refsync.Settlement{}, err
	}
	tip, err := m.put(ctx, lease.Release(m.other, m.s.Clone.Now()))
	return refsync.Settlement{Outcome: refsync.Ahead, There: tip, Late: true, Notes: m.notes}, err
}

// put stages the lock's next state on top of the arbiter's.
func (m *lockMerge) put(ctx context.Context, next lease.Lock) (gitstore.OID, error) {
	if err := m.tx.Move(ctx, m.ref, m.theirs); err != nil {
		return gitstore.OID{}, err
	}
	if _, _, err := m.s.Stage(ctx, m.tx, m.id, records.ClaimOf(m.other, m.theirs), next); err != nil {
		return gitstore.OID{}, err
	}
	return m.tx.Tip(ctx, m.ref)
}
