package phase

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// PlannedResult is what became of the phases that a document plans.
type PlannedResult struct {
	Task task.Task
	From string // the document
	// Added are new; Kept were there, and stay as they are.
	Added, Kept []task.Phase
	Notes       []string
	Next        route.Step
}

// AddPlanned adds the phases that a document of the task plans, its roadmap or its
// plan, and that the task does not have: all of them, or none. What it has stays as
// it is, so a second time adds nothing. Commands that verify them wait for trust, as
// whatever stands in a text does.
func (s *Phases) AddPlanned(ctx context.Context, id task.ID, name string) (PlannedResult, error) {
	var out PlannedResult
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		doc, err := task.ParseDocName(c.Task, name)
		if err != nil {
			return err
		}
		out = PlannedResult{From: c.Task.ShownDoc(doc)}
		d, err := s.Records.Document(ctx, c.Task, doc)
		if err != nil {
			return err
		}
		planned := document.PlannedPhases(out.From, d.Text)
		if len(planned) == 0 {
			return clone.Refuse("give each a section \"Phase 1: Title\", or 'git brew phase add TITLE'", "%s names no phases",
				out.From)
		}
		a := planAdder{Tx: c, out: &out, planned: planned}
		return a.add(ctx)
	})
	if err != nil {
		return out, err
	}
	out.Task, out.Next = after, s.Next.Step(ctx, after)
	return out, nil
}

// planAdder adds the phases of a document, in its order; what belongs to a phase
// after that.
type planAdder struct {
	*change.Tx
	out     *PlannedResult
	planned []document.PlannedPhase
	// left are the ids of those that are left out.
	left []string
}

func (a *planAdder) add(ctx context.Context) error {
	a.leaveOut()
	var last task.UID
	var late []document.PlannedPhase // they wait for phases that come behind them
	for _, p := range a.parentsFirst() {
		if have, ok := a.find(p.ID); ok {
			last = have.UID
			if !slices.ContainsFunc(a.out.Added, func(q task.Phase) bool { return q.UID == have.UID }) {
				a.keep(p, have)
			}
			continue
		}
		draft, waits, err := a.draft(p, last)
		if err == nil {
			err = a.Do(ctx, draft)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.where(p), err)
		}
		added, _ := a.Task.Phase(draft.ID)
		a.out.Added, last = append(a.out.Added, added), added.UID
		if waits {
			late = append(late, p)
		}
	}
	for _, p := range late {
		phase, _ := a.find(p.ID)
		edit := task.PhaseEditPayload{Phase: phase.UID}
		for _, id := range p.DependsOn {
			on, ok := a.find(a.instead(id))
			if ok && !slices.Contains(phase.DependsOn, on.UID) && !slices.Contains(edit.AddDependsOn, on.UID) &&
				on.UID != phase.Parent {
				edit.AddDependsOn = append(edit.AddDependsOn, on.UID)
			}
		}
		if edit.Empty() {
			continue
		}
		if err := a.Do(ctx, change.Op(task.OpPhaseEdit, edit)); err != nil {
			return fmt.Errorf("%s: %w", a.where(p), err)
		}
	}
	for i, p := range a.out.Added {
		a.out.Added[i], _ = a.Task.Phase(p.UID)
	}
	return nil
}

func (a *planAdder) where(p document.PlannedPhase) string {
	return fmt.Sprintf("%s:%d", a.out.From, p.Line)
}

// leaveOut takes out what comes up by itself: fixes that the task does not have, and
// what belongs to those.
func (a *planAdder) leaveOut() {
	a.planned = slices.DeleteFunc(a.planned, func(p document.PlannedPhase) bool {
		kind, err := task.ParsePhaseKind(p.Word)
		_, there := a.find(p.ID)
		if there || p.Kind != document.Fix && (err != nil || kind != task.KindFix) {
			return false
		}
		a.left = append(a.left, p.ID)
		a.note("phase %s repairs another, and is left out: 'git brew phase revise' adds it when its time comes", p.ID)
		return true
	})
	a.planned = slices.DeleteFunc(a.planned, func(p document.PlannedPhase) bool {
		if !slices.Contains(a.left, p.Of) {
			return false
		}
		a.left = append(a.left, p.ID)
		a.note("phase %s belongs to %s, and is left out", p.ID, p.Of)
		return true
	})
}

// instead is the phase to wait for where one waits for what is left out: the one
// that it repairs, which is not completed before its fixes. "" for none.
func (a *planAdder) instead(id string) string {
	if !slices.ContainsFunc(a.left, func(left string) bool { return document.SamePhase(left, id) }) {
		return id
	}
	repaired, _, ok := strings.Cut(id, ".")
	if !ok {
		return ""
	}
	return repaired
}

// plans reports whether the document plans a phase, and that is not left out.
func (a *planAdder) plans(id string) bool {
	return slices.ContainsFunc(a.planned, func(p document.PlannedPhase) bool { return document.SamePhase(p.ID, id) })
}

// parentsFirst are the phases in the document's order, each once, and each
// verification and research behind the phase that it is for.
func (a *planAdder) parentsFirst() []document.PlannedPhase {
	of := map[string][]document.PlannedPhase{}
	for _, p := range a.planned {
		if p.Of != "" && a.plans(p.Of) {
			of[p.Of] = append(of[p.Of], p)
		}
	}
	all, seen := make([]document.PlannedPhase, 0, len(a.planned)), map[string]bool{}
	var add func(p document.PlannedPhase)
	add = func(p document.PlannedPhase) {
		if seen[p.ID] {
			a.note("phase %s stands there twice, and the first one counts", p.ID)
			return
		}
		seen[p.ID], all = true, append(all, p)
		for _, q := range of[p.ID] {
			add(q) // its id is longer: there is an end
		}
	}
	for _, p := range a.planned {
		if p.Of == "" || !a.plans(p.Of) {
			add(p)
		}
	}
	return all
}

// keep notes a phase that is there already.
func (a *planAdder) keep(p document.PlannedPhase, have task.Phase) {
	a.out.Kept = append(a.out.Kept, have)
	if p.Title != "" && !strings.EqualFold(p.Title, have.Title) {
		a.note("phase %s is called %q in the task, and stays so", have.ID, have.Title)
	}
}

func (a *planAdder) note(format string, args ...any) {
	a.out.Notes = append(a.out.Notes, fmt.Sprintf(format, args...))
}

func (a *planAdder) find(id string) (task.Phase, bool) {
	i := slices.IndexFunc(a.Task.Phases, func(p task.Phase) bool { return document.SamePhase(p.ID, id) })
	if i < 0 {
		return task.Phase{}, false
	}
	return a.Task.Phases[i], true
}

// draft is the operation that adds a phase. It waits where it depends on phases
// that are not there yet.
func (a *planAdder) draft(p document.PlannedPhase, after task.UID) (d ledger.Draft, waits bool, err error) {
	if open := document.Placeholders(p.Title + " " + p.Word + " " + strings.Join(p.DependsOn, " ")); len(open) > 0 {
		return d, false, clone.Refuse("fill it in, with 'git brew doc edit "+a.out.From+"'", "%s is not filled in", open[0])
	}
	add := task.PhaseAddPayload{
		Title: p.Title, ShownID: p.ID, After: after, Acceptance: a.filled(p.Acceptance),
		Verification: a.filled(p.Verify), Agents: agents(p.Agents),
	}
	switch {
	case p.Word != "":
		if add.Kind, err = task.ParsePhaseKind(p.Word); err != nil {
			return d, false, err
		}
	case p.Kind == document.FinalReview:
		add.Kind = task.KindFinalReview
	}
	if kind, parent, ok := a.Task.KindOf(p.ID); ok && (add.Kind == "" || add.Kind == kind) {
		add.Kind, add.Parent = kind, parent.UID
	}
	if add.Kind == "" {
		if err := a.Task.CheckID(p.ID); err != nil {
			return d, false, err
		}
	}
	if err := checkSimple(add.Verification); err != nil {
		return d, false, err
	}
	for _, id := range p.DependsOn {
		as := a.instead(id)
		on, there := a.find(as)
		switch {
		case there && on.UID != add.Parent: // it waits for what it verifies anyhow
			add.DependsOn = append(add.DependsOn, on.UID)
		case there:
		case a.plans(as):
			waits = true
		case as != id:
			a.note("phase %s does not wait for %s, which is left out", p.ID, id)
		case document.NamesPhase(id):
			return d, false, clone.Refuse("see 'git brew doc check "+a.out.From+"'", "phase %s depends on %q, which is no phase",
				p.ID, id)
		default:
			a.note("phase %s: %q is no phase, and it does not wait for that", p.ID, strings.ToLower(id))
		}
	}
	uid, err := operation.NewID(a.Engine.Clone.Random)
	return ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: add}, waits, err
}

// filled are the texts in which nothing waits to be filled in.
func (a *planAdder) filled(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return len(document.Placeholders(s)) > 0 })
}

// agents are names as reports have them, without what is not filled in.
func agents(all []string) []string {
	var names []string
	for _, name := range all {
		if name = task.AgentName(name); name != "" && !slices.Contains(names, name) && len(document.Placeholders(name)) == 0 {
			names = append(names, name)
		}
	}
	return names
}
