package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// validPassed: it is a step that can be skipped, of the main pipeline or the plan of
// a phase that t has.
func validPassed(p task.Passed, t task.Task) bool {
	switch {
	case p.Lacks < 0 || p.Lacks > task.MaxUnready || p.Lacks > 0 && p.Phase != "":
		return false
	case p.Lacks > 0:
		return p.Step == task.StepPlan
	case p.Phase != "":
		return p.Step == task.StepPlan && t.PhaseIndex(p.Phase) >= 0
	}
	return slices.ContainsFunc(task.SkipStages, func(s task.StepOfStage) bool { return s.Step == p.Step })
}

// Skipped is the last skip of a step that still holds: of the main pipeline
// where the phase is none, else of that phase's plan.
func Skipped(t task.Task, step string, p task.Phase) (task.Skip, bool) {
	for _, k := range slices.Backward(t.Skips) {
		if k.Step != step || k.Phase != p.UID || k.Lacks > 0 {
			continue
		}
		holds := !k.Over && k.Iteration == p.Iteration && (step != task.StepClarify || t.Questions.Open <= k.Open)
		return k, holds
	}
	return task.Skip{}, false
}

// QuestionTexts are the texts of open questions as a skip names them, some of many.
func QuestionTexts(areas []question.Question) []string {
	var all []string
	for _, a := range areas {
		if a.Open && task.OneLine(a.Text, task.MaxItem) && len(all) < task.MaxItems {
			all = append(all, a.Text)
		}
	}
	return all
}

// pass records what an operation passes over. What makes no sense, or does not
// fit any more, is left out.
func (e *editor) pass(passed []task.Passed, reason string) {
	for _, p := range passed[:min(len(passed), task.MaxPassed)] {
		known := slices.ContainsFunc(e.t.Skips, func(k task.Skip) bool { return k.ID == p.ID(e.op.ID) })
		if known || !validPassed(p, e.t) || len(e.t.Skips) >= task.MaxSkips {
			continue
		}
		phase, _ := e.t.Phase(p.Phase)
		k := task.Skip{
			ID: p.ID(e.op.ID), UID: e.op.ID, Passed: p, Iteration: phase.Iteration,
			Stage: e.t.Stage, Reason: reason, At: e.at,
		}
		if p.Step == task.StepClarify {
			k.Open = e.t.Questions.Open
		}
		e.t.Skips = append(slices.Clip(e.t.Skips), k)
	}
}

// dueAgain ends the skips of steps that a task comes back to.
func (e *editor) dueAgain(to task.Stage) {
	e.t.Skips = slices.Clone(e.t.Skips)
	for i := range e.t.Skips {
		k := &e.t.Skips[i]
		k.Over = k.Over || k.Phase == "" && slices.ContainsFunc(task.SkipStages, func(s task.StepOfStage) bool {
			return k.Step == s.Step && slices.Index(task.Stages, to) <= slices.Index(task.Stages, s.Stage)
		})
	}
}

// skipStep leaves it to the caller, who knows the routing table, whether the step is the
// one that comes next, and may be skipped; see CheckSkip.
func skipStep(e *editor, p task.SkipPayload) error {
	if !validPassed(p.Passed, e.t) {
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("%q is no step that can be skipped",
			task.Clip(p.Step, task.MaxName)), "see 'git brew next'")
	}
	err := cmp.Or(noReason("skipping a step", p.Reason),
		full(len(e.t.Skips), task.MaxSkips, "skipped steps", "begin another task"))
	if err == nil && e.made && e.t.Status == task.Paused {
		err = task.Refuse(task.CodeTaskState, "the task is paused", "git brew start")
	}
	e.pass([]task.Passed{p.Passed}, p.Reason)
	return err
}

// addDecision leaves out what the decision names and is not there; who makes it is told.
func addDecision(e *editor, p task.DecisionAddPayload) error {
	made := task.Decision{
		UID: e.op.ID, Title: p.Title, Why: p.Why, Rejected: p.Rejected, At: e.at,
		Status: task.DecisionActive,
	}
	if task.DecisionIndex(e.t, e.op.ID) >= 0 {
		return errNoID()
	}
	if e.made && p.Phase != "" && e.t.PhaseIndex(p.Phase) < 0 {
		return noPhase(p.Phase)
	}
	if e.made && p.Supersedes != "" {
		if err := checkActive(e.t, p.Supersedes); err != nil {
			return err
		}
	}
	if e.t.PhaseIndex(p.Phase) >= 0 {
		made.Phase = p.Phase
	}
	all := slices.Clone(e.t.Decisions)
	// Of two that take one decision's place apart, both stay, and the first is
	// named there.
	if i := task.DecisionIndex(e.t, p.Supersedes); i >= 0 {
		made.Supersedes = p.Supersedes
		if all[i].Status == task.DecisionActive {
			all[i].Status, all[i].By = task.DecisionSuperseded, e.op.ID
		}
	}
	e.t.Decisions = append(all, made)
	return full(len(all), task.MaxDecisions, "decisions", "write the others into the spec")
}

func revokeDecision(e *editor, p task.DecisionRevokePayload) error {
	if err := checkActive(e.t, p.Decision); err != nil {
		return err
	}
	if err := noReason("revoking a decision", p.Reason); err != nil && e.made {
		return err
	}
	i := task.DecisionIndex(e.t, p.Decision)
	e.t.Decisions = slices.Clone(e.t.Decisions)
	e.t.Decisions[i].Status, e.t.Decisions[i].Reason = task.DecisionRevoked, p.Reason
	return nil
}

// checkActive wants a decision that holds.
func checkActive(t task.Task, uid task.UID) error {
	i := task.DecisionIndex(t, uid)
	if i < 0 {
		return fmt.Errorf("%w: decision %q; see 'git brew decision list --all'", task.ErrNoEntry,
			task.Clip(string(uid), task.MaxName))
	}
	d := t.Decisions[i]
	if d.Status == task.DecisionActive {
		return nil
	}
	return task.Refuse(task.CodeTaskState, fmt.Sprintf("%s is %s", task.ShownDecision(i), task.DecisionStanding(t, d)),
		"see 'git brew decision list --all'")
}
