package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// Settle makes a task one that can be, and says what that loses.
func (t *Task) Settle() []Lost {
	r := &reader{}
	r.settle(t)
	return r.out.Lost
}

// settle makes a task one that can be: its phases have ids of their own, wait for phases
// that there are and not in a circle, and every line fits.
func (r *reader) settle(t *Task) {
	t.Title = cmp.Or(r.cut(t.Source, 0, t.Title, task.MaxTitle), "Imported task")
	t.Status = cmp.Or(t.Status, task.Pending)
	if len(t.Phases) > task.MaxPhases {
		r.lose(t.Source, t.Phases[task.MaxPhases].line, "a task has at most %d phases; %d more are left out", task.MaxPhases,
			len(t.Phases)-task.MaxPhases)
		t.Phases = t.Phases[:task.MaxPhases]
	}
	r.settleIDs(t)
	for i := range t.Phases {
		p := &t.Phases[i]
		p.Title = cmp.Or(r.cut(t.Source, p.line, p.Title, task.MaxTitle), "Phase "+p.ID)
		p.Kind, p.Tier = cmp.Or(p.Kind, task.KindExecution), cmp.Or(p.Tier, task.TierAuto)
		p.Status = cmp.Or(p.Status, task.PhasePending)
		p.Acceptance = r.items(t, *p, "criterion", p.Acceptance)
		p.Verify = r.items(t, *p, "command", p.Verify)
		p.Agents = agentsOf(r, t, *p)
		p.Reports = oneOfEach(p.Reports)
		r.settleDone(t, p)
	}
	t.Phases = r.ordered(t, t.Phases)
}

// settleDone leaves what a phase that is over would still owe: a task's rules would not
// take its word that it once passed.
func (r *reader) settleDone(t *Task, p *Phase) {
	if p.Status != task.PhaseCompleted {
		return
	}
	if len(p.Verify) > 0 {
		r.lose(t.Source, p.line, "phase %s is completed, and the commands that verified it are left out: %s", p.ID,
			strings.Join(p.Verify, "; "))
		p.Verify = nil
	}
	reported := func(agent string) bool {
		return slices.ContainsFunc(p.Reports, func(have Report) bool { return have.Agent == agent })
	}
	p.Agents = slices.DeleteFunc(p.Agents, func(agent string) bool {
		if !reported(agent) {
			r.lose(t.Source, p.line, "phase %s is completed without a report of its agent %s, which is left out", p.ID, agent)
		}
		return !reported(agent)
	})
}

// settleIDs gives each phase an id that it can have, and takes the others' word for it.
func (r *reader) settleIDs(t *Task) {
	taken := map[string]bool{}
	var renamed [][2]string
	n := 0 // the last number that was given
	for i := range t.Phases {
		p := &t.Phases[i]
		_, _, special := task.Task{}.KindOf(p.ID)
		fits := task.ValidName(p.ID) && !taken[strings.ToLower(p.ID)] &&
			(p.Kind == task.KindFinalReview || p.Of != "" || !special && task.Task{}.CheckID(p.ID) == nil)
		if !fits {
			n++
			for taken[strconv.Itoa(n)] || slices.ContainsFunc(t.Phases, func(q Phase) bool { return q.ID == strconv.Itoa(n) }) {
				n++
			}
			r.lose(t.Source, p.line, "%q can't be the id of a phase here; it is called %d", line(p.ID, task.MaxName), n)
			if !taken[strings.ToLower(p.ID)] {
				renamed = append(renamed, [2]string{p.ID, strconv.Itoa(n)})
			}
			p.ID = strconv.Itoa(n)
		}
		taken[strings.ToLower(p.ID)] = true
	}
	for i := range t.Phases {
		p := &t.Phases[i]
		for _, r := range renamed {
			if p.Of == r[0] {
				p.Of = r[1]
			}
			for j, id := range p.DependsOn {
				if id == r[0] {
					p.DependsOn[j] = r[1]
				}
			}
		}
	}
}

func (r *reader) items(t *Task, p Phase, what string, all []string) (out []string) {
	for _, s := range all {
		item := line(s, task.MaxItem)
		switch {
		case item == "" || slices.Contains(out, item):
			continue
		case len(out) == task.MaxItems:
			r.lose(t.Source, p.line, "phase %s has at most %d of each; the others are left out", p.ID, task.MaxItems)
			return out
		case len(s) > task.MaxItem && what == "command":
			r.lose(t.Source, p.line, "a command of phase %s is too long, and left out", p.ID)
			continue
		case len(s) > task.MaxItem:
			r.lose(t.Source, p.line, "a %s of phase %s is cut", what, p.ID)
		}
		out = append(out, item)
	}
	return out
}

// oneOfEach joins the reports of an agent: it has one on an iteration.
func oneOfEach(all []Report) (out []Report) {
	for _, r := range all {
		if i := slices.IndexFunc(out, func(have Report) bool { return have.Agent == r.Agent }); i >= 0 {
			r.Text = slices.Concat(out[i].Text, []byte("\n"), r.Text)
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, r)
	}
	return out
}

// agentsOf are the names of a phase's agents as they may be here.
func agentsOf(r *reader, t *Task, p Phase) (out []string) {
	for _, said := range p.Agents {
		name := task.AgentName(said)
		if name != said {
			r.lose(t.Source, p.line, "phase %s: its agent %q is called %q here", p.ID, line(said, task.MaxTitle), name)
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// ordered puts every phase behind those that it waits for or belongs to, and else leaves
// their order. What waits for no phase, or in a circle, waits no more.
func (r *reader) ordered(t *Task, left []Phase) (out []Phase) {
	known := map[string]bool{}
	for _, p := range left {
		known[p.ID] = true
	}
	for i := range left {
		p := &left[i]
		var on []string
		for _, id := range p.DependsOn {
			switch {
			case !known[id] || id == p.ID:
				r.lose(t.Source, p.line, "phase %s waits for %q, which is no other phase", p.ID, line(id, task.MaxName))
			case len(on) == task.MaxDepends:
				r.lose(t.Source, p.line, "phase %s waits for more than %d phases; for %s it does not", p.ID, task.MaxDepends, id)
			case !slices.Contains(on, id):
				on = append(on, id)
			}
		}
		if p.DependsOn = on; p.Of != "" && (!known[p.Of] || p.Of == p.ID) {
			r.lose(t.Source, p.line, "phase %s belongs to %q, which is no phase", p.ID, line(p.Of, task.MaxName))
			p.Of, p.Kind = "", task.KindExecution
		}
	}
	there := map[string]bool{}
	for len(left) > 0 {
		var later []Phase
		for _, p := range left {
			waits := p.Of != "" && !there[p.Of] ||
				slices.ContainsFunc(p.DependsOn, func(id string) bool { return !there[id] })
			if waits {
				later = append(later, p)
				continue
			}
			out, there[p.ID] = append(out, p), true
		}
		if len(later) == len(left) {
			r.breakCircle(t, &later[0], there)
		}
		left = later
	}
	return out
}

// breakCircle lets a phase wait for those alone that are there.
func (r *reader) breakCircle(t *Task, p *Phase, there map[string]bool) {
	p.DependsOn = slices.DeleteFunc(p.DependsOn, func(id string) bool {
		if !there[id] {
			r.lose(t.Source, p.line, "phases wait for each other in a circle; %s waits no more for %s", p.ID, id)
		}
		return !there[id]
	})
	if p.Of != "" && !there[p.Of] {
		r.lose(t.Source, p.line, "phases belong to each other in a circle; %s belongs to %s no more", p.ID, p.Of)
		p.Of, p.Kind = "", task.KindExecution
	}
}
