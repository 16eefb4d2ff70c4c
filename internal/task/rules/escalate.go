package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// Attempts is how often work on p has begun: its own iterations, and those of its
// fixes. Whatever counts iterations towards an escalation counts these.
func Attempts(t task.Task, p task.Phase) int {
	n := p.Iteration
	for _, q := range t.Phases {
		if q.Parent == p.UID && q.Kind == task.KindFix {
			n += q.Iteration
		}
	}
	return n
}

// SinceEscalation is how often work on p has begun since it was escalated, or at
// all.
func SinceEscalation(t task.Task, p task.Phase) int {
	n := Attempts(t, p)
	if len(p.Escalations) > 0 {
		n -= p.Escalations[len(p.Escalations)-1].Attempts
	}
	return max(n, 0)
}

// Spends reports whether p, whose work was rejected or failed just now, has had
// the iterations that the ladder allows: an escalation comes next. Where none of
// the ladder is open yet, it goes on until one is.
func (l Ladder) Spends(t task.Task, p task.Phase) bool {
	due := !slices.ContainsFunc(l.of(p.Tier), func(r Rung) bool { return SinceEscalation(t, p) < r.After })
	return due && l.Reached(t, p)
}

// Reached reports whether p stands below a rung that it could be taken to, whoever
// has to want that. Nothing else is a reason to keep its work from going on.
func (l Ladder) Reached(t task.Task, p task.Phase) bool {
	return slices.ContainsFunc(l.of(p.Tier), func(r Rung) bool { return r.left(p) > 0 && r.Total <= Attempts(t, p) })
}

// Open says why a rung can't be taken for p now, nil where it can. agreed are the
// agents that want it.
func (r Rung) Open(t task.Task, p task.Phase, agreed []string) error {
	since := SinceEscalation(t, p)
	if !r.Early && since < r.After && !p.MustEscalate && p.Status != task.PhaseFailed {
		had := fmt.Sprintf("phase %s has had %d of %d iterations", p.ID, since, r.After)
		if len(p.Escalations) > 0 {
			had += " since it was escalated"
		}
		return task.Refuse(task.CodeEscalation, had, "see 'git brew next'")
	}
	return r.limits(t, p, agreed)
}

// limits are those that no setting changes: they hold in the fold, too (BC-37).
func (r Rung) limits(t task.Task, p task.Phase, agreed []string) error {
	agree, shows := len(distinct(agreed)), "'git brew escalate "+p.ID+"' shows what is open"
	switch {
	case r.left(p) <= 0:
		return task.Refuse(task.CodeEscalation,
			fmt.Sprintf("phase %s was escalated %d times, as often as can be", p.ID, cmp.Or(r.Most, len(p.Escalations))), shows)
	case Attempts(t, p) < r.Total:
		return task.Refuse(task.CodeEscalation,
			fmt.Sprintf("phase %s has had %d iterations; people are asked after %d", p.ID, Attempts(t, p), r.Total),
			shows)
	case agree < r.Agree:
		return task.Refuse(task.CodeEscalation, fmt.Sprintf("%d of %d agents agree to ask people", agree, r.Agree),
			"name them with --agree")
	}
	return nil
}

// distinct are names without those that are another one's, in any case of their
// letters: that is one reviewer on a board, too.
func distinct(names []string) []string {
	var all []string
	for _, name := range names {
		if !slices.ContainsFunc(all, func(o string) bool { return strings.EqualFold(o, name) }) {
			all = append(all, name)
		}
	}
	return all
}

// left is how often the rung can be taken for p yet: the actions that the work
// itself takes are counted together.
func (r Rung) left(p task.Phase) int {
	left := task.MaxEscalations - len(p.Escalations)
	if r.Most == 0 {
		return left
	}
	taken := 0
	for _, x := range p.Escalations {
		if x.Action != task.ActionAsk {
			taken++
		}
	}
	return min(left, r.Most-taken)
}

// spend says that the iterations are used up of the phase that uid's work is a
// part of. One that was escalated as often as can be recorded just goes on.
func (e *editor) spend(uid task.UID) {
	p, _ := e.t.Phase(uid)
	if i := e.t.PhaseIndex(e.t.WorkOf(p).UID); i >= 0 && !e.t.Phases[i].Status.Over() &&
		len(e.t.Phases[i].Escalations) < task.MaxEscalations {
		e.phases()[i].MustEscalate = true
	}
}

// CheckSpent refuses work on a phase that has to be escalated first.
func CheckSpent(t task.Task, p task.Phase) error {
	if p.Kind == task.KindVerification {
		return nil
	}
	if work := t.WorkOf(p); work.MustEscalate {
		return task.Refuse(task.CodeEscalation, SpentReason(t, work), "see 'git brew escalate "+work.ID+"'")
	}
	return nil
}

// Escalates reports whether p has to be escalated before anything else is done
// about it: its work would begin again. What is up for review may be approved, and
// the parts of a phase that was split are work of their own.
func Escalates(t task.Task, p task.Phase) bool {
	if !p.MustEscalate || !p.Escalatable() {
		return false
	}
	switch p.Status {
	case task.PhaseInReview:
		return slices.ContainsFunc(t.Phases, func(q task.Phase) bool {
			return q.Status == task.PhaseInReview && t.WorkOf(q).UID == p.UID &&
				(q.Review == task.ReviewChanges || VerificationFailed(t, q))
		})
	case task.PhasePending, task.PhaseFailed:
		return allCompleted(t.Children(p.UID, task.KindSplit))
	case task.PhaseInProgress, task.PhaseCompleted, task.PhaseDropped:
	}
	return false
}

// SpentReason says in a clause why p has to be escalated.
func SpentReason(t task.Task, p task.Phase) string {
	s := fmt.Sprintf("phase %s did not succeed in %s", p.ID, task.Counted(SinceEscalation(t, p), "iteration"))
	if len(p.Escalations) > 0 {
		s += " since it was escalated"
	}
	return s
}

// ResearchFirst reports whether p waits for open research of its own.
func ResearchFirst(t task.Task, p task.Phase) bool {
	return slices.ContainsFunc(t.Children(p.UID, task.KindResearch), task.Phase.Open)
}

func escalatePhase(e *editor, i int, p task.EscalatePayload) error {
	phase := e.t.Phases[i]
	if !phase.Escalatable() {
		return wrongStatus(e.t, phase, "only work that is not done is escalated, and no fix or verification")
	}
	rung, err := LadderOf(p.Ladder, LadderLimits{}).Rung(phase, p.Action)
	if err == nil {
		err = rung.limits(e.t, phase, p.Agreed)
	}
	if err != nil {
		return err
	}
	q := &e.phases()[i]
	q.MustEscalate = false
	q.Escalations = append(slices.Clip(q.Escalations), task.Escalation{
		UID: e.op.ID, At: e.at, Action: p.Action, Ladder: p.Ladder,
		Attempts: Attempts(e.t, phase), Reason: p.Reason, Agreed: distinct(p.Agreed),
	})
	return nil
}
