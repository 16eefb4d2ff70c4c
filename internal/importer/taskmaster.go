package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

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
	ID           loose        `json:"id"`
	Title        string       `json:"title"`
	Description  string       `json:"description"`
	Details      string       `json:"details"`
	TestStrategy string       `json:"testStrategy"`
	Status       string       `json:"status"`
	Priority     string       `json:"priority"`
	DependsOn    []loose      `json:"dependencies"`
	Subtasks     []masterTask `json:"subtasks"`
}

// masterTag is a list of tasks.
type masterTag struct {
	Tasks    []masterTask `json:"tasks"`
	Metadata struct {
		Description string `json:"description"`
		ProjectName string `json:"projectName"`
	} `json:"metadata"`
}

// readTaskMaster reads tasks.json: one list, or one for each tag. A list is a task here,
// and what it calls tasks are phases.
func readTaskMaster(r *reader) error {
	for _, p := range r.paths {
		if len(r.paths) > 1 && path.Base(p) != "tasks.json" {
			continue
		}
		data, err := r.data(p, maxData)
		if err != nil {
			return err
		}
		var tags map[string]json.RawMessage
		if err := json.Unmarshal(data, &tags); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if _, is := tags["tasks"]; is {
			tags = map[string]json.RawMessage{"tasks": data}
		}
		for _, name := range slices.Sorted(maps.Keys(tags)) {
			var tag masterTag
			if err := json.Unmarshal(tags[name], &tag); err != nil {
				r.lose(p, 0, "%s: %s", line(name, task.MaxName), line(err.Error(), task.MaxTitle))
				continue
			}
			if len(tag.Tasks) > 0 && len(r.out.Tasks) < maxTasks {
				r.out.Tasks = append(r.out.Tasks, r.ofTag(p, cmp.Or(tag.Metadata.ProjectName, words(name)), tag))
			}
		}
	}
	return nil
}

func (r *reader) ofTag(p, name string, tag masterTag) Task {
	t := Task{Source: p + "#" + name, Title: name, Stage: task.StageExecute, Status: task.Pending}
	if text := withTitle(name, []byte(tag.Metadata.Description), nil); tag.Metadata.Description != "" &&
		task.CheckText(text) == nil {
		t.Docs = []Doc{{task.DocSpec, text}}
	}
	over := 0
	for _, m := range tag.Tasks {
		id := string(m.ID)
		phase := Phase{ID: id, Title: m.Title, Acceptance: listed(line(m.TestStrategy, task.MaxItem))}
		phase.Status = r.known(p, 0, name+" "+id, strings.Replace(m.Status, "blocked", "pending", 1))
		for _, on := range m.DependsOn {
			phase.DependsOn = append(phase.DependsOn, string(on))
		}
		if text := []byte(masterText(m)); task.CheckText(text) == nil {
			phase.Plan = text
		} else {
			r.lose(p, 0, "%s %s: its text can't be kept", line(name, task.MaxName), line(id, task.MaxName))
		}
		if word := strings.ToLower(m.Status); word == "deferred" || word == "blocked" {
			r.lose(p, 0, "%s %s is %s; it is pending", line(name, task.MaxName), line(id, task.MaxName), word)
		}
		if phase.Status.Over() {
			over++
		}
		t.Phases = append(t.Phases, phase)
	}
	switch {
	case over == len(t.Phases):
		t.Status = task.Finished
	case begun(t.Phases):
		t.Status = task.InProgress
	}
	return t
}

// masterText is all that a task says, with its parts as boxes.
func masterText(m masterTask) string {
	text := "# " + line(m.Title, task.MaxTitle) + "\n\n" + strings.TrimSpace(m.Description)
	if m.Priority != "" {
		text += "\n\nPriority: " + line(m.Priority, task.MaxName)
	}
	text += section("Details", m.Details) + section("Test Strategy", m.TestStrategy)
	if len(m.Subtasks) > 0 {
		text += "\n\n## Subtasks\n"
	}
	for _, s := range m.Subtasks {
		mark := " "
		if status, ok := phaseStatus(s.Status); ok && status.Over() {
			mark = "x"
		}
		text += fmt.Sprintf("\n- [%s] %s %s", mark, line(string(s.ID), task.MaxName), line(s.Title, task.MaxTitle))
		for _, more := range []string{s.Description, s.Details, s.TestStrategy} {
			if more = strings.TrimSpace(more); more != "" {
				text += "\n  " + strings.ReplaceAll(more, "\n", "\n  ")
			}
		}
	}
	return strings.TrimSpace(text) + "\n"
}
