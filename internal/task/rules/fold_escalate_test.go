package rules_test

import (
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

// trouble makes an operation about work that does not succeed, or about what a
// phase is.
func (w *world) trouble(t *rapid.T, c *clone, uid task.UID) {
	p, ok := c.state.Phase(uid)
	if !ok {
		return
	}
	switch rapid.IntRange(0, 9).Draw(t, "trouble") {
	case 0, 1:
		runs := []task.CommandRun{{Text: "true", Exit: rapid.IntRange(0, 1).Draw(t, "exit"), MS: 3}}
		clean := rapid.Bool().Draw(t, "clean")
		w.do(t, c, task.OpPhaseVerify, task.VerifyPayload{
			Phase: uid, Iteration: p.Iteration, Commit: commitB, Clean: clean,
			Commands: runs, MustEscalate: rapid.Bool().Draw(t, "spent"),
		})
	case 2:
		w.do(t, c, task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: uid, Verdict: task.ReviewApproved,
			Verified: PassedRun(c.state, p), User: rapid.Bool().Draw(t, "user"),
		})
	case 3:
		w.do(t, c, task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: uid, Verdict: task.ReviewChanges, Reason: "again",
			MustEscalate: true, User: rapid.Bool().Draw(t, "user"),
		})
	case 4:
		action := rapid.SampledFrom(actions).Draw(t, "action")
		w.do(t, c, task.OpPhaseEscalate, task.EscalatePayload{
			Phase:  uid,
			Ladder: rapid.SampledFrom(ladders).Draw(t, "ladder"), Action: action, Agreed: []string{"a", "b"},
		})
	case 5:
		w.do(t, c, task.OpPhaseError, task.AgentErrorPayload{
			Phase: uid, Iteration: p.Iteration, Agent: "developer",
			Text: "API error",
		})
	case 6:
		edit := task.PhaseEditPayload{
			Phase: uid,
			Tier: rapid.SampledFrom([]task.Tier{
				task.TierAuto, task.TierJunior, task.TierSenior, task.TierExecutive,
			}).Draw(t, "tier"),
			AddVerification: []string{"true"},
		}
		if n := len(c.state.Phases); n > 0 {
			edit.AddDependsOn = []task.UID{c.state.Phases[rapid.IntRange(0, n-1).Draw(t, "dependency")].UID}
		}
		w.do(t, c, task.OpPhaseEdit, edit)
	case 8, 9: // agents that end with errors, and what is done about it
		for range rapid.IntRange(1, 4).Draw(t, "failures") {
			w.do(t, c, task.OpPhaseStart, task.PhasePayload{Phase: uid, Commit: commitA})
			w.do(t, c, task.OpPhaseFail, task.PhaseReasonPayload{
				Phase: uid, Reason: "the API answered 500",
				MustEscalate: rapid.IntRange(0, 3).Draw(t, "spent") > 0,
			})
			action := rapid.SampledFrom(actions).Draw(t, "action")
			w.do(t, c, task.OpPhaseEscalate, task.EscalatePayload{
				Phase:  uid,
				Ladder: rapid.SampledFrom(ladders).Draw(t, "ladder"), Action: action, Agreed: []string{"a", "b"},
			})
		}
	case 7:
		w.do(t, c, task.OpPhaseEdit, task.PhaseEditPayload{
			Phase: uid, DropVerification: p.Verification,
			DropDependsOn: p.DependsOn, Title: "Edited",
		})
	}
}
