package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

// brewcodeOwnPlan stands between the tables that Brewcode reads and the plan of the task.
const brewcodeOwnPlan = "\n<!-- the plan as git brew has it -->\n"

// writeBrewcode writes a task as Brewcode has it. The plan is kept, with the tables of
// phases that Brewcode reads in front of it.
func writeBrewcode(t Task) (files []File) {
	dir := brewcodeDir(t)
	add := func(name string, data []byte) { files = append(files, File{join(dir, name), data}) }
	add(brewcodePlan, brewcodePlanText(t))
	if text := t.Doc(task.DocSpec); text != nil {
		add(brewcodeSpec, text)
	}
	if text := t.Doc(task.DocFinal); text != nil {
		add(brewcodeFinal, text)
	}
	add(brewcodeKnowledge, knowledgeLines(t.Knowledge))
	for _, p := range t.Phases {
		add("phases/"+brewcodePhaseFile(p), brewcodePhaseText(p))
		for _, report := range p.Reports {
			id, kind := p.ID, "e"
			if p.Kind == task.KindVerification {
				id, kind = strings.TrimSuffix(id, "V"), "v"
			}
			add(fmt.Sprintf("artifacts/%s-1%s/%s%s", id, kind, report.Agent, brewcodeOutput), report.Text)
		}
	}
	return files
}

// brewcodeDir is {stamp}_{NAME}_task, by the time at which the task was made.
func brewcodeDir(t Task) string {
	made, err := time.Parse(time.RFC3339, t.Created)
	if err != nil {
		made = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && task.ValidName(string(r)) {
			return r
		}
		return '_'
	}, strings.ToUpper(t.Title))
	return made.UTC().Format("20060102_150405_") + name[:min(len(name), task.MaxTitle)] + "_task"
}

func brewcodePhaseFile(p Phase) string { return p.ID + "-phase.md" }

func brewcodePhaseText(p Phase) []byte {
	if p.Plan != nil {
		return p.Plan
	}
	text := "# Phase " + p.ID + ": " + p.Title + "\n"
	if len(p.Acceptance) > 0 {
		text += "\n## Exit Criteria\n\n- " + strings.Join(p.Acceptance, "\n- ") + "\n"
	}
	if len(p.Verify) > 0 {
		text += "\n## Verify\n\n- `" + strings.Join(p.Verify, "`\n- `") + "`\n"
	}
	return []byte(text)
}

// knowledgeLines are entries as Brewcode writes them.
func knowledgeLines(entries []knowledge.Entry) []byte {
	type entry struct {
		TS    string   `json:"ts"`
		T     string   `json:"t"`
		Txt   string   `json:"txt"`
		Src   string   `json:"src"`
		Paths []string `json:"paths,omitempty"`
	}
	all := make([]entry, 0, len(entries))
	for _, e := range entries {
		all = append(all, entry{e.TS, e.T.Symbol(), e.Txt, e.Src, e.Paths})
	}
	return knowledge.EncodeLines(all)
}

// brewcodePlanText is the plan behind Brewcode's head and tables.
func brewcodePlanText(t Task) []byte {
	var b strings.Builder
	status := string(t.Status)
	switch t.Status {
	case task.InProgress:
		status = "in progress"
	case task.Paused:
		status = "handoff"
	case task.Pending, task.Finished, task.Failed, task.Cancelled:
	}
	done := 0
	for _, p := range t.Phases {
		if p.Status == task.PhaseCompleted {
			done++
		}
	}
	fmt.Fprintf(&b, "status: %s\ncurrent_phase: %d\ntotal_phases: %d\n\n# Plan: %s\n\n## Phase Registry\n\n", status, done,
		len(t.Phases), t.Title)
	b.WriteString("| # | Phase File | Agent | Subject | Blocked By |\n|---|---|---|---|---|\n")
	for _, p := range t.Phases {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", p.ID, brewcodePhaseFile(p), orDash(strings.Join(p.Agents, ", ")),
			escaped(p.Title), orDash(strings.Join(p.DependsOn, ", ")))
	}
	b.WriteString("\n## Phase Status\n\n| # | Status | Started | Completed | Iterations |\n|---|---|---|---|---|\n")
	for _, p := range t.Phases {
		fmt.Fprintf(&b, "| %s | %s | - | - | 1 |\n", p.ID, brewcodeWord(p.Status))
	}
	b.WriteString(brewcodeOwnPlan)
	b.Write(t.Doc(task.DocPlan))
	return []byte(b.String())
}

func brewcodeWord(s task.PhaseStatus) string {
	switch s {
	case task.PhaseInReview:
		return "in_progress"
	case task.PhaseDropped:
		return "failed"
	case task.PhasePending, task.PhaseInProgress, task.PhaseCompleted, task.PhaseFailed:
	}
	return string(s)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func escaped(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
