// Package view makes the JSON documents that commands answer with: pure functions from what
// the application knows to values whose keys are a contract. What the domain
// or the application already says with tags of its own is its own document.
package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// NewTask tells about t; tip is its record's commit, "" where nobody asked for it.
func NewTask(t task.Task, tip string) ui.Object { return taskAt(t, tip, false, nil) }

// taskAt is NewTask of a task that may stand in the archive, and not be live, and of the
// submodules that have its branch, as they were seen.
func taskAt(t task.Task, tip string, archived bool, states []worktree.ServiceState) ui.Object {
	return ui.Object{
		"id", t.ID, "slug", t.ID.Slug(), "title", t.Title, "type", t.Type, "branch", t.Branch, "base", t.Base,
		"status", t.Status, "cause?", t.Cause, "reason?", t.Reason, "stage", t.Stage, "created_at", t.CreatedAt,
		"updated_at", t.UpdatedAt, "tip?", tip, "services?", services(t.Services, states), "issues?", t.Issues,
		"priority?", t.Priority, "archived?", archived, "deleted?", t.Deleted,
	}
}

// Shown tells of a task, or a state that it was in, with all that belongs to it; waiting are
// the commands that wait for trust: `show`.
func Shown(shown records.Show, waiting map[task.UID][]string) ui.Object {
	t := shown.Task
	return ui.Object{
		"task", taskAt(t, shown.Tip, shown.Archived, nil), "phases", Phases(t, waiting), "decisions",
		NewDecisions(t, ActiveDecisions(t)),
		"boards", rules.Tallies(t), "files", shown.Files, "commit", shown.Tip,
	}
}

// services tells about services; states are what was seen of them, nil where nobody looked:
// "on" is the branch that is checked out there, "ahead" counts the commits since its base.
func services(all []task.Service, states []worktree.ServiceState) []ui.Object {
	var docs []ui.Object
	for i, s := range all {
		doc := ui.Object{"path", s.Path, "base", s.Base, "base_commit", s.BaseCommit}
		if i < len(states) && states[i].There {
			doc = append(doc, "on", states[i].On)
			if states[i].Ahead >= 0 {
				doc = append(doc, "ahead", states[i].Ahead)
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// Archived tells which tasks were archived, and which were before: `archive`.
func Archived(done archive.ArchiveResult, dryRun bool) ui.Object {
	tasks := Each(done.Tasks, func(t task.Task) ui.Object { return taskAt(t, "", !dryRun, nil) })
	return ui.Object{"tasks", tasks, "already", done.Already, "dry_run", dryRun}
}

// Listed tells of a task in a list: a line of `list`.
func Listed(v app.Listed, now time.Time) ui.Object {
	t := *v.Head()
	return append(ui.Object{
		"task", taskAt(t, v.Tip.String(), v.Archived, nil), "phase", CurrentPhase(t), "phases", v.Phases,
		"lock", Lock(*v.Lock, v.LockState, v.Confirmed, now),
	}, Overlap(v.Overlap)...)
}

// Overlap tells which other tasks' branches a task's conflicts with: "conflicts" is left out where
// nobody looked, "unlooked" counts live branches that it was not compared with.
func Overlap(seen *overlap.Seen) ui.Object {
	if seen == nil {
		return nil
	}
	return ui.Object{"conflicts", seen.Conflicts, "unlooked?", seen.Unlooked}
}

// Change is what a command answers that changed a task.
type Change struct {
	Task   task.Task
	Phase  task.Phase // the one it was about, else the current one; without a UID: none
	Lock   ui.Object
	From   task.Status // the task's status before
	Next   route.Step  // for whom it is answered: a worker has a phase of its own
	Notes  []string
	Hooks  []steps.HookDone // what ran, was told or could not run around steps
	DryRun bool             // this is what would be
	Others bool             // somebody else holds the lock, so what comes next is theirs
}

// MarshalJSON is json.Marshaler's.
func (c Change) MarshalJSON() ([]byte, error) {
	var phase any
	if c.Phase.UID != "" {
		phase = NewPhase(c.Task, c.Phase)
	}
	return ui.Object{
		"task", NewTask(c.Task, ""), "phase", phase, "lock?", c.Lock, "from?", c.From, "next", Next(c.Next),
		"notes", c.Notes, "hooks?", hooks(c.Hooks), "dry_run?", c.DryRun,
	}.MarshalJSON()
}

// hooks are those that a command ran, told, or could not run. In a dry run there is no outcome.
func hooks(all []steps.HookDone) []ui.Object {
	return Each(all, func(h steps.HookDone) ui.Object {
		mode := ui.Either(h.Kind == string(pipeline.KindWorkflow), string(h.Mode), "")
		return ui.Object{
			"step", h.Step, "phase?", h.Phase, "when", h.When, "hook", h.Hook, "kind", h.Kind, "mode?", mode,
			"required", !h.Optional, "outcome?", h.Outcome, "detail?", h.Detail,
		}
	})
}

// Each makes an item of each of a list.
func Each[T, D any](all []T, of func(T) D) []D {
	docs := make([]D, 0, len(all))
	for _, v := range all {
		docs = append(docs, of(v))
	}
	return docs
}

// NewPhase tells of a phase; other phases are named by the ids people see. With
// "user_rejected" it is the user who wants the changes; "escalations" are what was done about
// it, "must_escalate" says that another one comes first; "deviations" are what its last review
// said of what is not as planned; "verified" is how its commands came out last, which "counts"
// where it is of what is up for review; "worker" took it with 'next --claim';
// "turns" are the last of workers that 'git brew run' started, "spent" what all of them cost.
func NewPhase(t task.Task, p task.Phase) ui.Object {
	var verified ui.Object
	if v := p.Verified; v != nil {
		_, counts := rules.RunThatCounts(t, p)
		verified = ui.Object{
			"passed", v.Passed, "counts", counts, "at", v.At, "commit", v.Commit, "dirty", !v.Clean,
		}
	}
	escalations := Each(p.Escalations, func(x task.Escalation) task.EscalationAction { return x.Action })
	_, rejected := rules.StandingRejection(t, p)
	return ui.Object{
		"id", p.ID, "title", p.Title, "kind", p.Kind, "parent?", PhaseID(t, p.Parent), "status", p.Status,
		"review", p.Review, "reason?", p.Reason, "user_rejected?", rejected,
		"iteration", p.Iteration, "tier", p.Tier, "depends_on", PhaseIDs(t, p.DependsOn), "acceptance", p.Acceptance,
		"verify", p.Verification, "agents", p.Expected(), "start_commit", p.StartCommit, "end_commit", p.EndCommit,
		"started_at", p.StartedAt, "completed_at", p.CompletedAt, "marker", ui.MarkOf(p.Status),
		"escalated", len(p.Escalations) > 0, "escalations?", escalations, "must_escalate?", p.MustEscalate,
		"deviations?", p.Deviations, "verified?", verified, "worker?", p.Claim.Worker, "claimed_at?", p.Claim.At,
		"turns?", p.Turns, "spent?", p.Spent,
	}
}

func NewPhases(t task.Task, phases []task.Phase) []ui.Object {
	return Each(phases, func(p task.Phase) ui.Object { return NewPhase(t, p) })
}

// PhaseID is the id that people see of a phase, "" for none.
func PhaseID(t task.Task, uid task.UID) string {
	p, _ := t.Phase(uid)
	return p.ID
}

func PhaseIDs(t task.Task, uids []task.UID) []string {
	return Each(uids, func(uid task.UID) string { return PhaseID(t, uid) })
}

// NewTrustedPhases are the phases of a task, with those commands that verify them and wait
// for trust: where nobody looked, none are named.
func NewTrustedPhases(t task.Task, waiting map[task.UID][]string) []ui.Object {
	return Each(t.Phases, func(p task.Phase) ui.Object { return append(NewPhase(t, p), "untrusted?", waiting[p.UID]) })
}

// Planned tells which phases a document planned, which of them were added, and the ids of
// those that were there: `phase add --from`.
func Planned(r phase.PlannedResult, dryRun bool) ui.Object {
	kept := Each(r.Kept, func(p task.Phase) string { return p.ID })
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
	return Each(phases, func(p task.Phase) ui.Object { return ui.Object{NewPhase(t, p), "next", Next(next(p))} })
}

// Skips are the steps of a task that were passed over, with the operations that recorded it.
// Where another command passed one, there is no reason; one that is due is so again.
func Skips(t task.Task) []ui.Object {
	return Each(t.Skips, func(k task.Skip) ui.Object {
		return ui.Object{
			"id", k.UID, "step", k.Step, "phase?", PhaseID(t, k.Phase), "what", t.ShownStep(k.Passed), "reason", k.Reason,
			"at", k.At, "due", k.Over,
		}
	})
}
