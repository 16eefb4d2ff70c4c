package importer

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// bead is a line of beads' issues.jsonl, as far as it is carried.
type bead struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Design      string `json:"design"`
	Acceptance  string `json:"acceptance_criteria"`
	Notes       string `json:"notes"`
	Status      string `json:"status"`
	Type        string `json:"issue_type"`
	Priority    loose  `json:"priority"`
	Parent      string `json:"parent"`
	Ephemeral   bool   `json:"ephemeral"`
	DependsOn   []struct {
		On   string `json:"depends_on_id"`
		Type string `json:"type"`
	} `json:"dependencies"`
}

// readBeads reads beads' export: one issue a line.
func readBeads(r *reader) error {
	for _, p := range r.paths {
		name := path.Base(p)
		if path.Ext(p) != ".jsonl" || len(r.paths) > 1 && name != "issues.jsonl" && name != "beads.jsonl" {
			continue
		}
		data, err := r.data(p, maxData)
		if err != nil {
			return err
		}
		var all []issue
		ephemeral := 0
		for i, l := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(l)) == 0 {
				continue
			}
			var b bead
			err := decode(l, &b)
			if err == nil && b.ID == "" {
				err = errors.New("id: a value is missing")
			}
			if err != nil {
				what := strings.TrimPrefix(err.Error(), "line 1: ")
				r.lose(p, i+1, "it is no issue: %s", line(what, task.MaxTitle))
				continue
			}
			if b.Ephemeral {
				ephemeral++
			} else if one, ok := r.ofBead(b, l, p, i+1); ok {
				all = append(all, one)
			}
		}
		if ephemeral > 0 {
			r.lose(p, 0, "%s ephemeral, by its own word", task.Counted(ephemeral, "issue"))
		}
		sortIssues(all)
		r.trackIssues(p, all)
	}
	return nil
}

func (r *reader) ofBead(b bead, data []byte, p string, at int) (issue, bool) {
	switch b.Type {
	case "agent", "message", "convoy", "role", "gate", "event":
		r.lose(p, at, "%s is of type %s, which is no work", line(b.ID, task.MaxName), line(b.Type, task.MaxName))
		return issue{}, false
	}
	one := issue{
		id: b.ID, title: b.Title, parent: b.Parent, path: p, line: at, whole: b.Type == "epic",
		acceptance: listed(b.Acceptance), status: r.known(p, at, b.ID, b.Status), priority: priorityOf(string(b.Priority)),
	}
	one.text = b.Description + section("Design", b.Design) + section("Acceptance Criteria", b.Acceptance) +
		section("Notes", b.Notes)
	one.leaves = leaving(one.text, slices.Sorted(maps.Keys(fieldsOf(data, "id", "title", "status", "issue_type"))))
	one.text += rest("beads", data, "title", "description", "design", "acceptance_criteria", "notes")
	for _, d := range b.DependsOn {
		switch d.Type {
		case "parent-child":
			one.parent = cmp.Or(one.parent, d.On)
		case "blocks", "":
			one.dependsOn = append(one.dependsOn, d.On)
		}
	}
	return one, true
}
