package records

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// PlanAsked is the file in the cache directory that holds what the plan of a task
// lacked, or planned, when it was last asked, and what came next: hooks ask at every
// call, and would read every document each time.
const PlanAsked = "plan-asked"

// askedPlan is what follows from a task's tip and from the rules alone, which are the
// program's.
type askedPlan struct {
	Program string       `json:"program"`
	Tip     string       `json:"tip"`
	Unready task.Unready `json:"unready"`
	Next    route.Step   `json:"next"`
}

// AskPlan completes a brief where what comes next hangs on what the plan lacks. The
// answer is kept where it is asked for again and again, for one task.
func (s *Records) AskPlan(ctx context.Context, tip gitstore.OID, b *Brief, keep bool) error {
	piece, _ := s.Clone.Repo.Cache.GetPiece(PlanAsked, statcache.Watch{})
	var a askedPlan
	if json.Unmarshal([]byte(piece), &a) == nil && a.Program == s.Clone.Program && a.Tip == tip.String() {
		b.Task.Unready, b.Next = a.Unready, a.Next
		return nil
	}
	var err error
	if b.Task.Unready, err = s.Unready(ctx, b.Task); err != nil {
		b.Task.Unready = task.Unready{}
		return nil //nolint:nilerr // who can't read the plan is not kept from what it has
	}
	if !b.Task.Unready.Empty() {
		t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw{}, tip)
		if err != nil {
			return fmt.Errorf("read task %s: %w", b.Task.ID, err)
		}
		t.Unready = b.Task.Unready
		b.Next = route.Next(t)
	}
	if !keep {
		return nil
	}
	data, err := json.Marshal(askedPlan{
		Program: s.Clone.Program, Tip: tip.String(), Unready: b.Task.Unready,
		Next: b.Next,
	})
	if err == nil {
		s.Clone.Repo.Cache.PutPiece(PlanAsked, statcache.Watch{}, data)
	}
	return nil
}
