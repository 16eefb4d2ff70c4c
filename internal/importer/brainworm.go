package importer

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
)

const brainwormReadme = "README.md"

// readBrainworm reads tasks' files: README.md with a front matter that has the field task,
// and the subtasks beside it.
func readBrainworm(r *reader) error {
	for _, p := range slices.Clone(r.paths) {
		if path.Ext(p) != ".md" || r.used[p] {
			continue
		}
		single := len(r.paths) == 1 || path.Base(path.Dir(p)) == "tasks" || path.Base(path.Dir(p)) == "done"
		if path.Base(p) != brainwormReadme && !single {
			continue
		}
		if len(r.out.Tasks) == maxTasks {
			return fmt.Errorf("there are more than %d tasks; name a directory of fewer", maxTasks)
		}
		r.brainwormTask(p)
	}
	return nil
}

func (r *reader) brainwormTask(p string) {
	data := r.text(p)
	front := document.ReadFront(data)
	name := front.Value("task")
	if name == "" {
		delete(r.used, p)
		return
	}
	t := Task{Source: p, Title: name, Branch: front.Value("branch"), Docs: []Doc{{task.DocSpec, data}}}
	word := front.Value("status")
	status, err := task.ParseStatus(word)
	if err != nil && word != "" {
		r.lose(p, 0, "status: %s", line(err.Error(), task.MaxTitle))
	}
	t.Status = status
	if dir := path.Dir(p); path.Base(p) == brainwormReadme {
		r.brainwormSubtasks(&t, dir)
		r.leftOver(dir, "a task here has no place for it")
	}
	r.out.Tasks = append(r.out.Tasks, t)
}

// brainwormSubtasks makes a phase of each file beside a task's.
func (r *reader) brainwormSubtasks(t *Task, dir string) {
	for _, p := range r.below(dir) {
		if path.Dir(p) != dir || path.Ext(p) != ".md" || path.Base(p) == brainwormReadme {
			continue
		}
		text := r.text(p)
		if text == nil {
			continue
		}
		id := strings.TrimSuffix(path.Base(p), ".md")
		phase := Phase{ID: id, Title: heading(text), Plan: text}
		if phase.Title == "" {
			phase.Title = words(id)
		}
		phase.ID = fmt.Sprint(len(t.Phases) + 1)
		if word := document.ReadFront(text).Value("status"); word != "" {
			r.takeStatus(t, &phase, word, 0)
		}
		t.Phases = append(t.Phases, phase)
	}
}

// heading is the first heading of a text.
func heading(text []byte) string {
	for _, s := range document.Read(text).Sections {
		if s.Level > 0 && s.Title != "" {
			return s.Title
		}
	}
	return ""
}

// writeBrainworm writes a task's file, and a subtask for each phase.
func writeBrainworm(t Task) (files []File, lost []Lost) {
	status := map[task.Status]string{
		task.Pending: "pending", task.InProgress: "in-progress", task.Paused: "blocked",
		task.Finished: "completed", task.Failed: "blocked", task.Cancelled: "completed",
	}[t.Status]
	spec := t.Doc(task.DocSpec)
	name := slugOf(t.Title)
	front := document.ReadFront(spec)
	if front.Value("task") != "" {
		name = slugOf(front.Value("task"))
	}
	text := spec
	if front.Value("task") == "" {
		text = fmt.Appendf(nil, "---\ntask: %s\nbranch: %s\nstatus: %s\n---\n\n", name, t.Branch, status)
		if spec == nil {
			text = fmt.Appendf(text, "# %s\n", t.Title)
		}
		text = append(text, spec...)
	} else if front.Value("status") != status {
		lost = append(lost, Lost{Path: "spec", What: "its front matter has another status than the task, " + status})
	}
	files = append(files, File{join(name, brainwormReadme), text})
	for i, p := range t.Phases {
		body := p.Plan
		if body == nil {
			body = fmt.Appendf(nil, "---\nstatus: %s\n---\n\n# %s\n", p.Status, p.Title)
		} else if p.Status != task.PhasePending {
			lost = append(lost, ofPhase(p, "it is %s, which its plan does not say", p.Status))
		}
		files = append(files, File{join(name, fmt.Sprintf("%02d-%s.md", i+1, slugOf(p.Title))), body})
		if len(p.DependsOn)+len(p.Acceptance)+len(p.Verify)+len(p.Agents)+len(p.Reports) > 0 || p.Kind != task.KindExecution {
			lost = append(lost, ofPhase(p,
				"kind, order, criteria, commands, agents and reports have no place in a subtask"))
		}
	}
	for _, d := range t.Docs {
		if d.Name != task.DocSpec {
			lost = append(lost, Lost{Path: string(d.Name), What: "brainworm has no such document"})
		}
	}
	if n := len(t.Decisions) + len(t.Knowledge); n > 0 {
		lost = append(lost, Lost{What: fmt.Sprintf("%d decisions and entries of knowledge: brainworm keeps none", n)})
	}
	return files, lost
}

func slugOf(title string) string {
	slug, err := task.Slugify(title)
	if err != nil {
		return "task"
	}
	return slug
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
