// Package next says what comes next for whoever asks, and who is asked for it.
package next

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Next says what comes next for whoever asks, and who is asked for it.
type Next struct {
	*change.Engine
	Pipelines *steps.Pipelines
	Sessions  *session.Sessions
}

// Step is what comes next for the caller, who knows the whole task: what Next
// says.
func (s *Next) Step(ctx context.Context, t task.Task) route.Step {
	return s.AskedBy(ctx, t, s.Unasked(ctx, t))
}

func (s *Next) Unasked(ctx context.Context, t task.Task) route.Step {
	who := s.Clone.Caller.Whose()
	if who.Worker == "" {
		return route.NextFor(t, who, nil)
	}
	lock, err := s.Records.LockBrief(ctx, t.ID)
	if err != nil {
		lock = lease.Lock{} // whoever changes something is told
	}
	return route.NextFor(t, who, route.Claimable(t, lock, s.Clone.Now()))
}

// AskedHere is what comes next for the agent's session here, with what waits for the
// user's trust: View knows of none.
func (s *Next) AskedHere(ctx context.Context, v session.AgentView) route.Step {
	step := s.waitsForLock(v.Lock, s.waitsForTrust(ctx, *v.Task, v.Raw)).For(session.AskerIn(v.Settings, true, v.Mode,
		v.Gated))
	if plan, err := s.Pipelines.StepPlan(ctx, *v.Task, step, steps.RunDefault); err == nil {
		return plan.AskFirst(step)
	}
	return step
}

// AskedBy is what comes next as it is for the caller: who is asked, and a command
// that they may type. What nobody can tell of the mode counts as discussion.
func (s *Next) AskedBy(ctx context.Context, t task.Task, step route.Step) route.Step {
	if step.Runs() && t.Status == task.InProgress && s.Clone.Running(ctx, t.ID) {
		step.Reason, step.Command = "workers are at it", "git brew status --watch"
		step.Ask = "Workers are at it. 'git brew status --watch', in a terminal, shows how it goes."
	}
	step = waitsForLimit(t, s.waitsForCode(ctx, t, step), s.Clone.Now())
	if s.Clone.Caller.Agent() || strings.HasPrefix(step.Command, "git brew verify") {
		step = s.waitsForTrust(ctx, t, step)
	}
	if s.Clone.Caller.Agent() {
		if l, err := s.Records.LockBrief(ctx, t.ID); err == nil {
			step = s.waitsForLock(l, step)
		}
	}
	here, err := s.Place.Here(ctx)
	elsewhere := err != nil || here != t.ID
	asker := route.Asker{Agent: s.Clone.Caller.Agent(), Closed: true}
	if set, err := s.Config.Settings(ctx); err == nil {
		mode, err := s.Sessions.Mode(ctx)
		if err != nil {
			mode.Mode = clone.ModeDiscussion
		}
		open := s.Sessions.Off(set) != "" || !session.Gated(set.Text(config.KeyGate), &t)
		asker = session.AskerIn(set, s.Clone.Caller.Agent(), mode.Mode, !open)
	}
	if elsewhere || s.judgedInTerminal(ctx, t, step) {
		asker.Praise = "" // a prompt is about the task here, and waits for no hook
	}
	step = step.For(asker)
	if elsewhere && s.Clone.Address != nil {
		name := s.Records.Name(ctx, t.ID)
		step.Command, step.Ask = s.Clone.Address(step.Command, name), s.Clone.Address(step.Ask, name)
		if strings.HasPrefix(step.Command, "git brew verify") && len(t.Services) == 0 {
			step.Command = "git brew switch " + name // it runs on the task's branch alone
		}
	}
	return step
}

// waitsForLimit says until when a run would wait for the client of the phase that it goes on with.
func waitsForLimit(t task.Task, step route.Step, now time.Time) route.Step {
	p, err := t.FindPhase(step.Phase)
	if err != nil || !step.Runs() || p.TierSince >= len(p.Turns) {
		return step
	}
	last := p.LastTurn()
	if until, ok := clone.ParseTime(last.Until); ok && last.Outcome == task.TurnLimited && until.After(now) {
		step.Reason += "; its client's limit lasts until " + until.In(now.Location()).Format("2006-01-02 15:04")
	}
	return step
}

// judgedInTerminal reports a verdict before which the pipeline runs something: a prompt
// does not wait for that.
func (s *Next) judgedInTerminal(ctx context.Context, t task.Task, step route.Step) bool {
	if step.Taker != route.TakerJudge || !s.Clone.Caller.Agent() {
		return false
	}
	plan, err := s.Pipelines.StepPlan(ctx, t, step, steps.RunDefault)
	return err == nil && slices.ContainsFunc(plan.Hooks, func(h steps.PlannedHook) bool { return h.When == pipeline.Pre })
}

// openSteps begin the commands that need no lock: what is said, judged or shown.
var openSteps = []string{
	"doc ", "question ", "report ", "remark ", "phase approve", "phase review", "verify", "escalate", "trust ",
	"pipeline show", "show ", "next ", "phase list",
}

// waitsForLock makes a step the user's where somebody else holds the lock that it needs, and
// says of a run, which the user begins, that this session lets go of the lock first.
func (s *Next) waitsForLock(l lease.Lock, step route.Step) route.Step {
	if me := s.Clone.Who(); step.Runs() && l.Held && l.Session != "" && l.Session == me.Session {
		step.Ask += " This session holds the lock: 'git brew pause' lets go of it first."
	}
	open := slices.ContainsFunc(openSteps, func(c string) bool { return strings.HasPrefix(step.Command, "git brew "+c) })
	if step.Command == "" || open || !l.Held || s.Locks.Stale(l) || s.Locks.Allows(l) == nil {
		return step
	}
	step.Reason = l.HolderTo(s.Clone.Who()) + " holds the lock"
	step.Taker, step.Command = route.TakerUser, "git brew lock show"
	step.Ask = step.Reason + ". Wait, or take it over with 'git brew start --steal', in a terminal?"
	return step
}

// waitsForCode makes a run, or the end, the user's where what runs did before is not in this
// clone: the code travels as branches do.
func (s *Next) waitsForCode(ctx context.Context, t task.Task, step route.Step) route.Step {
	work := s.Place.MissingWork
	switch {
	case step.Step == task.StepComplete && !t.Status.Terminal():
		work = s.Place.UnmergedWork
	case !step.Runs():
		return step
	}
	what, bring := work(ctx, t)
	if what == "" {
		return step
	}
	step.Step, step.Command, step.Skip, step.Taker = task.StepWait, "", "", route.TakerUser
	step.Reason = what + "; " + bring
	step.Ask = task.Sentence(what) + ". " + task.Sentence(bring) + ", in a terminal."
	return step
}

// waitsForTrust makes a step the user's where something that it runs waits for their
// trust.
func (s *Next) waitsForTrust(ctx context.Context, t task.Task, step route.Step) route.Step {
	if step.Taker != route.TakerWorker {
		return step
	}
	hold := func(why, command, trust string) route.Step {
		step.Taker, step.Command = route.TakerUser, command
		step.Ask = why + ". Is it trusted? '" + trust + "', in a terminal, says so."
		return step
	}
	if p, err := t.FindPhase(step.Phase); err == nil && strings.HasPrefix(step.Command, "git brew verify") {
		if untrusted, err := s.Records.UntrustedOf(ctx, rules.VerifyCommands(t, p)); err == nil && len(untrusted) > 0 {
			return hold(CommandsWait(len(untrusted), p)+" for the user's trust", "git brew trust list",
				"git brew trust add "+strings.Join(untrusted, " "))
		}
		return step
	}
	plan, err := s.Pipelines.StepPlan(ctx, t, step, steps.RunDefault)
	if err == nil && len(plan.Problems) > 0 {
		trust := "git brew trust add --all"
		if plan.Mend[0] != "git brew trust list" {
			trust = plan.Mend[0]
		}
		return hold(plan.Problems[0], plan.Mend[0], trust)
	}
	return step
}

// CommandsWait begins the sentence that commands of a phase wait for something.
func CommandsWait(n int, p task.Phase) string {
	return clone.Counted(n, "command of phase "+p.ID+" waits", "commands of phase "+p.ID+" wait")
}
