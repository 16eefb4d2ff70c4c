package rules_test

import (
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// fork makes an operation by somebody who had seen only the first n nodes.
func (s *story) fork(n int, kind operation.Kind, payload any, fence uint64) operation.Node {
	s.Helper()
	seen := Fold(s.nodes[:n], s.texts)
	op := s.next(kind, payload)
	op.ID, op.Clock, op.Fence = testUID(1000+s.minute), seen.Clock+1, fence
	if fence > 0 {
		op.Claim = commitA
	}
	return operation.Node{Op: op, Parents: []int{n - 1}}
}

// S-6: an edit that had not seen the delete revives the task; one that comes
// after it does not.
func TestFold_S6_editRevives(t *testing.T) {
	t.Parallel()
	s := started(t)
	seen := len(s.nodes)
	s.do(task.OpDelete, task.EmptyPayload{})
	if !Fold(s.nodes, s.texts).Deleted {
		t.Fatal("not deleted")
	}
	edit := s.fork(seen, task.OpEdit, task.EditPayload{Title: "Still wanted"}, 0)
	got := Fold(append(slices.Clone(s.nodes), edit), s.texts)
	if got.Deleted || got.Title != "Still wanted" {
		t.Errorf("deleted %t, title %q", got.Deleted, got.Title)
	}
}

// S-12, S-14: what a holder did under a lock that somebody else had taken is
// void; what is open to everyone stays.
func TestFold_S14_lostLock(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	seen := len(s.nodes)
	lost := s.fork(seen, task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "gave up"}, 1)
	lost.Op.Clock += 5
	learned := s.fork(seen, task.OpKnowledgeAdd,
		task.KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "kept"}, 1)
	newer := s.fork(seen, task.OpPhaseStart, task.PhasePayload{Phase: p}, 2)
	for _, nodes := range [][]operation.Node{{lost, learned, newer}, {newer, learned, lost}} {
		got := Fold(append(slices.Clone(s.nodes), nodes...), s.texts)
		phase, _ := got.Phase(p)
		highest := max(lost.Op.Clock, learned.Op.Clock, newer.Op.Clock)
		if phase.Status != task.PhaseInProgress || len(got.Knowledge) != 1 || got.Fence != 2 || got.Clock != highest {
			t.Errorf("phase %s, %d entries, fence %d, clock %d", phase.Status, len(got.Knowledge), got.Fence, got.Clock)
		}
	}
}

// A verdict needs no lock: whoever holds one, and whatever the holder does beside it,
// it counts for the iteration that its author looked at, and for no other.
func TestFold_S14_verdictOfSomebodyWithoutTheLock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		verdict   task.PhaseReviewPayload
		holder    func(s *story, p task.UID) // meanwhile, before it in the order
		status    task.PhaseStatus
		review    task.Review
		iteration int
	}{
		"approved, beside a plan": {
			task.PhaseReviewPayload{Verdict: task.ReviewApproved, Iteration: 1},
			func(s *story, _ task.UID) {
				s.add(task.PhaseAddPayload{})
			}, task.PhaseCompleted, task.ReviewApproved, 1,
		},
		"rejected, beside a plan": {
			task.PhaseReviewPayload{Verdict: task.ReviewChanges, Iteration: 1, Reason: "slow"},
			func(s *story, _ task.UID) {
				s.add(task.PhaseAddPayload{})
			}, task.PhaseInReview, task.ReviewChanges, 1,
		},
		"worked on again by then": {
			task.PhaseReviewPayload{Verdict: task.ReviewApproved, Iteration: 1},
			func(s *story, p task.UID) {
				s.do(task.OpPhaseReview, task.PhaseReviewPayload{
					Phase: p, Verdict: task.ReviewChanges, Iteration: 1,
					Reason: "wrong",
				})
				s.do(task.OpPhaseStart, task.PhasePayload{Phase: p})
			}, task.PhaseInProgress, task.ReviewNone, 2,
		},
		"another iteration is in review": {
			task.PhaseReviewPayload{Verdict: task.ReviewApproved, Iteration: 1},
			func(s *story, p task.UID) {
				s.do(task.OpPhaseReview, task.PhaseReviewPayload{
					Phase: p, Verdict: task.ReviewChanges, Iteration: 1,
					Reason: "wrong",
				})
				s.do(task.OpPhaseStart, task.PhasePayload{Phase: p})
				s.do(task.OpPhaseDone, task.PhasePayload{Phase: p})
			}, task.PhaseInReview, task.ReviewNone, 2,
		},
	} {
		s := started(t)
		p := s.addExecuted(task.PhaseAddPayload{})
		seen := len(s.nodes)
		tt.verdict.Phase = p
		verdict := s.fork(seen, task.OpPhaseReview, tt.verdict, 0)
		tt.holder(s, p)
		for i := seen; i < len(s.nodes); i++ { // the holder, under a lock
			s.nodes[i].Op.Fence, s.nodes[i].Op.Claim = 7, commitB
		}
		verdict.Op.Clock += 10
		got, _ := Fold(append(slices.Clone(s.nodes), verdict), s.texts).Phase(p)
		if got.Status != tt.status || got.Review != tt.review || got.Iteration != tt.iteration {
			t.Errorf("%s: %s, %q, iteration %d", name, got.Status, got.Review, got.Iteration)
		}
	}
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	s.refused(task.CodeTransition, task.OpPhaseReview,
		task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved, Iteration: 2})
}

// S-5: two machines add a fix to one phase, and both stay, under ids of their
// own.
func TestFold_S5_twoChildren(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	seen := len(s.nodes)
	a := s.fork(seen, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Here", Kind: task.KindFix, Parent: p}, 0)
	b := s.fork(seen, task.OpPhaseAdd, task.PhaseAddPayload{Title: "There", Kind: task.KindFix, Parent: p}, 0)
	for _, nodes := range [][]operation.Node{{a, b}, {b, a}} {
		got := Fold(append(slices.Clone(s.nodes), nodes...), s.texts)
		if len(got.Phases) != 3 || got.Phases[1].ID != "1.1" || got.Phases[2].ID != "1.2" || got.Phases[1].Title != "Here" {
			t.Errorf("phases %+v", got.Phases)
		}
	}
}

// A thousand phases below one another would make every climb a thousand steps.
func TestPhaseAdd_depthIsBounded(t *testing.T) {
	t.Parallel()
	s := started(t)
	at := s.add(task.PhaseAddPayload{})
	for range task.MaxDepth {
		at = s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: at})
	}
	s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", Kind: task.KindSplit, Parent: at})
	s.superseded(task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", Kind: task.KindSplit, Parent: at})
}

// Fold is how the ledger folds a record of this law: Apply on each operation
// that counts, in order, from nothing.
func Fold(nodes []operation.Node, texts task.Texts) task.Task {
	var t task.Task
	ops, _ := operation.Ordered(nodes, Rules(), nil)
	for _, op := range ops {
		t, _ = Apply(t, op, texts)
	}
	for _, n := range nodes { // void operations were seen, too
		t.Clock = max(t.Clock, n.Op.Clock)
	}
	return t
}
