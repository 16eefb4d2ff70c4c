package importer

import (
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

// The files of Spec Kit and OpenSpec.
const (
	checklistTasks = "tasks.md"
	specKitSpec    = "spec.md"
	openSpecChange = "proposal.md"
)

// readSpecKit reads directories of features: spec.md, plan.md, research.md, tasks.md.
func readSpecKit(r *reader) error {
	dirs, err := r.taskDirs(specKitSpec)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		t := Task{Source: join(dir, checklistTasks), Title: words(strings.TrimLeft(dirName(r.name, dir), "0123456789-"))}
		spec := r.doc(&t, task.DocSpec, join(dir, specKitSpec))
		if kind, title, ok := strings.Cut(heading(spec), ": "); ok && strings.HasSuffix(kind, "Specification") {
			t.Title = title
		}
		if _, rest, ok := strings.Cut(string(spec), "**Feature Branch**: `"); ok {
			t.Branch, _, _ = strings.Cut(rest, "`")
		}
		r.doc(&t, task.DocPlan, join(dir, "plan.md"))
		r.doc(&t, task.DocResearch, join(dir, "research.md"))
		r.checklist(&t, r.doc(&t, task.DocRoadmap, t.Source))
		r.gather(&t, dir)
		r.out.Tasks = append(r.out.Tasks, t)
	}
	return nil
}

// readOpenSpec reads directories of changes: proposal.md, design.md, tasks.md, specs/.
// Archived changes are history.
func readOpenSpec(r *reader) error {
	archived := map[string]bool{}
	for _, p := range r.paths {
		_, rest, is := strings.Cut("/"+p, "/archive/")
		if name, _, inDir := strings.Cut(rest, "/"); is && inDir {
			archived[name], r.used[p] = true, true
		}
	}
	if n := len(archived); n > 0 {
		r.lose("", 0, "left there as history: %s", task.Counted(n, "archived change"))
	}
	dirs, err := r.taskDirs(openSpecChange)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		t := Task{Source: join(dir, checklistTasks), Title: words(dirName(r.name, dir))}
		r.doc(&t, task.DocSpec, join(dir, openSpecChange))
		r.doc(&t, task.DocPlan, join(dir, "design.md"))
		r.checklist(&t, r.doc(&t, task.DocRoadmap, t.Source))
		r.gather(&t, dir)
		r.out.Tasks = append(r.out.Tasks, t)
	}
	return nil
}

// checklist makes a phase of each section of a list of tasks, "## Phase 3: Title" or
// "## 1. Title"; its boxes are the criteria. A list without sections is one phase. They
// follow each other, but for one that began before what stands above it was over.
func (r *reader) checklist(t *Task, text []byte) {
	all, inside := boxes(text), 0
	var sections []document.Section
	for _, s := range document.Read(text).Sections {
		if s.Level > 0 && s.Level <= 2 {
			sections = append(sections, s)
		}
	}
	if n := len(sections); n > task.MaxPhases {
		sections = sections[:task.MaxPhases]
		r.lose(t.Source, 0, "a task has at most %d phases; %d more are left out", task.MaxPhases, n-task.MaxPhases)
	}
	if len(sections) == 0 {
		sections = []document.Section{{Title: t.Title}}
	}
	for i, s := range sections {
		end := int(^uint(0) >> 1)
		if i+1 < len(sections) {
			end = sections[i+1].Line
		}
		p := Phase{line: s.Line}
		p.ID, p.Title = checklistTitle(s.Title)
		done := 0
		for _, b := range all {
			if b.line > s.Line && b.line < end {
				p.Acceptance = append(p.Acceptance, b.text)
				if b.done {
					done++
				}
			}
		}
		switch n := len(p.Acceptance); {
		case n == 0:
			continue
		case done == n:
			p.Status = task.PhaseCompleted
		case done > 0:
			p.Status = task.PhaseInProgress
		}
		if n := len(t.Phases); n > 0 && (p.Status == "" || t.Phases[n-1].Status == task.PhaseCompleted) {
			p.DependsOn = []string{t.Phases[n-1].ID}
		}
		if find(t.Phases, p.ID) != nil || !task.ValidName(p.ID) || !digitsOnly(p.ID) {
			p.ID = nextID(t.Phases)
		}
		t.Phases = append(t.Phases, p)
	}
	for _, p := range t.Phases {
		inside += len(p.Acceptance)
	}
	if n := len(all) - inside; n > 0 {
		r.lose(t.Source, 0, "%s with a box outside of sections: no phase has it", task.Counted(n, "item"))
	}
	t.Status = task.Pending
	if begun(t.Phases) {
		t.Status = task.InProgress
	}
}

// checklistTitle parts "Phase 3: Title" and "1. Title" into id and title.
func checklistTitle(s string) (id, title string) {
	rest, isPhase := strings.CutPrefix(s, "Phase ")
	n := strings.IndexAny(rest, ":.) ")
	if n < 0 || !isPhase && !digitsOnly(rest[:n]) {
		return "", s
	}
	return rest[:n], strings.TrimLeft(rest[n:], ":.) ")
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
