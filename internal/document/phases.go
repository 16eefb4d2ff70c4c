package document

import (
	"slices"
	"strings"
	"unicode"
)

// maxPlanned bounds how many phases are read from a document: a task has no more.
const maxPlanned = 1000

// readPlanned reads the phases that documents plan, and notes how many more they
// name.
func (c *checker) readPlanned() {
	road, table := roadmap(c.docs[Roadmap]), planOfTask(c.docs[Plan]).phases()
	c.road, c.registry = road[:min(len(road), maxPlanned)], table[:min(len(table), maxPlanned)]
	c.morePlanned = map[string]int{Roadmap: len(road) - len(c.road), Plan: len(table) - len(c.registry)}
}

// choosePhases takes the task's phases, else those that its plan's registry or its
// roadmap names.
func (c *checker) choosePhases() {
	switch {
	case len(c.Phases) > 0:
		c.phases, c.planned = c.Phases, Whole
	default:
		if c.phases = c.registry; len(c.phases) > 0 {
			c.planned = Plan
		} else if c.phases = c.road.phases(); len(c.phases) > 0 {
			c.planned = Roadmap
		}
		c.phases = once(c.phases)
	}
}

// once are the phases without those whose ids others had before them.
func once(all []Phase) []Phase {
	seen := map[string]bool{}
	var kept []Phase
	for _, p := range all {
		if id := phaseID(p.ID); !seen[id] {
			seen[id] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// The names of a plan's registry and its columns.
var (
	registryNames = []string{"Phase Registry", "Registry", "Phases", "Phase overview"}
	idColumns     = []string{"#", "ID", "No", "Nr", "Phase"}
	titleColumns  = []string{"Subject", "Title", "Name", "Goal", "Summary", "Phase"}
	agentColumns  = []string{"Agent", "Agents", "Worker"}
	dependColumns = []string{"Blocked By", "Depends On", "Dependencies", "Needs", "After"}
)

// planOfTask are the phases that a plan names: those of its table (BC-22), else those
// of its headings, as a plan from a client's plan mode has them.
func planOfTask(t Text) plannedPhases {
	if all := tabled(t); len(all) > 0 {
		return all
	}
	return headed(t)
}

// registry are the phases that a plan's table of phases names (BC-22).
func registry(t Text) []Phase {
	s, ok := t.Find(registryNames...)
	if !ok {
		return nil
	}
	var all []Phase
	var ids []string
	for _, table := range t.Tables(s) {
		id := table.column(idColumns...)
		if id < 0 {
			continue
		}
		title, agent, depends := table.column(titleColumns...), table.column(agentColumns...), table.column(dependColumns...)
		for i, row := range table.Cells {
			if name := bare(cell(row, id)); i > 0 && name != "" {
				p := Phase{ID: name, Title: bare(cell(row, title)), Agents: agentNames(cell(row, agent)), Line: table.rowLine(i)}
				p.DependsOn = dependencies(cell(row, depends), ids)
				p.Kind, p.Of = kindOfID(name)
				all, ids = append(all, p), append(ids, name)
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// planned is a phase of a roadmap with what it says of it.
type planned struct {
	Phase
	section Section
	labels  []label
}

// plannedPhases are the phases of a roadmap.
type plannedPhases []planned

func (all plannedPhases) phases() []Phase {
	var out []Phase
	for _, p := range all {
		out = append(out, p.Phase)
	}
	return out
}

// roadmap reads the sections of a roadmap that are headed "Phase 1: Title", else the
// table of phases, else the other headings that number what is done.
func roadmap(t Text) plannedPhases {
	if all := sectionsOf(t, t.Sections, "phase"); len(all) > 0 {
		return all
	}
	return planOfTask(t)
}

// headed reads the sections that are headed "Phase 1: Title", else "Step 1: Title",
// else "1. Title" below a heading such as Implementation.
func headed(t Text) plannedPhases {
	for _, word := range []string{"phase", "step", "task"} {
		if all := sectionsOf(t, t.Sections, word); len(all) > 0 {
			return all
		}
	}
	if s, ok := t.Find(stepsNames...); ok {
		return sectionsOf(t, t.Below(s), "")
	}
	return nil
}

// sectionsOf reads the sections whose headings have a word and a number in front.
func sectionsOf(t Text, sections []Section, word string) plannedPhases {
	var all plannedPhases
	var ids []string
	for _, s := range sections {
		id, title, ok := phaseTitle(s.Title, word)
		if !ok {
			continue
		}
		p := planned{Phase: Phase{ID: id, Title: title, Line: s.Line}, section: s, labels: t.labels(s)}
		p.Kind, p.Of = kindOfID(id)
		if l, ok := labelled(p.labels, dependNames...); ok {
			p.DependsOn = dependencies(l.value, ids)
		} else if sub, ok := t.In(s, dependNames...); ok {
			for _, item := range t.Outermost(sub) {
				p.DependsOn = append(p.DependsOn, dependencies(item.Text, ids)...)
			}
		}
		all, ids = append(all, p), append(ids, id)
	}
	return all
}

// tabled reads the table of phases.
func tabled(t Text) plannedPhases {
	var all plannedPhases
	for _, p := range registry(t) {
		all = append(all, planned{Phase: p})
	}
	return all
}

var (
	dependNames = []string{"Depends on", "Dependencies", "Blocked by", "Needs"}
	stepsNames  = []string{
		"Implementation Steps", "Steps", "Implementation Plan", "Implementation", "Changes", "Plan", "Approach",
	}
)

// phaseTitle parts "Phase 1: Title", with the word in front that is asked for; without
// one, "1. Title".
func phaseTitle(heading, word string) (id, title string, ok bool) {
	n := len(word)
	if len(heading) < n+1 || !strings.EqualFold(heading[:n], word) || n > 0 && strings.IndexByte(" -_", heading[n]) < 0 {
		return "", "", false
	}
	rest := strings.TrimLeft(heading[n:], " -_#")
	n = strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' })
	if n < 0 {
		n = len(rest)
	}
	id = strings.TrimRight(rest[:n], ".")
	numbered := isDigits(id) && strings.IndexAny(rest[len(id):], ".):") == 0
	if id == "" || !strings.ContainsAny(id, "0123456789") && !strings.EqualFold(id, "FR") || word == "" && !numbered {
		return "", "", false
	}
	return id, bare(strings.TrimLeft(rest[len(id):], " .:–—-)")), true
}

// cycle is a way from a phase back to itself along dependencies, nil where there
// is none. The work on a phase waits until what it depends on is completed, that of
// a verification or a fix for the work on its phase, which is completed after them
// (BC-51).
func cycle(all []Phase) []string {
	index := map[string]int{}
	for i, p := range all {
		index[phaseID(p.ID)] = i
	}
	n := len(all) // the work on all[i] is done at i, it is completed at n+i
	on := make([][]int, 2*n)
	for i, p := range all {
		on[n+i] = append(on[n+i], i)
		of, below := index[phaseID(p.Of)]
		below = below && (p.Kind == Verification || p.Kind == Fix)
		if below {
			on[i], on[n+of] = append(on[i], of), append(on[n+of], n+i)
		}
		above := map[int]bool{} // a verification may name what it verifies: it waits for that work
		for k, ok := of, below; ok && !above[k]; k, ok = index[phaseID(all[k].Of)] {
			above[k] = true
		}
		for _, d := range p.DependsOn {
			if j, ok := index[phaseID(d)]; ok && !above[j] {
				on[i] = append(on[i], n+j)
			}
		}
	}
	state := make([]int, 2*n) // 1 on the way, 2 seen
	var way []int
	var visit func(i int) []string
	visit = func(i int) []string {
		state[i] = 1
		way = append(way, i)
		for _, j := range on[i] {
			switch state[j] {
			case 0:
				if found := visit(j); found != nil {
					return found
				}
			case 1:
				var ids []string
				for _, k := range append(way[slices.Index(way, j):], j) {
					ids = append(ids, all[k%n].ID)
				}
				ids = slices.Compact(ids)
				if len(ids) == 1 { // it depends on itself
					ids = append(ids, ids[0])
				}
				return ids
			}
		}
		way = way[:len(way)-1]
		state[i] = 2
		return nil
	}
	for i := range all {
		if state[i] == 0 {
			if found := visit(i); found != nil {
				return found
			}
		}
	}
	return nil
}
