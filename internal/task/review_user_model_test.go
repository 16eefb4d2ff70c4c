package task_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
)

// userWords keeps count of the user's rejections and of work begun, by the number of
// operations then, as the rule says it in docs/using/verification.md.
type userWords struct {
	rejected, begun map[UID]int
}

// said notes an operation that was applied to t.
func (k userWords) said(t Task, op operation.Operation, p Phase, review PhaseReviewPayload, at int) {
	of := p.UID
	if p.Kind == KindVerification {
		of = p.Parent
	}
	switch {
	case op.Kind == OpPhaseStart:
		k.begun[p.UID] = at
	case op.Kind != OpPhaseReview || !review.User:
	case review.Verdict == ReviewChanges:
		k.rejected[of] = at
	default:
		for _, q := range t.Phases {
			if q.UID == of || q.Kind == KindFix && (q.Parent == of || q.Fixes == of) {
				delete(k.rejected, q.UID)
			}
		}
	}
}

// stands: the user has rejected p, or a fix of it, and nothing of it that was begun since
// is done in t.
func (k userWords) stands(t Task, p Phase) bool {
	at, answered := k.rejected[p.UID], k.begun[p.UID]
	for _, q := range t.Phases {
		if (q.Parent != p.UID && q.Fixes != p.UID) || q.Kind != KindFix && q.Kind != KindSplit {
			continue
		}
		if q.Kind == KindFix {
			at = max(at, k.rejected[q.UID])
		}
		if q.Status == PhaseCompleted {
			answered = max(answered, k.begun[q.UID])
		}
	}
	return at > answered
}

// kept: where the user's rejection stands, its phase is neither completed now nor up for
// review.
func (k userWords) kept(r *rapid.T, was, t Task) {
	for _, p := range t.Phases {
		before, _ := was.Phase(p.UID)
		switch stands := k.stands(t, p); {
		case !stands:
		case p.Status == PhaseCompleted && before.Status != PhaseCompleted:
			r.Fatalf("phase %s was completed, and the user's rejection stands\n%s", p.ID, phasesOf(t))
		case p.Status == PhaseInReview && p.Review != ReviewChanges:
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
		s.add(PhaseAddPayload{})
		k := userWords{map[UID]int{}, map[UID]int{}}
		for range rapid.IntRange(10, 60).Draw(r, "length") {
			p := rapid.SampledFrom(s.t.Phases).Draw(r, "phase")
			review := PhaseReviewPayload{Phase: p.UID, Verdict: ReviewApproved, Reason: "no", User: rapid.IntRange(0, 3).Draw(r, "user") == 0}
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
			work := PhasePayload{Phase: p.UID}
			switch rapid.IntRange(0, 7).Draw(r, "what") {
			case 0, 1, 2: // one or several steps on the way to the end
				_ = (does(OpPhaseStart, work) || p.Status == PhaseInProgress) && rapid.IntRange(0, 3).Draw(r, "executed") > 0 && does(OpPhaseDone, work) &&
					rapid.IntRange(0, 3).Draw(r, "reviewed") > 0 && does(OpPhaseReview, review)
			case 3:
				does(OpPhaseReview, review)
			case 4:
				review.Verdict = ReviewChanges
				does(OpPhaseReview, review)
			case 5:
				does(OpPhaseAdd, PhaseAddPayload{Title: "x", Kind: rapid.SampledFrom([]PhaseKind{KindFix, KindFix, KindSplit, KindVerification}).Draw(r, "kind"), Parent: p.UID})
			case 6:
				does(OpPhaseReset, PhaseReasonPayload{Phase: p.UID, Reason: "no"})
			case 7:
				does(OpPhaseFail, PhaseReasonPayload{Phase: p.UID, Reason: "no"})
			}
		}
	})
}
