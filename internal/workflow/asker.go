package workflow

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// asker is whoever asks what comes next, in a work tree of a mode where the gate is
// in force or not.
func (s *Service) asker(set *Settings, agent bool, mode Mode, gated bool) task.Asker {
	a := task.Asker{Agent: agent, Closed: gated && mode == ModeDiscussion, Judges: set.Text(KeyReviewBy) == ReviewByAgent}
	if phrases := set.List(KeyTriggerApprove); len(phrases) > 0 {
		a.Praise = phrases[0]
	}
	if phrases := set.List(KeyTrigger); len(phrases) > 0 {
		a.Agree = phrases[0]
	}
	return a
}

// AskedHere is what comes next for the agent's session here, with what waits for the
// user's trust: View knows of none.
func (s *Service) AskedHere(ctx context.Context, v AgentView) task.Step {
	step := s.waitsForTrust(ctx, *v.Task, v.raw).For(s.asker(v.Settings, true, v.Mode, v.Gated))
	if plan, err := s.StepPlan(ctx, *v.Task, step, RunDefault); err == nil {
		return plan.AskFirst(step)
	}
	return step
}

// AskFirst is a step of an agent's as it is where the pipeline pauses before it: the
// user is asked, and then the agent types what it was told.
func (p StepPlan) AskFirst(step task.Step) task.Step {
	if p.Pause && step.Needs == task.AskedAgent {
		step.Needs, step.Ask = task.AskedUser, "The pipeline pauses before this step: "+strings.TrimRight(step.Reason, ".")+". Go on?"
	}
	return step
}

// askedBy is what comes next as it is for the caller: who is asked, and a command
// that they may type. What nobody can tell of the mode counts as discussion.
func (s *Service) askedBy(ctx context.Context, t task.Task, step task.Step) task.Step {
	if s.caller.agent() {
		step = s.waitsForTrust(ctx, t, step)
	}
	if here, err := s.Here(ctx); s.address != nil && (err != nil || here != t.ID) {
		name := s.Name(ctx, t.ID)
		step.Command, step.Ask = s.address(step.Command, name), s.address(step.Ask, name)
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return step.For(task.Asker{Agent: s.caller.agent(), Closed: true})
	}
	mode, err := s.Mode(ctx)
	if err != nil {
		mode.Mode = ModeDiscussion
	}
	open := s.off(set) != "" || !gated(set.Text(KeyGate), &t)
	return step.For(s.asker(set, s.caller.agent(), mode.Mode, !open))
}

// waitsForTrust makes a step the user's where something that it runs waits for their
// trust.
func (s *Service) waitsForTrust(ctx context.Context, t task.Task, step task.Step) task.Step {
	if step.Taker != task.TakerWorker {
		return step
	}
	hold := func(why, command string) task.Step {
		step.Taker, step.Command = task.TakerUser, command
		step.Ask = why + ". Is it trusted? '" + command + "' shows it."
		return step
	}
	if p, err := t.FindPhase(step.Phase); err == nil && strings.HasPrefix(step.Command, "git brew verify") {
		if untrusted, err := s.untrustedOf(ctx, task.VerifyCommands(t, p)); err == nil && len(untrusted) > 0 {
			return hold(commandsWait(len(untrusted), p)+" for the user's trust", "git brew trust list")
		}
		return step
	}
	plan, err := s.StepPlan(ctx, t, step, RunDefault)
	if mend := plan.Mend(); err == nil && len(plan.Problems) > 0 && len(mend) > 0 {
		return hold(plan.Problems[0], mend[0])
	}
	return step
}
