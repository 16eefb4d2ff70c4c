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
	t = withAddedPhases(t)
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
		number[p.ID] = strconv.Itoa(i + 1)
		b.WriteString(specdacularSection("###", p, number))
	}
	return []byte(b.String())
}

// specdacularSection is a phase's section in a roadmap; number has what the phases are
// called there.
func specdacularSection(mark string, p Phase, number map[string]string) string {
	text := fmt.Sprintf("\n%s Phase %s: %s\n", mark, number[p.ID], p.Title)
	if len(p.Acceptance) > 0 {
		text += fmt.Sprintf("\n**Success Criteria:**\n1. %s\n", strings.Join(p.Acceptance, "\n1. "))
	}
	var on []string
	for _, id := range p.DependsOn {
		if number[id] != "" {
			on = append(on, "Phase "+number[id])
		}
	}
	if len(on) > 0 {
		text += fmt.Sprintf("\n**Dependencies:** %s\n", strings.Join(on, ", "))
	}
	return text
}

// withAddedPhases puts the phases behind the task's own roadmap that were added to it since:
// those of a plain number, where the roadmap then plans them beside its own.
func withAddedPhases(t Task) Task {
	own := t.Doc(task.DocRoadmap)
	if own == nil {
		return t
	}
	number := map[string]string{}
	planned := (&reader{}).planned(document.Roadmap, "", own)
	for _, p := range planned {
		number[p.ID] = p.ID
	}
	text, added := string(own), 0
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for _, p := range t.Phases {
		if n, err := strconv.Atoi(p.ID); err == nil && strconv.Itoa(n) == p.ID && isStory(p) && number[p.ID] == "" {
			number[p.ID] = p.ID
			text, added = text+specdacularSection("##", p, number), added+1
		}
	}
	if added == 0 || len((&reader{}).planned(document.Roadmap, "", []byte(text))) != len(planned)+added {
		return t
	}
	t.Docs = slices.Clone(t.Docs)
	i := slices.IndexFunc(t.Docs, func(d Doc) bool { return d.Name == task.DocRoadmap })
	t.Docs[i].Text = []byte(text)
	return t
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
