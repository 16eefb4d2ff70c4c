package rules

import (
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

func addDecision(e *editor, p task.DecisionAddPayload) error {
	made := task.Decision{
		UID: e.op.ID, Title: p.Title, Why: p.Why, Rejected: p.Rejected, At: e.at,
		Status: task.DecisionActive,
	}
	if task.DecisionIndex(e.t, e.op.ID) >= 0 {
		return errNoID()
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

// askDecisionAdd wants what a decision names to be there, and to hold.
func askDecisionAdd(t task.Task, p task.DecisionAddPayload) error {
	if p.Phase != "" {
		if _, err := findPhase(t, p.Phase); err != nil {
			return err
		}
	}
	if p.Supersedes == "" {
		return nil
	}
	return checkActive(t, p.Supersedes)
}

func revokeDecision(e *editor, p task.DecisionRevokePayload) error {
	if err := checkActive(e.t, p.Decision); err != nil {
		return err
	}
	i := task.DecisionIndex(e.t, p.Decision)
	e.t.Decisions = slices.Clone(e.t.Decisions)
	e.t.Decisions[i].Status, e.t.Decisions[i].Reason = task.DecisionRevoked, p.Reason
	return nil
}

func askDecisionRevoke(_ task.Task, p task.DecisionRevokePayload) error {
	return noReason("revoking a decision", p.Reason)
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
