package fleet

import (
	"context"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/task"
)

// commands verify phases: one that passes, and one that does not.
var commands = []string{"git version", "git rev-parse --verify nothing"}

// along goes on with a task as it stands, as most of what is done to one does:
// moves at random hardly get to where something is verified or escalated.
var along = move{"go on", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
	next, err := s.Work.Next(ctx, id)
	if err != nil {
		return err
	}
	phase := next.Step.Phase
	switch next.Step.Step {
	case task.StepStart:
		_, err = s.Work.Start(ctx, id, false, false)
	case task.StepPlan, task.StepExecute, task.StepRetry:
		if _, err = s.Phases.StartPhase(ctx, id, phase); err != nil {
			_, err = s.Phases.PhaseDone(ctx, id, phase)
		}
	case task.StepReview:
		_, err = s.Reviews.ReviewPhase(ctx, id, phase,
			pick(f, []task.Review{task.ReviewApproved, task.ReviewChanges, task.ReviewChanges}), "because")
	case task.StepRevise:
		_, err = s.Phases.RevisePhase(ctx, id, phase, "Mend it")
	case task.StepEscalate:
		_, err = s.Reviews.Escalate(ctx, id, f.escalation(phase))
	default:
		_, err = s.Work.SkipStep(ctx, id, next.Step.Step, "known well enough")
	}
	return err
}}

func (f *fleet) escalation(phase string) review.EscalateRequest {
	r := review.EscalateRequest{
		Phase: phase, Action: pick(f, []task.EscalationAction{
			task.ActionResearch, task.ActionSplit, task.ActionUpgrade,
			task.ActionReassign, task.ActionAsk,
		}),
		Agreed: []string{"developer", "reviewer", "tester"}[:f.dice.IntN(4)], Reason: "it does not come right",
	}
	switch r.Action {
	case task.ActionSplit:
		r.Into = []string{"Left", "Right"}
	case task.ActionReassign:
		r.Agents = []string{"developer"}
	case task.ActionResearch, task.ActionUpgrade, task.ActionAsk:
	}
	return r
}

// steeringMoves are what a task finds its way by: steps that are passed over,
// claims, verification, escalation, edits of phases.
var steeringMoves = []move{
	{"skip", func(ctx context.Context, _ *fleet, s *app.App, id task.ID) error {
		next, err := s.Work.Next(ctx, id)
		if err == nil {
			_, err = s.Work.SkipStep(ctx, id, next.Step.Step, "known well enough")
		}
		return err
	}},
	{"claim", func(ctx context.Context, f *fleet, s *app.App, id task.ID) error {
		_, err := s.Work.ClaimPhase(ctx, id, pick(f, words))
		return err
	}},
	onPhase("phase edit", func(ctx context.Context, f *fleet, s *app.App, id task.ID, ph string) error {
		var edit task.PhaseEditPayload
		var dependsOn []string
		switch f.dice.IntN(6) {
		case 0:
			edit.Title = pick(f, words)
		case 1:
			edit.Tier = pick(f, []task.Tier{task.TierJunior, task.TierSenior, task.TierExecutive})
		case 2:
			edit.AddAcceptance = []string{pick(f, words)}
		case 3:
			edit.DropAcceptance = []string{pick(f, words)}
		case 4:
			edit.AddVerification = []string{pick(f, commands)}
		case 5:
			dependsOn = []string{f.anyPhase(ctx, s, id)}
		}
		_, err := s.Phases.EditPhase(ctx, id, ph, edit, dependsOn, nil)
		return err
	}),
	onPhase("verify", func(ctx context.Context, f *fleet, s *app.App, id task.ID, ph string) error {
		// One that has no command gets one, where that is allowed.
		_, _ = s.Phases.EditPhase(ctx, id, ph, task.PhaseEditPayload{AddVerification: []string{pick(f, commands)}}, nil, nil)
		_, err := s.Reviews.Verify(ctx, id, ph, nil)
		return err
	}),
	onPhase("escalate", func(ctx context.Context, f *fleet, s *app.App, id task.ID, phase string) error {
		_, err := s.Reviews.Escalate(ctx, id, f.escalation(phase))
		return err
	}),
}
