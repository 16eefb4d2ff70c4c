package app

import (
	"context"
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// S-14: an operation of the task has a fence that no claim here ever had, far
// above: another arbiter's, or somebody made it by hand. Whoever holds the lock
// here claims it anew with the next start, for the same session; what was done
// then counts beside what goes on from that operation, and others accept the
// lock.
func TestStart_S14_aboveEveryFenceOfTheTask(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(w *table, s *App) error{
		"start": func(w *table, s *App) error {
			_, err := s.Work.Start(t.Context(), w.id, false, false)
			return err
		},
		"acquire": func(w *table, s *App) error {
			_, err := s.Claims.AcquireLock(t.Context(), w.id)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTable(t)
			a := w.as("a", "one")
			w.must(a.Work.Start(t.Context(), w.id, false, false))
			const high = 3 << 20
			under := func(fence uint64, title string) {
				t.Helper()
				w.must(nil, a.Clone.Ledger.Change(t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
					c := &change.Tx{Engine: a.Engine, Ledger: tx, ID: w.id}
					if err := c.Read(ctx); err != nil {
						return err
					}
					_, err := ledger.Append(ctx, tx, records.TaskLaw(), ledger.TaskRef(string(w.id)), c.Task,
						ledger.Stamp{Session: "else", Fence: fence, Claim: "1111111111111111111111111111111111111111"},
						ledger.Draft{Kind: task.OpPhaseAdd, Payload: task.PhaseAddPayload{Title: title, Kind: task.KindExecution}})
					return err
				}))
			}
			for fence := uint64(1 << 20); fence <= high; fence += 1 << 20 {
				under(fence, "by a stranger")
			}
			before := w.lock()
			met := w.now()
			ours := w.apart(met, func() {
				w.must(nil, again(w, a))
				w.addPhase(a, "by the holder")
			})
			after := w.lock()
			if after.Fence != high+1 || after.Nonce == before.Nonce || after.Session != "one" ||
				after.AcquiredAt != before.AcquiredAt || !after.Held {
				t.Errorf("the lock is %+v", after)
			}
			if err := w.as("b", "").Locks.AcceptLock(t.Context(), w.id, met.lock, ours.lock); err != nil {
				t.Errorf("elsewhere: %v", err)
			}
			w.must(nil, again(w, a))
			if l := w.lock(); l.Fence != after.Fence {
				t.Errorf("claimed anew without need, under %d", l.Fence)
			}
			theirs := w.apart(met, func() { under(high, "further") })
			w.put(ours)
			w.must(nil, a.Clone.Ledger.Change(t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
				next, _, err := ledger.Merge(ctx, tx, records.TaskLaw(), ours.task, theirs.task)
				if err != nil {
					return err
				}
				return tx.Move(ctx, ledger.TaskRef(string(w.id)), next)
			}))
			if all := titles(w.task()); !slices.Contains(all, "by the holder") {
				t.Errorf("what the holder did is void: %q", all)
			}
		})
	}
}
