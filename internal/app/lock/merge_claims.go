package lock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// recordLostClaims records on the task that claims made here gave way, those under which
// something guarded was done. It reports whether there were any. A task whose
// history can't be read here is left alone; where it could not be written, the
// lock is looked at again by the next sync.
func (m *lockMerge) recordLostClaims(ctx context.Context) (work bool, err error) {
	if len(m.claims) == 0 {
		return false, nil
	}
	ref := ledger.TaskRef(string(m.id))
	tip, err := m.tx.Tip(ctx, ref)
	if err != nil || tip.IsZero() {
		return false, err
	}
	from, err := m.fenceThere(ctx)
	if err != nil {
		return false, err
	}
	drafts, err := m.drafts(ctx, tip, from)
	if err == nil && len(drafts) > 0 {
		var t task.Task
		if t, err = ledger.Load(ctx, m.s.Clone.Ledger, records.TaskLaw(), tip); err == nil {
			_, err = ledger.Append(ctx, m.tx, records.TaskLaw(), ref, t, ledger.Stamp{Session: m.s.Clone.Caller.Session},
				drafts...)
		}
	}
	if unfolded(err) && ctx.Err() == nil {
		m.notes = append(m.notes, fmt.Sprintf("what was done in %s under its former lock could not be looked at: %v",
			m.id.Slug(), err))
		return false, nil
	}
	return len(drafts) > 0, err
}

// unfolded reports whether an error says that a task's history is damaged, not
// all here, or a newer program's.
func unfolded(err error) bool {
	if errors.Is(err, gitstore.ErrPromised) {
		return false // its remote brings the rest
	}
	return ledger.Damaged(err) || records.NewerFormat(err) || errors.Is(err, ledger.ErrShallow) ||
		errors.Is(err, task.ErrCorrupt)
}

// drafts are the operations that say which claims gave way.
func (m *lockMerge) drafts(ctx context.Context, tip gitstore.OID, from uint64) ([]ledger.Draft, error) {
	steps, err := m.s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return nil, err
	}
	seen, err := m.seenThere(ctx)
	if err != nil {
		return nil, err
	}
	var drafts []ledger.Draft
	for _, c := range m.claims {
		if !slices.ContainsFunc(steps, func(s ledger.Step) bool {
			return s.Op != nil && s.Op.Fence == c.fence && s.Op.Claim == c.oid && rules.Guarded(s.Op.Kind) &&
				!(c.shared && seen[s.Op.ID])
		}) {
			continue
		}
		p := task.LockLostPayload{Fence: c.fence, Claim: c.oid, To: records.ClaimOf(m.other, m.theirs), ToFence: from}
		if c.shared {
			p.ToFence = max(m.other.Fence, c.fence+1) // what the fences say already
		}
		if m.other.Held {
			p.Holder = m.other.Holder()
		}
		drafts = append(drafts, ledger.Draft{Kind: task.OpLockLost, Payload: p})
	}
	return drafts, nil
}

// seenThere are the operations of the task that the arbiter had when it was
// last asked, where that matters.
func (m *lockMerge) seenThere(ctx context.Context) (map[operation.ID]bool, error) {
	if !slices.ContainsFunc(m.claims, func(c lockClaim) bool { return c.shared }) {
		return nil, nil
	}
	tip, err := m.s.Clone.Ledger.Tip(ctx, m.remote.Seen(ledger.TaskRef(string(m.id))))
	if err != nil || tip.IsZero() {
		return nil, err
	}
	steps, err := m.s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return nil, err
	}
	seen := map[operation.ID]bool{}
	for _, s := range steps {
		if s.Op != nil {
			seen[s.Op.ID] = true
		}
	}
	return seen, nil
}

// fenceThere is the lowest fence that the lock had at the arbiter since both
// sides went apart: what was made under it counts before what was made here.
func (m *lockMerge) fenceThere(ctx context.Context) (uint64, error) {
	if m.base.IsZero() {
		return 1, nil
	}
	l, err := records.FreeIfUnread(m.s.Records.ReadLock(ctx, m.base))
	if err != nil || l.Held {
		return max(l.Fence, 1), err
	}
	return l.Fence + 1, nil
}
