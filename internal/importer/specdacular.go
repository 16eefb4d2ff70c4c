package importer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

// specdacularDocs are Specdacular's files that are documents of a task here.
func specdacularDocs() []Doc {
	return []Doc{
		{task.DocSpec, []byte("FEATURE.md")},
		{task.DocContext, []byte("CONTEXT.md")},
		{task.DocResearch, []byte("RESEARCH.md")},
		{task.DocRoadmap, []byte("ROADMAP.md")},
		{task.DocChangelog, []byte("CHANGELOG.md")},
	}
}

const (
	specdacularConfig    = "config.json"
	specdacularDecisions = "DECISIONS.md"
	specdacularRoadmap   = "ROADMAP.md"
)

// specdacularTask is a task's config.json.
type specdacularTask struct {
	Name    string `json:"task_name"`
	Feature string `json:"feature_name,omitempty"` // as it was called before
	Title   string `json:"title,omitempty"`        // git brew's own
	Stage   string `json:"stage"`
	Phases  struct {
		Total     int    `json:"total"`
		Completed int    `json:"completed"`
		Current   int    `json:"current"`
		Status    string `json:"current_status"`
	} `json:"phases"`
}

// readSpecdacular reads directories of tasks: FEATURE.md, config.json and what stands
// beside them.
func readSpecdacular(r *reader) error {
	dirs, err := r.taskDirs("FEATURE.md")
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		var config specdacularTask
		t := Task{Source: join(dir, specdacularConfig)}
		data, err := r.data(t.Source, task.MaxText)
		if err != nil {
			return err
		}
		if err := decode(data, &config); err != nil && data != nil {
			r.lose(t.Source, 0, "%s", line(err.Error(), task.MaxTitle))
		}
		r.notCarried(t.Source, 0, data, "task_name", "feature_name", "title", "stage", "phases")
		r.notCarried(t.Source, 0, fieldsOf(data)["phases"], "total", "completed", "current", "current_status")
		t.Title = words(cmp.Or(config.Name, config.Feature, dirName(r.name, dir)))
		for _, d := range specdacularDocs() {
			r.doc(&t, d.Name, join(dir, string(d.Text)))
		}
		kind, title, _ := strings.Cut(heading(t.Doc(task.DocSpec)), ": ")
		if config.Title != "" {
			t.Title = config.Title
		} else if kind == "Feature" && title != "" && words(title) != t.Title {
			t.Title = title
		}
		roadmap := join(dir, specdacularRoadmap)
		t.Phases = r.planned(document.Roadmap, roadmap, t.Doc(task.DocRoadmap))
		r.specdacularPlans(&t, dir)
		r.specdacularStatus(&t, config)
		t.Decisions = r.decisions(join(dir, specdacularDecisions))
		r.out.Tasks = append(r.out.Tasks, t)
	}
	return nil
}

// specdacularPlans takes the plans of phases: phases/phase-02/PLAN.md. A fix's belongs to
// a phase that is none here.
func (r *reader) specdacularPlans(t *Task, dir string) {
	for _, p := range r.below(join(dir, "phases")) {
		id, ok := strings.CutPrefix(path.Base(path.Dir(p)), "phase-")
		if !ok || path.Base(p) != "PLAN.md" {
			continue
		}
		if phase := find(t.Phases, id); phase != nil {
			text := r.text(p)
			phase.take(text, string(text))
		} else {
			r.used[p] = true
			r.lose(p, 0, "phase %s is none of the roadmap's; a fix is made here when its time comes", line(id, task.MaxName))
		}
	}
}

// specdacularStatus takes what config.json says of stage and phases, else the boxes of
// the roadmap.
func (r *reader) specdacularStatus(t *Task, c specdacularTask) {
	switch c.Stage {
	case "":
	case "abandoned":
		t.Status = task.Cancelled
	default:
		stage, err := task.ParseStage(c.Stage)
		if err != nil {
			r.lose(t.Source, 0, "stage: %s", line(err.Error(), task.MaxTitle))
		}
		t.Stage = stage
	}
	for _, b := range boxes(t.Doc(task.DocRoadmap)) {
		id, isPhase := strings.CutPrefix(strings.TrimLeft(b.text, "*"), "Phase ")
		id, _, _ = strings.Cut(id, ":")
		if p := find(t.Phases, id); isPhase && p != nil && b.done {
			p.Status = task.PhaseCompleted
		}
	}
	for i := range t.Phases {
		p := &t.Phases[i]
		switch {
		case t.Stage == task.StageComplete, i+1 < c.Phases.Current, i < c.Phases.Completed:
			p.Status = task.PhaseCompleted
		case i+1 == c.Phases.Current && t.Stage == task.StageExecute:
			r.takeStatus(t, p, c.Phases.Status, 0)
		}
	}
	switch {
	case t.Status == task.Cancelled:
	case t.Stage == task.StageComplete:
		t.Status = task.Finished
	case begun(t.Phases):
		t.Status = task.InProgress
	}
}

// decisions reads sections such as "### DEC-001: Title" with their labels.
func (r *reader) decisions(p string) (all []Decision) {
	parts := strings.Split("\n"+string(r.text(p)), "\n### DEC-")
	outside := parts[0]
	for _, part := range parts[1:] {
		head, body, _ := strings.Cut(part, "\n")
		body, more, _ := strings.Cut(body, "\n## ")
		outside += "\n" + more
		_, title, _ := strings.Cut(head, ":")
		d := Decision{Title: r.cut(p, 0, title, task.MaxTitle)}
		if d.Title == "" {
			outside += head + "\n" + body
			continue
		}
		var why []string
		for _, l := range strings.Split(body, "\n") {
			l = strings.TrimSpace(l)
			word, isStatus := strings.CutPrefix(l, "**Status:**")
			word = strings.ToLower(strings.TrimSpace(word))
			d.Revoked = d.Revoked || isStatus && word != "active"
			if l != "" && l != "---" && (!isStatus || word != "active" && word != "revoked") {
				why = append(why, strings.ReplaceAll(l, "**", ""))
			}
		}
		d.Why = r.cut(p, 0, strings.TrimPrefix(strings.Join(why, " "), "Decision: "), task.MaxItem)
		all = append(all, d)
	}
	lines := strings.FieldsFunc(outside, func(r rune) bool { return r == '\n' })
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Trim(l, "- \t\r") == "" || l[0] == '#' })
	if n := len(lines); n > 0 {
		r.lose(p, 0, "%s outside of decisions", task.Counted(n, "line"))
	}
	return all
}
