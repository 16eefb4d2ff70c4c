package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Several may work on a task at once, a phase each. What one of them asks for is
// about the phase that it claimed.

// Whose says who asks: a worker, by the name that it claims under, or a session
// that claims for itself. Both empty: somebody who claims nothing.
type Whose struct{ Worker, Session string }

// UnderWay returns the phases that were begun and are not done, of those that
// have one of the statuses (none given: any). What waits for a phase below it
// that is under way as well, or for a fix of its own, is not among them.
func UnderWay(t Task, statuses ...PhaseStatus) []Phase {
	if len(statuses) == 0 {
		statuses = []PhaseStatus{PhaseInProgress, PhaseInReview}
	}
	var all, last []Phase
	for _, p := range t.Phases {
		if slices.Contains(statuses, p.Status) {
			all = append(all, p)
		}
	}
	for _, p := range all {
		if !slices.ContainsFunc(all, func(q Phase) bool { return q.UID != p.UID && (q.Fixes == p.UID || t.belongs(q, p.UID)) }) {
			last = append(last, p)
		}
	}
	return last
}

// WorkedOn returns the phases that are being worked on.
func WorkedOn(t Task) []Phase { return UnderWay(t, PhaseInProgress) }

// Own returns the phases that somebody claimed and that are not done, those that
// they work on before those that they handed over.
func Own(t Task, who Whose) []Phase {
	own := slices.DeleteFunc(UnderWay(t), func(p Phase) bool { return !who.has(t.claimOf(p)) })
	handed := func(p Phase) int {
		if p.Status == PhaseInReview {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(own, func(a, b Phase) int { return cmp.Compare(handed(a), handed(b)) })
	return own
}

// has reports whether a claim is theirs.
func (w Whose) has(c PhaseClaim) bool {
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
func (t Task) claimOf(p Phase) PhaseClaim {
	for range maxDepth {
		if p.Claim.UID != "" {
			break
		}
		parent, ok := t.Phase(p.Parent)
		if !ok || parent.Status != PhaseInReview {
			break
		}
		p = parent
	}
	return p.Claim
}

// NamedUnderWay names phases, and who works on them: "1 by w1, 2 by session
// 8a1b and 3", with the word before the last one.
func NamedUnderWay(phases []Phase, and string) string {
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

const severalWorkedOn = "several phases are being worked on"

func reasonSeveral(s situation) string {
	return "phases " + NamedUnderWay(WorkedOn(s.Task), "and") + " are under way"
}

// unclaimed is the first phase that is worked on, and that nobody claimed.
func (s situation) unclaimed() (Phase, bool) {
	all := s.workedOn()
	if i := slices.IndexFunc(all, func(p Phase) bool { return s.claimOf(p).UID == "" }); i >= 0 {
		return all[i], true
	}
	return Phase{}, false
}

// commandSeveral ends one that nobody claimed, else begins one that is ready, else
// shows who works on what.
func commandSeveral(s situation) string {
	if p, ok := s.unclaimed(); ok {
		return "git brew phase done " + p.ID
	}
	if p, ok := firstReady(s.view); ok {
		return Begin(s.Task, p).Command
	}
	return "git brew next --all"
}

// takerSeveral: what others claimed is theirs, and where no phase is ready there is
// nothing to do but wait.
func takerSeveral(s situation) Taker {
	if commandSeveral(s) == "git brew next --all" {
		return TakerUser
	}
	return TakerWorker
}

// NextFor returns what comes next for somebody: what holds for the task as a whole,
// else for the work on their own phase, where they claimed one that has something to
// be done about it. A worker that has none is told what others do not see to; what is
// to be started it claims, of free (see Claimable).
func NextFor(t Task, who Whose, free []Phase) Step {
	for _, p := range Own(t, who) {
		if r, s := routeOn(t, p, who); !r.idle {
			return stepOf(r, s)
		}
	}
	if who.Worker == "" {
		return Next(t)
	}
	r, s, _ := routeOf(view{Task: t, theirs: t.notOf(who), worker: who.Worker})
	switch {
	case len(free) > 0 && (r.idle || r.starts()):
		return claimOne(free[0], who)
	case !r.idle:
		return stepOf(r, s)
	}
	r, s, _ = routeOf(view{Task: t, worker: who.Worker})
	if r.when == severalWorkedOn || s.focus.Status == PhaseInProgress {
		return Step{Step: StepWait, Pipeline: PipelinePhase, Reason: "no phase is free: worked on are " + NamedUnderWay(WorkedOn(t), "and"), Command: "git brew next --all", Taker: TakerUser, Ask: "No phase is free. Wait for those who work on one?"}
	}
	return stepOf(r, s)
}

// WorkOn is what comes next for whoever works on a phase that is under way.
func WorkOn(t Task, uid UID) Step {
	p, _ := t.Phase(uid)
	c := t.claimOf(p)
	if r, s := routeOn(t, p, Whose{Worker: c.Worker, Session: c.Session}); !r.idle {
		return stepOf(r, s)
	}
	return Next(t)
}

// Begin is what comes next for whoever takes a phase that is ready: its plan, where it
// has none yet, else its start.
func Begin(t Task, p Phase) Step {
	if r, s := routeOn(t, p, Whose{}); s.focus.UID == p.UID && !r.idle {
		return stepOf(r, s)
	}
	s := situation{view: view{Task: t}, focus: p}
	return Step{Step: takes(p), Pipeline: PipelinePhase, Phase: p.ID, Reason: reasonReady(s), Command: commandStart(s), Taker: TakerWorker, Ask: "Phase " + p.ID + " is ready. Begin?"}
}

// routeOn is what the routing table says to whoever works on p: of the task as a
// whole, or of what p is a part of, beside what others work on there.
func routeOn(t Task, p Phase, who Whose) (route, situation) {
	t.Current = p.UID
	work := t.workWith(p).UID
	shown := map[UID]bool{p.UID: true}
	for _, q := range t.Phases {
		shown[q.UID] = shown[q.UID] || !(q.Status == PhaseInProgress) && t.workWith(q).UID == work
	}
	r, s, _ := routeOf(view{Task: t, theirs: func(q Phase) bool { return shown[q.UID] }, worker: who.Worker})
	return r, s
}

// workWith is the phase whose work p belongs to: WorkOf, and of research that what it
// is for.
func (t Task) workWith(p Phase) Phase {
	if p.Kind == KindResearch {
		if parent, ok := t.Phase(p.Parent); ok {
			p = parent
		}
	}
	return t.WorkOf(p)
}

// notOf are the phases that nobody else sees to: what others work on, or handed over
// and claimed, is left to them.
func (t Task) notOf(who Whose) func(Phase) bool {
	others := map[UID]bool{}
	for _, p := range t.Phases {
		c := t.claimOf(p)
		others[p.UID] = !who.has(c) && (p.Status == PhaseInProgress || p.Status == PhaseInReview && c.UID != "")
	}
	return func(p Phase) bool { return !others[p.UID] }
}

// takes is the step that whoever takes a phase begins with.
func takes(p Phase) string {
	switch {
	case isReviewing(p):
		return StepReview
	case isResearch(p):
		return StepResearch
	}
	return StepExecute
}

// claimOne is the step of a worker that takes a phase.
func claimOne(p Phase, who Whose) Step {
	step := Step{Step: takes(p), Pipeline: PipelinePhase, Phase: p.ID, Reason: "phase " + p.ID + " is ready", Command: "git brew next --claim" + who.flag(), Taker: TakerWorker, Ask: "Phase " + p.ID + " is ready. Begin?"}
	if p.Status == PhaseInProgress {
		step.Reason = "phase " + p.ID + " was left by " + p.Claim.By()
	}
	return step
}

// flag is how a command says which worker asks.
func (w Whose) flag() string {
	if w.Worker == "" {
		return ""
	}
	return " --worker " + w.Worker
}
