package view

import (
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// Phase is a phase; other phases are named by the ids people see.
type Phase struct {
	ID     string           `json:"id"`
	Title  string           `json:"title"`
	Kind   task.PhaseKind   `json:"kind"`
	Parent string           `json:"parent,omitempty"`
	Status task.PhaseStatus `json:"status"`
	Review task.Review      `json:"review"`
	Reason string           `json:"reason,omitempty"`
	// UserRejected: it is the user who wants the changes.
	UserRejected bool `json:"user_rejected,omitzero"`

	Iteration  int       `json:"iteration"`
	Tier       task.Tier `json:"tier"`
	DependsOn  []string  `json:"depends_on"`
	Acceptance []string  `json:"acceptance"`
	Verify     []string  `json:"verify"`
	// Untrusted are those of Verify that wait for trust; where nobody looked,
	// none are named.
	Untrusted   []string  `json:"untrusted,omitempty"`
	Agents      []string  `json:"agents"`
	StartCommit string    `json:"start_commit"`
	EndCommit   string    `json:"end_commit"`
	StartedAt   string    `json:"started_at"`
	CompletedAt string    `json:"completed_at"`
	Marker      ui.Marker `json:"marker"`
	Escalated   bool      `json:"escalated"`
	// Escalations are what was done about it; MustEscalate: another one comes first.
	Escalations  []task.EscalationAction `json:"escalations,omitempty"`
	MustEscalate bool                    `json:"must_escalate,omitzero"`
	// Deviations are what its last review said of what is not as planned.
	Deviations []task.Deviation `json:"deviations,omitempty"`
	// Verified is how its commands came out last.
	Verified *Verified `json:"verified,omitempty"`
	// Worker took the phase with 'next --claim', and Claimed says when.
	Worker  string `json:"worker,omitempty"`
	Claimed string `json:"claimed_at,omitempty"`
}

// Verified is how a phase's commands came out last.
type Verified struct {
	Passed bool `json:"passed"`
	// Counts: it is of what is up for review.
	Counts bool   `json:"counts"`
	At     string `json:"at"`
	Commit string `json:"commit"`
	Dirty  bool   `json:"dirty"`
}

func NewPhase(t task.Task, p task.Phase) Phase {
	doc := Phase{
		ID: p.ID, Title: p.Title, Kind: p.Kind, Parent: PhaseID(t, p.Parent), Status: p.Status, Review: p.Review,
		Reason: p.Reason, UserRejected: rules.RejectionStands(t, p),
		Iteration: p.Iteration, Tier: p.Tier, DependsOn: PhaseIDs(t, p.DependsOn), Acceptance: List(p.Acceptance),
		Verify: List(p.Verification), Agents: List(p.Expected()), StartCommit: p.StartCommit, EndCommit: p.EndCommit,
		StartedAt: p.StartedAt, CompletedAt: p.CompletedAt, Marker: ui.MarkOf(p.Status), Worker: p.Claim.Worker,
		Claimed:   p.Claim.At,
		Escalated: len(p.Escalations) > 0, MustEscalate: p.MustEscalate, Deviations: p.Deviations,
	}
	for _, x := range p.Escalations {
		doc.Escalations = append(doc.Escalations, x.Action)
	}
	if v := p.Verified; v != nil {
		doc.Verified = &Verified{Passed: v.Passed, Counts: rules.RunCounts(t, p), At: v.At, Commit: v.Commit, Dirty: !v.Clean}
	}
	return doc
}

func NewPhases(t task.Task, phases []task.Phase) []Phase {
	all := make([]Phase, 0, len(phases))
	for _, p := range phases {
		all = append(all, NewPhase(t, p))
	}
	return all
}

// PhaseID is the id that people see of a phase, "" for none.
func PhaseID(t task.Task, uid task.UID) string {
	p, _ := t.Phase(uid)
	return p.ID
}

func PhaseIDs(t task.Task, uids []task.UID) []string {
	all := make([]string, 0, len(uids))
	for _, uid := range uids {
		all = append(all, PhaseID(t, uid))
	}
	return all
}

// NewTrustedPhases are the phases of a task, with the commands that wait for trust.
func NewTrustedPhases(t task.Task, waiting map[task.UID][]string) []Phase {
	docs := NewPhases(t, t.Phases)
	for i, p := range t.Phases {
		docs[i].Untrusted = waiting[p.UID]
	}
	return docs
}

// Planned tells which phases a document planned, which of them were added, and the ids of
// those that were there: `phase add --from`.
func Planned(r phase.PlannedResult, dryRun bool) ui.Object {
	kept := []string{}
	for _, p := range r.Kept {
		kept = append(kept, p.ID)
	}
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
	all := make([]ui.Object, 0, len(phases))
	for _, p := range phases {
		all = append(all, ui.Object{NewPhase(t, p), "next", Next(next(p))})
	}
	return all
}

// Skips are the steps of a task that were passed over, with the operations that recorded it.
// Where another command passed one, there is no reason; one that is due is so again.
func Skips(t task.Task) []ui.Object {
	all := []ui.Object{}
	for _, k := range t.Skips {
		all = append(all, ui.Object{
			"id", k.UID, "step", k.Step, "phase?", PhaseID(t, k.Phase), "what", k.Shown(t), "reason", k.Reason, "at", k.At,
			"due", k.Over,
		})
	}
	return all
}

// Rung is a rung of a ladder.
type Rung struct {
	Action task.EscalationAction `json:"action"`
	Open   bool                  `json:"open"`
	Why    string                `json:"why"` // it is closed
	After  int                   `json:"after"`
}
