package rules

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// Rung is a step of a ladder.
type Rung struct {
	Action task.EscalationAction
	// Tiers are the phases' that it is for; none: all.
	Tiers []task.Tier
	// After is how many iterations since the last escalation a phase has first;
	// Early: it may come before, and has to come then.
	After int
	Early bool
	// Total is how many iterations a phase has altogether, verifications counted,
	// before it; Agree how many agents have to want it.
	Total, Agree int
	// Most is how often a phase is escalated by the work itself, 0: no limit.
	Most int
}

// Ladder is how far a phase is taken that does not succeed.
type Ladder struct {
	Name  task.LadderName
	Rungs []Rung
}

// LadderLimits are the numbers of the ladders that settings change.
type LadderLimits struct {
	// Iterations is how many a phase gets (review.maxIterations).
	Iterations int
	// Junior and Senior are how many a worker of that tier gets
	// (escalate.juniorAfter, escalate.seniorAfter).
	Junior, Senior int
}

// The limits that no setting changes (BC-37, BR-11).
const (
	maxEscalated    = 2  // by research, split, upgrade, reassign, altogether
	askAfter        = 10 // iterations
	askAgree        = 2  // agents
	executiveTrials = 50
)

// LadderOf is the table of ladders. A phase whose tier is left to the runner is
// one of the seniors'.
func LadderOf(name task.LadderName, n LadderLimits) Ladder {
	l := Ladder{Name: name}
	switch name {
	case task.LadderBrew:
		l.Rungs = []Rung{
			{Action: task.ActionResearch, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionSplit, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionUpgrade, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionReassign, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionAsk, After: n.Iterations, Total: askAfter, Agree: askAgree},
		}
	case task.LadderKitchen:
		l.Rungs = []Rung{
			{Action: task.ActionUpgrade, Tiers: []task.Tier{task.TierJunior}, After: n.Junior, Early: true},
			{Action: task.ActionUpgrade, Tiers: []task.Tier{task.TierSenior, task.TierAuto}, After: n.Senior, Early: true},
			{Action: task.ActionAsk, Tiers: []task.Tier{task.TierExecutive}, After: executiveTrials, Early: true},
		}
	}
	return l
}

// of are the rungs for a tier.
func (l Ladder) of(tier task.Tier) []Rung {
	return slices.DeleteFunc(slices.Clone(l.Rungs), func(r Rung) bool {
		return len(r.Tiers) > 0 && !slices.Contains(r.Tiers, tier)
	})
}

// For are the rungs for a phase, in order. Where it has to be escalated, and the
// only rungs left are for a phase that has had more iterations, those are for this
// one: it could have no more, and a ladder never ends below a phase that stands on
// it (BC-37).
func (l Ladder) For(p task.Phase) []Rung {
	rungs := l.of(p.Tier)
	if !p.MustEscalate || slices.ContainsFunc(rungs, func(r Rung) bool { return r.Total == 0 && r.left(p) > 0 }) {
		return rungs
	}
	for i := range rungs {
		rungs[i].Total = 0
	}
	return rungs
}

func (l Ladder) rung(p task.Phase, action task.EscalationAction) (Rung, bool) {
	all := l.For(p)
	i := slices.IndexFunc(all, func(r Rung) bool { return r.Action == action })
	if i < 0 {
		return Rung{}, false
	}
	return all[i], true
}

// Rung is the one for a phase by its action, or why there is none.
func (l Ladder) Rung(p task.Phase, action task.EscalationAction) (Rung, error) {
	if !slices.Contains(task.EscalationActions, action) {
		return Rung{}, task.UnknownWord("action", string(action), task.EscalationActions)
	}
	r, ok := l.rung(p, action)
	if !ok {
		return r, task.Refuse(task.CodeEscalation,
			"the ladder "+string(l.Name)+" has no "+string(action)+" for a phase of tier "+string(p.Tier),
			"see 'git brew escalate "+p.ID+"'")
	}
	return r, nil
}
