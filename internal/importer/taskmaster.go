package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// loose is a text or a number, as Task Master writes ids.
type loose string

// UnmarshalJSON is json.Unmarshaler's.
func (l *loose) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*l = loose(s)
	return nil
}

// masterTask is a task of Task Master's, or a part of one.
type masterTask struct {
	ID           loose             `json:"id"`
	Title        string            `json:"title"`
	Description  string            `json:"description"`
	Details      string            `json:"details"`
	TestStrategy string            `json:"testStrategy"`
	Status       string            `json:"status"`
	DependsOn    []loose           `json:"dependencies"`
	Subtasks     []json.RawMessage `json:"subtasks"`
}

type masterTag struct {
	Tasks    []json.RawMessage `json:"tasks"`
	Metadata struct {
		ProjectName string `json:"projectName"`
	} `json:"metadata"`
}

// readTaskMaster reads tasks.json: one list, or one for each tag. A list is a task here,
// and what it calls tasks are phases.
func readTaskMaster(r *reader) error {
	made := map[string]int{} // by their directories, the files that Task Master makes of a list
	for _, p := range r.paths {
		if ok, _ := path.Match("task_[0-9]*.txt", path.Base(p)); ok && r.has(path.Join(path.Dir(p), "tasks.json")) {
			r.used[p] = true
			made[path.Dir(p)]++
		}
		if len(r.paths) > 1 && path.Base(p) != "tasks.json" {
			continue
		}
		data, err := r.data(p, maxData)
		if err != nil {
			return err
		}
		var tags map[string]json.RawMessage
		if err := decode(data, &tags); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if _, is := tags["tasks"]; is {
			tags = map[string]json.RawMessage{"tasks": data}
		}
		for _, name := range slices.Sorted(maps.Keys(tags)) {
			if err := r.tag(p, name, tags[name]); err != nil {
				r.lose(p, 0, "%s: %s", line(name, task.MaxName), line(err.Error(), task.MaxTitle))
			}
		}
	}
	for dir, n := range made {
		r.lose(dir, 0, "not read, tasks.json says the same: %s for one task", task.Counted(n, "file"))
	}
	return nil
}

// tag makes a task of a list.
func (r *reader) tag(p, name string, data json.RawMessage) error {
	var tag masterTag
	if err := decode(data, &tag); err != nil {
		return err
	}
	if len(tag.Tasks) == 0 {
		return errors.New("it has no tasks")
	}
	if len(r.out.Tasks) == maxTasks {
		return fmt.Errorf("it is one task too many; at most %d are made", maxTasks)
	}
	t := Task{Source: p + "#" + name, Title: words(name), Stage: task.StageExecute, Status: task.Pending}
	if name == "tasks" || name == "master" {
		t.Title = cmp.Or(tag.Metadata.ProjectName, "Tasks") // the list that each project has
	}
	if said := rest("Task Master", data, "tasks"); said != "" {
		if text := r.whole(issue{id: name, title: t.Title, text: said, path: p}); text != nil {
			t.Docs = []Doc{{task.DocSpec, text}}
		}
	}
	for i, one := range tag.Tasks {
		if err := r.masterPhase(&t, p, name, one); err != nil {
			r.lose(p, 0, "%s, task %d: %s", line(name, task.MaxName), i+1, line(err.Error(), task.MaxTitle))
		}
	}
	switch {
	case len(t.Phases) > 0 && !slices.ContainsFunc(t.Phases, func(p Phase) bool { return !p.Status.Over() }):
		t.Status = task.Finished
	case begun(t.Phases):
		t.Status = task.InProgress
	}
	r.out.Tasks = append(r.out.Tasks, t)
	return nil
}

// masterPhase makes a phase of one of a list's tasks.
func (r *reader) masterPhase(t *Task, p, tag string, data json.RawMessage) error {
	var m masterTask
	if err := decode(data, &m); err != nil {
		return err
	}
	id := string(m.ID)
	text, err := masterText(m)
	if err != nil {
		return err
	}
	phase := Phase{
		ID: id, Title: m.Title, Acceptance: listed(line(m.TestStrategy, task.MaxItem)),
		Status: r.known(p, 0, tag+" "+id, m.Status),
		Plan: r.whole(issue{id: tag + " " + id, title: m.Title, path: p, text: text + rest("Task Master", data,
			"title", "description", "details", "testStrategy", "subtasks")}),
	}
	for _, on := range m.DependsOn {
		phase.DependsOn = append(phase.DependsOn, string(on))
	}
	t.Phases = append(t.Phases, phase)
	return nil
}

// masterText is what a task says, with its parts as boxes.
func masterText(m masterTask) (string, error) {
	text := m.Description + section("Details", m.Details) + section("Test Strategy", m.TestStrategy)
	if len(m.Subtasks) > 0 {
		text += "\n\n## Subtasks\n"
	}
	for _, data := range m.Subtasks {
		var s masterTask
		if err := decode(data, &s); err != nil {
			return "", err
		}
		mark := " "
		if status, ok := phaseStatus(s.Status); ok && status.Over() {
			mark = "x"
		}
		text += fmt.Sprintf("\n- [%s] %s %s", mark, invisible.Line(string(s.ID)), invisible.Line(s.Title))
		for _, more := range []string{
			s.Description, s.Details, s.TestStrategy,
			encoded(fieldsOf(data, "id", "title", "description", "details", "testStrategy"), ""),
		} {
			if more = strings.TrimSpace(more); more != "" {
				text += "\n  " + strings.ReplaceAll(more, "\n", "\n  ")
			}
		}
	}
	return text, nil
}
