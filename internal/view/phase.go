package view

import (
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// NewPhase tells of a phase; other phases are named by the ids people see. With
// "user_rejected" it is the user who wants the changes; "escalations" are what was done about
// it, "must_escalate" says that another one comes first; "deviations" are what its last review
// said of what is not as planned; "verified" is how its commands came out last, which "counts"
// where it is of what is up for review; "worker" took it with 'next --claim'.
func NewPhase(t task.Task, p task.Phase) ui.Object {
	var verified ui.Object
	if v := p.Verified; v != nil {
		_, counts := rules.RunThatCounts(t, p)
		verified = ui.Object{
			"passed", v.Passed, "counts", counts, "at", v.At, "commit", v.Commit, "dirty", !v.Clean,
		}
	}
	escalations := each(p.Escalations, func(x task.Escalation) task.EscalationAction { return x.Action })
	_, rejected := rules.StandingRejection(t, p)
	return ui.Object{
		"id", p.ID, "title", p.Title, "kind", p.Kind, "parent?", PhaseID(t, p.Parent), "status", p.Status,
		"review", p.Review, "reason?", p.Reason, "user_rejected?", rejected,
		"iteration", p.Iteration, "tier", p.Tier, "depends_on", PhaseIDs(t, p.DependsOn), "acceptance", p.Acceptance,
		"verify", p.Verification, "agents", p.Expected(), "start_commit", p.StartCommit, "end_commit", p.EndCommit,
		"started_at", p.StartedAt, "completed_at", p.CompletedAt, "marker", ui.MarkOf(p.Status),
		"escalated", len(p.Escalations) > 0, "escalations?", escalations, "must_escalate?", p.MustEscalate,
		"deviations?", p.Deviations, "verified?", verified, "worker?", p.Claim.Worker, "claimed_at?", p.Claim.At,
	}
}

func NewPhases(t task.Task, phases []task.Phase) []ui.Object {
	return each(phases, func(p task.Phase) ui.Object { return NewPhase(t, p) })
}

// PhaseID is the id that people see of a phase, "" for none.
func PhaseID(t task.Task, uid task.UID) string {
	p, _ := t.Phase(uid)
	return p.ID
}

func PhaseIDs(t task.Task, uids []task.UID) []string {
	return each(uids, func(uid task.UID) string { return PhaseID(t, uid) })
}

// NewTrustedPhases are the phases of a task, with those commands that verify them and wait
// for trust: where nobody looked, none are named.
func NewTrustedPhases(t task.Task, waiting map[task.UID][]string) []ui.Object {
	return each(t.Phases, func(p task.Phase) ui.Object { return append(NewPhase(t, p), "untrusted?", waiting[p.UID]) })
}

// Planned tells which phases a document planned, which of them were added, and the ids of
// those that were there: `phase add --from`.
func Planned(r phase.PlannedResult, dryRun bool) ui.Object {
	kept := each(r.Kept, func(p task.Phase) string { return p.ID })
	return ui.Object{
		"task", r.Task.ID, "from", r.From, "added", NewPhases(r.Task, r.Added), "kept", kept, "next", Next(r.Next),
		"notes", r.Notes, "dry_run?", dryRun,
	}
}

// NextStep tells which step of a task comes next, and how it is taken; plan is null where it
// is none of a pipeline. "skip" says what is done without where the step is skipped: where
// there is none, it can't be.
func NextStep(t task.Task, step route.Step, plan *steps.StepPlan, more ...any) ui.Object {
	return append(ui.Object{"task", t.ID, "next", Next(step), "skip?", step.Skip, "plan", plan}, more...)
}

// Work tells of phases, and by next of what comes for each.
func Work(t task.Task, phases []task.Phase, next func(task.Phase) route.Step) []ui.Object {
	return each(phases, func(p task.Phase) ui.Object { return ui.Object{NewPhase(t, p), "next", Next(next(p))} })
}

// Skips are the steps of a task that were passed over, with the operations that recorded it.
// Where another command passed one, there is no reason; one that is due is so again.
func Skips(t task.Task) []ui.Object {
	return each(t.Skips, func(k task.Skip) ui.Object {
		return ui.Object{
			"id", k.UID, "step", k.Step, "phase?", PhaseID(t, k.Phase), "what", t.ShownStep(k.Passed), "reason", k.Reason,
			"at", k.At, "due", k.Over,
		}
	})
}

// Rung is a rung of a ladder.
type Rung struct {
	Action task.EscalationAction `json:"action"`
	Open   bool                  `json:"open"`
	Why    string                `json:"why"` // it is closed
	After  int                   `json:"after"`
}
