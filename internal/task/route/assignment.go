package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// Several may work on a task at once, a phase each. What one of them asks for is
// about the phase that it claimed.

// Assignee says who asks: a worker, by the name that it claims under, or a session
// that claims for itself. Both empty: somebody who claims nothing.
type Assignee struct{ Worker, Session string }

// UnderWay returns the phases that were begun and are not done, of those that
// have one of the statuses (none given: any). What waits for a phase below it
// that is under way as well, or for a fix of its own, is not among them.
func UnderWay(t task.Task, statuses ...task.PhaseStatus) []task.Phase {
	if len(statuses) == 0 {
		statuses = []task.PhaseStatus{task.PhaseInProgress, task.PhaseInReview}
	}
	var all, last []task.Phase
	for _, p := range t.Phases {
		if slices.Contains(statuses, p.Status) {
			all = append(all, p)
		}
	}
	for _, p := range all {
		if !slices.ContainsFunc(all, func(q task.Phase) bool {
			return q.UID != p.UID && (q.Fixes == p.UID || task.Belongs(t, q, p.UID))
		}) {
			last = append(last, p)
		}
	}
	return last
}

// WorkedOn returns the phases that are being worked on.
func WorkedOn(t task.Task) []task.Phase { return UnderWay(t, task.PhaseInProgress) }

// Own returns the phases that somebody claimed and that are not done, those that
// they work on before those that they handed over.
func Own(t task.Task, who Assignee) []task.Phase {
	var worked, handed []task.Phase
	for _, p := range UnderWay(t) {
		switch {
		case !who.has(claimOf(t, p)):
		case p.Status == task.PhaseInReview:
			handed = append(handed, p)
		default:
			worked = append(worked, p)
		}
	}
	return append(worked, handed...)
}

func (w Assignee) has(c task.PhaseClaim) bool {
	switch {
	case c.UID == "":
		return false
	case w.Worker != "":
		return c.Worker == w.Worker
	}
	return w.Session != "" && c.Worker == "" && c.Session == w.Session
}

// claimOf says whose a phase under way is: what was begun for a phase that was
// handed over, a fix, its verification, is theirs who claimed that one, as long as
// nobody claimed it for themselves.
func claimOf(t task.Task, p task.Phase) task.PhaseClaim {
	for range task.MaxDepth {
		if p.Claim.UID != "" {
			break
		}
		parent, ok := t.Phase(p.Parent)
		if !ok || parent.Status != task.PhaseInReview {
			break
		}
		p = parent
	}
	return p.Claim
}

// NamedUnderWay names phases, and who works on them: "1 by w1, 2 by session
// 8a1b and 3", with the word before the last one.
func NamedUnderWay(phases []task.Phase, and string) string {
	var names []string
	for i, p := range phases {
		if i == maxNamed && len(phases) > maxNamed+1 {
			names = append(names, fmt.Sprintf("%d more", len(phases)-maxNamed))
			break
		}
		name := p.ID
		if p.Claim.UID != "" {
			name += " by " + p.Claim.By()
		}
		names = append(names, name)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + and + " " + names[last]
}

// NextFor returns what comes next for somebody: what holds for the task as a whole,
// else for the work on their own phase, where they claimed one that has something to
// be done about it. A worker that has none is told what others do not see to; what is
// to be started it claims, of free (see Claimable).
func NextFor(t task.Task, who Assignee, free []task.Phase) Step {
	for _, p := range Own(t, who) {
		if r, s := routeOn(t, p, who.Worker); !r.idle {
			return stepOf(r, s)
		}
	}
	if who.Worker == "" {
		return Next(t)
	}
	r, s := routeOf(situation{Task: t, theirs: notOf(t, who), worker: who.Worker})
	switch {
	case len(free) > 0 && (r.idle || r.starts()):
		step := begin(free[0], "git brew next --claim"+workerFlag(who.Worker))
		if free[0].Status == task.PhaseInProgress {
			step.Reason = "phase " + step.Phase + " was left by " + free[0].Claim.By()
		}
		return step
	case !r.idle:
		return stepOf(r, s)
	}
	r, s = routeOf(situation{Task: t, worker: who.Worker})
	if r.when == severalWorkedOn || s.focus.Status == task.PhaseInProgress {
		return Step{
			Step: task.StepWait, Pipeline: PipelinePhase,
			Reason: "no phase is free: worked on are " + NamedUnderWay(WorkedOn(t), "and"), Command: "git brew next --all",
			Taker: TakerUser, Ask: "No phase is free. Wait for those who work on one?",
		}
	}
	return stepOf(r, s)
}

// WorkOn is what comes next for whoever works on a phase that is under way.
func WorkOn(t task.Task, uid task.UID) Step {
	p, _ := t.Phase(uid)
	if r, s := routeOn(t, p, claimOf(t, p).Worker); !r.idle {
		return stepOf(r, s)
	}
	return Next(t)
}

// Begin is what comes next for whoever takes a phase that is ready: its plan, where it
// has none yet, else its start.
func Begin(t task.Task, p task.Phase) Step {
	if r, s := routeOn(t, p, ""); s.focus.UID == p.UID && !r.idle {
		return stepOf(r, s)
	}
	return begin(p, "git brew phase start "+p.ID)
}

// begin is the step of whoever takes a phase by a command.
func begin(p task.Phase, command string) Step {
	return Step{
		Step: takes(p), Pipeline: PipelinePhase, Phase: p.ID, Reason: "phase " + p.ID + " is ready",
		Command: command, Taker: TakerWorker, Ask: "Phase " + p.ID + " is ready. Begin?",
	}
}

// routeOn is what the routing table says to whoever works on p: of the task as a
// whole, or of what p is a part of, beside what others work on there.
func routeOn(t task.Task, p task.Phase, worker string) (route, situation) {
	t.Current = p.UID
	work := workWith(t, p).UID
	shown := map[task.UID]bool{p.UID: true}
	for _, q := range t.Phases {
		shown[q.UID] = shown[q.UID] || !(q.Status == task.PhaseInProgress) && workWith(t, q).UID == work
	}
	return routeOf(situation{Task: t, theirs: func(q task.Phase) bool { return shown[q.UID] }, worker: worker})
}

// workWith is the phase whose work p belongs to: WorkOf, and of research that what it
// is for.
func workWith(t task.Task, p task.Phase) task.Phase {
	if p.Kind == task.KindResearch {
		if parent, ok := t.Phase(p.Parent); ok {
			p = parent
		}
	}
	return t.WorkOf(p)
}

// notOf are the phases that nobody else sees to: what others work on, or handed over
// and claimed, is left to them.
func notOf(t task.Task, who Assignee) func(task.Phase) bool {
	others := map[task.UID]bool{}
	for _, p := range t.Phases {
		c := claimOf(t, p)
		others[p.UID] = !who.has(c) && (p.Status == task.PhaseInProgress || p.Status == task.PhaseInReview && c.UID != "")
	}
	return func(p task.Phase) bool { return !others[p.UID] }
}

// takes is the step that whoever takes a phase begins with.
func takes(p task.Phase) string {
	switch p.Kind {
	case task.KindVerification, task.KindFinalReview:
		return task.StepReview
	case task.KindResearch:
		return task.StepResearch
	case task.KindExecution, task.KindFix, task.KindSplit:
	}
	return task.StepExecute
}

// workerFlag is how a command says which worker asks.
func workerFlag(worker string) string {
	if worker == "" {
		return ""
	}
	return " --worker " + worker
}
