package importer

import (
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
	_, t.Priority, _ = task.KindOfTitle(name)
	if title := heading(data); title != "" && name == slugOf(title) {
		t.Title = title
	}
	word := front.Value("status")
	status, err := task.ParseStatus(word)
	if err != nil && word != "" {
		r.lose(p, 0, "status: %s", line(err.Error(), task.MaxTitle))
	}
	t.Status = status
	if dir := path.Dir(p); path.Base(p) == brainwormReadme {
		r.brainwormSubtasks(&t, dir)
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
		phase := Phase{ID: id, Title: heading(text)}
		if phase.Title == "" {
			phase.Title = words(id)
		}
		phase.ID = fmt.Sprint(len(t.Phases) + 1)
		says, front := string(text), document.ReadFront(text)
		if word := front.Value("status"); word != "" {
			r.takeStatus(t, &phase, word, 0)
			if front.Lines == 3 { // it says nothing else
				says = withoutFront(text)
			}
		}
		phase.take(text, says)
		t.Phases = append(t.Phases, phase)
	}
}

func heading(text []byte) string {
	for _, s := range document.Read(text).Sections {
		if s.Level > 0 && s.Title != "" {
			return s.Title
		}
	}
	return ""
}

// writeBrainworm writes a task's file, and a subtask for each phase.
func writeBrainworm(t Task) (files []File) {
	spec := t.Doc(task.DocSpec)
	name := slugOf(t.Title)
	if own := document.ReadFront(spec).Value("task"); own != "" {
		name = slugOf(own)
	} else {
		status := map[task.Status]string{
			task.Pending: "pending", task.InProgress: "in-progress", task.Paused: "blocked",
			task.Finished: "completed", task.Failed: "blocked", task.Cancelled: "completed",
		}[t.Status]
		head := fmt.Appendf(nil, "---\ntask: %s\nbranch: %s\nstatus: %s\n---\n", name, t.Branch, status)
		if heading(spec) != t.Title {
			head = fmt.Appendf(head, "\n# %s\n\n", t.Title)
		}
		spec = append(head, spec...)
	}
	files = append(files, File{join(name, brainwormReadme), spec})
	for i, p := range t.Phases {
		text := p.Plan
		if text == nil {
			text = fmt.Appendf(nil, "# %s\n", p.Title)
		}
		if p.Status != task.PhasePending && document.ReadFront(text).Lines == 0 {
			text = append(fmt.Appendf(nil, "---\nstatus: %s\n---\n", p.Status), text...)
		}
		files = append(files, File{join(name, fmt.Sprintf("%02d-%s.md", i+1, slugOf(p.Title))), text})
	}
	return files
}

func slugOf(title string) string {
	slug, err := task.Slugify(title)
	if err != nil {
		return "task"
	}
	return slug
}
