package task

import (
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
// that is under way as well is not among them.
func UnderWay(t Task, statuses ...PhaseStatus) []Phase {
	if len(statuses) == 0 {
		statuses = []PhaseStatus{PhaseExecuting, PhaseHandoff, PhaseExecuted}
	}
	var all, last []Phase
	for _, p := range t.Phases {
		if slices.Contains(statuses, p.Status) {
			all = append(all, p)
		}
	}
	for _, p := range all {
		if !slices.ContainsFunc(all, func(q Phase) bool { return q.UID != p.UID && t.belongs(q, p.UID) }) {
			last = append(last, p)
		}
	}
	return last
}

// WorkedOn returns the phases that are being worked on, or were handed off.
func WorkedOn(t Task) []Phase { return UnderWay(t, PhaseExecuting, PhaseHandoff) }

// Own returns the phases that somebody claimed and that are not done.
func Own(t Task, who Whose) []Phase {
	return slices.DeleteFunc(UnderWay(t), func(p Phase) bool {
		c := p.Claim
		switch {
		case c.UID == "":
			return true
		case who.Worker != "":
			return c.Worker != who.Worker
		}
		return who.Session == "" || c.Worker != "" || c.Session != who.Session
	})
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

// NextFor returns what comes next for somebody: for their own phase, where they
// claimed one; a worker that has none takes one, of free (see Claimable).
func NextFor(t Task, who Whose, free []Phase) Step {
	own := Own(t, who)
	if i := slices.IndexFunc(own, func(p Phase) bool { return p.Status != PhaseExecuted }); i >= 0 {
		own = own[i:]
	}
	switch {
	case len(own) > 0:
		return WorkOn(t, own[0].UID)
	case who.Worker == "":
		return Next(t)
	case len(free) > 0:
		p := free[0]
		step := Step{Step: StepExecute, Pipeline: PipelinePhase, Phase: p.ID, Reason: "phase " + p.ID + " is ready", Command: "git brew next --claim --worker " + who.Worker}
		switch {
		case isReviewing(p):
			step.Step = StepReview
		case isResearch(p):
			step.Step = StepResearch
		}
		if p.Claim.UID != "" && p.Status == PhaseExecuting {
			step.Reason = "phase " + p.ID + " was left by " + p.Claim.By()
		}
		return step
	}
	r, s, _ := routeOf(t)
	if r.when == severalWorkedOn || s.focus.Status == PhaseExecuting || s.focus.Status == PhaseHandoff {
		return Step{Step: StepWait, Pipeline: PipelinePhase, Reason: "no phase is free: worked on are " + NamedUnderWay(WorkedOn(t), "and"), Command: "git brew next --all"}
	}
	return Next(t)
}

const severalWorkedOn = "several phases are being worked on"

func reasonSeveral(s situation) string {
	return "phases " + NamedUnderWay(WorkedOn(s.Task), "and") + " are under way"
}

// WorkOn is what comes next for whoever works on a phase that is under way: what
// holds for the whole task, or what that phase waits for itself.
func WorkOn(t Task, uid UID) Step {
	t.Current = uid
	general, s, _ := routeOf(t)
	if general.choose == nil && general.when != severalWorkedOn || general.step == StepHook {
		return stepOf(general, s)
	}
	for _, r := range routes() {
		if r.choose == nil {
			continue
		}
		focus, ok := r.choose(t)
		if own := (situation{t, focus}); ok && focus.UID == uid && r.fits(own) {
			return stepOf(r, own)
		}
	}
	return stepOf(general, s)
}
