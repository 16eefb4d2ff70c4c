package importer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

func writeSpecdacular(t Task) (files []File) {
	dir := slugOf(t.Title)
	add := func(name string, data []byte) { files = append(files, File{join(dir, name), data}) }
	for _, d := range specdacularDocs() {
		if text := t.Doc(d.Name); text != nil {
			add(string(d.Text), text)
		}
	}
	if t.Doc(task.DocSpec) == nil {
		add("FEATURE.md", []byte("# Feature: "+t.Title+"\n"))
	}
	var c specdacularTask
	c.Name, c.Title, c.Stage = slugOf(t.Title), t.Title, specdacularStage(t)
	phases := specdacularPhases(t)
	c.Phases.Total, c.Phases.Current, c.Phases.Status = len(phases), 1, "pending"
	for i, p := range phases {
		if p.Plan == nil {
			p.Plan = fmt.Appendf(nil, "# Phase %s: %s\n", p.ID, p.Title)
		}
		if p.ID != "" {
			add("phases/phase-"+strings.Repeat("0", max(0, 2-len(p.ID)))+p.ID+"/PLAN.md", p.Plan)
		}
		if p.Status == task.PhaseCompleted && i == c.Phases.Completed {
			c.Phases.Completed, c.Phases.Current = i+1, min(i+2, len(phases))
		}
	}
	if n := c.Phases.Completed; n < len(phases) {
		switch phases[n].Status {
		case task.PhaseInProgress, task.PhaseFailed:
			c.Phases.Status = "executing"
		case task.PhaseInReview:
			c.Phases.Status = "executed"
		case task.PhasePending, task.PhaseCompleted, task.PhaseDropped:
		}
	} else if n > 0 {
		c.Phases.Status = "completed"
	}
	if t.Doc(task.DocRoadmap) == nil && len(t.Phases) > 0 {
		add(specdacularRoadmap, specdacularRoadmapText(t))
	}
	if config, err := json.MarshalIndent(c, "", "  "); err == nil {
		add(specdacularConfig, append(config, '\n'))
	}
	if len(t.Decisions) > 0 {
		add(specdacularDecisions, specdacularDecisionsText(t))
	}
	return files
}

// specdacularPhases are the phases that a roadmap has, by the ids that they have there: those
// that the task's own plans, without an id where the task has none such, else all.
func specdacularPhases(t Task) (all []Phase) {
	own := t.Doc(task.DocRoadmap)
	if own == nil {
		all = slices.Clone(t.Phases)
		for i := range all {
			all[i].ID = strconv.Itoa(i + 1)
		}
		return all
	}
	for _, q := range (&reader{}).planned(document.Roadmap, "", own) {
		p := find(t.Phases, q.ID)
		if p == nil {
			p = &Phase{}
		}
		all = append(all, *p)
	}
	return all
}

// specdacularStage is Specdacular's word for how far a task is.
func specdacularStage(t Task) string {
	switch {
	case t.Status == task.Finished, t.Stage == task.StageComplete:
		return "complete"
	case t.Stage == task.StageExecute, begun(t.Phases):
		return "execution"
	case t.Stage == task.StagePlan:
		return "planning"
	case t.Stage == task.StageResearch:
		return "research"
	}
	return "discussion"
}

func specdacularRoadmapText(t Task) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Roadmap: %s\n\n## Phase Details\n", t.Title)
	number := map[string]string{}
	for i, p := range t.Phases {
		number[p.ID] = fmt.Sprint(i + 1)
		fmt.Fprintf(&b, "\n### Phase %d: %s\n", i+1, p.Title)
		if len(p.Acceptance) > 0 {
			fmt.Fprintf(&b, "\n**Success Criteria:**\n1. %s\n", strings.Join(p.Acceptance, "\n1. "))
		}
		on := make([]string, 0, len(p.DependsOn))
		for _, id := range p.DependsOn {
			on = append(on, "Phase "+number[id])
		}
		if len(on) > 0 {
			fmt.Fprintf(&b, "\n**Dependencies:** %s\n", strings.Join(on, ", "))
		}
	}
	return []byte(b.String())
}

func specdacularDecisionsText(t Task) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Decisions: %s\n\n## Active Decisions\n", t.Title)
	for i, d := range t.Decisions {
		status := "Active"
		if d.Revoked {
			status = "Revoked"
		}
		fmt.Fprintf(&b, "\n### %s: %s\n\n**Status:** %s\n**Decision:** %s\n", task.ShownDecision(i), d.Title, status, d.Why)
	}
	return []byte(b.String())
}
