package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// userWords keeps count of the user's rejections and of work begun, by the number of
// operations then, as the rule says it in docs/using/verification.md.
type userWords struct {
	rejected, begun map[task.UID]int
}

// said notes an operation that was applied to t.
func (k userWords) said(t task.Task, op operation.Operation, p task.Phase, review task.PhaseReviewPayload, at int) {
	of := p.UID
	if p.Kind == task.KindVerification {
		of = p.Parent
	}
	switch {
	case op.Kind == task.OpPhaseStart:
		k.begun[p.UID] = at
	case op.Kind != task.OpPhaseReview || !review.User:
	case review.Verdict == task.ReviewChanges:
		k.rejected[of] = at
	default:
		for _, q := range t.Phases {
			if q.UID == of || q.Kind == task.KindFix && (q.Parent == of || q.Fixes == of) {
				delete(k.rejected, q.UID)
			}
		}
	}
}

// stands: the user has rejected p, or a fix of it, and nothing of it that was begun since
// is done in t.
func (k userWords) stands(t task.Task, p task.Phase) bool {
	at, answered := k.rejected[p.UID], k.begun[p.UID]
	for _, q := range t.Phases {
		if (q.Parent != p.UID && q.Fixes != p.UID) || q.Kind != task.KindFix && q.Kind != task.KindSplit {
			continue
		}
		if q.Kind == task.KindFix {
			at = max(at, k.rejected[q.UID])
		}
		if q.Status == task.PhaseCompleted {
			answered = max(answered, k.begun[q.UID])
		}
	}
	return at > answered
}

// kept: where the user's rejection stands, its phase is neither completed now nor up for
// review.
func (k userWords) kept(r *rapid.T, was, t task.Task) {
	for _, p := range t.Phases {
		before, _ := was.Phase(p.UID)
		switch stands := k.stands(t, p); {
		case !stands:
		case p.Status == task.PhaseCompleted && before.Status != task.PhaseCompleted:
			r.Fatalf("phase %s was completed, and the user's rejection stands\n%s", p.ID, phasesOf(t))
		case p.Status == task.PhaseInReview && p.Review != task.ReviewChanges:
			r.Fatalf("phase %s is up for review, and the user's rejection stands\n%s", p.ID, phasesOf(t))
		}
	}
}

// BC-36, SP-11: whatever agents do after the user's rejection, none completes the
// phase unless work on it, or on a part or a fix of it that is done then, was begun since.
func TestPhaseReview_BC36_SP11_noWayAround(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := started(t)
		s.add(task.PhaseAddPayload{})
		k := userWords{map[task.UID]int{}, map[task.UID]int{}}
		for range rapid.IntRange(10, 60).Draw(r, "length") {
			p := rapid.SampledFrom(s.t.Phases).Draw(r, "phase")
			review := task.PhaseReviewPayload{
				Phase: p.UID, Verdict: task.ReviewApproved, Reason: "no",
				User: rapid.IntRange(0, 3).Draw(r, "user") == 0,
			}
			does := func(kind operation.Kind, payload any) bool {
				op := s.next(kind, payload)
				was := s.t
				if _, applied := Apply(was, op, s.texts); !applied {
					return false
				}
				s.force(op)
				k.said(was, op, p, review, len(s.nodes))
				k.kept(r, was, s.t)
				return true
			}
			work := task.PhasePayload{Phase: p.UID}
			switch rapid.IntRange(0, 7).Draw(r, "what") {
			case 0, 1, 2: // one or several steps on the way to the end
				_ = (does(task.OpPhaseStart, work) || p.Status == task.PhaseInProgress) &&
					rapid.IntRange(0, 3).Draw(r, "executed") > 0 && does(task.OpPhaseDone, work) &&
					rapid.IntRange(0, 3).Draw(r, "reviewed") > 0 && does(task.OpPhaseReview, review)
			case 3:
				does(task.OpPhaseReview, review)
			case 4:
				review.Verdict = task.ReviewChanges
				does(task.OpPhaseReview, review)
			case 5:
				does(task.OpPhaseAdd, task.PhaseAddPayload{
					Title: "x",
					Kind: rapid.SampledFrom([]task.PhaseKind{
						task.KindFix, task.KindFix, task.KindSplit,
						task.KindVerification,
					}).Draw(r, "kind"), Parent: p.UID,
				})
			case 6:
				does(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p.UID, Reason: "no"})
			case 7:
				does(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p.UID, Reason: "no"})
			}
		}
	})
}
