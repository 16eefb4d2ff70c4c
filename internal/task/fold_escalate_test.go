package task_test

import (
	. "github.com/git-brew/git-brew/internal/task"
	"pgregory.net/rapid"
)

// trouble makes an operation about work that does not succeed, or about what a
// phase is.
func (w *world) trouble(t *rapid.T, c *clone, uid UID) {
	p, ok := c.state.Phase(uid)
	if !ok {
		return
	}
	switch rapid.IntRange(0, 9).Draw(t, "trouble") {
	case 0, 1:
		runs := []CommandRun{{Text: "true", Exit: rapid.IntRange(0, 1).Draw(t, "exit"), MS: 3}}
		clean := rapid.Bool().Draw(t, "clean")
		w.do(t, c, OpPhaseVerify, VerifyPayload{Phase: uid, Iteration: p.Iteration, Commit: commitB, Clean: clean, Commands: runs, MustEscalate: rapid.Bool().Draw(t, "spent")})
	case 2:
		w.do(t, c, OpPhaseReview, PhaseReviewPayload{Phase: uid, Verdict: ReviewApproved, Verified: PassedRun(c.state, p), User: rapid.Bool().Draw(t, "user")})
	case 3:
		w.do(t, c, OpPhaseReview, PhaseReviewPayload{Phase: uid, Verdict: ReviewChanges, Reason: "again", MustEscalate: true, User: rapid.Bool().Draw(t, "user")})
	case 4:
		action := rapid.SampledFrom(EscalationActions).Draw(t, "action")
		w.do(t, c, OpPhaseEscalate, EscalatePayload{Phase: uid, Ladder: rapid.SampledFrom(LadderNames).Draw(t, "ladder"), Action: action, Agreed: []string{"a", "b"}})
	case 5:
		w.do(t, c, OpPhaseError, AgentErrorPayload{Phase: uid, Iteration: p.Iteration, Agent: "developer", Text: "API error"})
	case 6:
		edit := PhaseEditPayload{Phase: uid, Tier: rapid.SampledFrom(Tiers).Draw(t, "tier"), AddVerification: []string{"true"}}
		if n := len(c.state.Phases); n > 0 {
			edit.AddDependsOn = []UID{c.state.Phases[rapid.IntRange(0, n-1).Draw(t, "dependency")].UID}
		}
		w.do(t, c, OpPhaseEdit, edit)
	case 8, 9: // agents that end with errors, and what is done about it
		for range rapid.IntRange(1, 4).Draw(t, "failures") {
			w.do(t, c, OpPhaseStart, PhasePayload{Phase: uid, Commit: commitA})
			w.do(t, c, OpPhaseFail, PhaseReasonPayload{Phase: uid, Reason: "the API answered 500", MustEscalate: rapid.IntRange(0, 3).Draw(t, "spent") > 0})
			action := rapid.SampledFrom(EscalationActions).Draw(t, "action")
			w.do(t, c, OpPhaseEscalate, EscalatePayload{Phase: uid, Ladder: rapid.SampledFrom(LadderNames).Draw(t, "ladder"), Action: action, Agreed: []string{"a", "b"}})
		}
	case 7:
		w.do(t, c, OpPhaseEdit, PhaseEditPayload{Phase: uid, DropVerification: p.Verification, DropDependsOn: p.DependsOn, Title: "Edited"})
	}
}
