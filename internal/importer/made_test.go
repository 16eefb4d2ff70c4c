package importer

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// node is a text that somebody wrote, with the place where a line of losses would name it.
type node struct{ word, path, key string }

// made makes files of which every text is a node.
type made struct {
	*rapid.T
	files fstest.MapFS
	nodes []node
}

func (m *made) text(p, key string) string {
	word := fmt.Sprintf("word%dx", len(m.nodes))
	m.nodes = append(m.nodes, node{word, p, key})
	return word
}

// record is an object with some known fields, unknown ones, and some in depth.
func (m *made) record(p string, texts, lists []string, more map[string]any) map[string]any {
	out := maps.Clone(more)
	for _, key := range texts {
		if rapid.Bool().Draw(m.T, key) {
			out[key] = m.text(p, key)
		}
	}
	for _, key := range lists {
		if rapid.Bool().Draw(m.T, key) {
			out[key] = []string{m.text(p, key), m.text(p, key)}
		}
	}
	if rapid.Bool().Draw(m.T, "unknown") {
		out["x_field"] = map[string]any{"a": m.text(p, "x_field"), "b": []any{m.text(p, "x_field"), 7}}
	}
	return out
}

func (m *made) put(p string, text string) { m.files[p] = &fstest.MapFile{Data: []byte(text)} }

func (m *made) json(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		m.Fatal(err)
	}
	return string(data)
}

// inside is the key of a text that no line of losses is enough for.
const inside = "nothing else will do"

// fill makes a file of a text in which each % becomes a node.
func (m *made) fill(p, text string) {
	parts := strings.Split(text, "%")
	text = parts[0]
	for _, part := range parts[1:] {
		text += m.text(p, inside) + part
	}
	m.put(p, text)
}

// each makes files that are one node.
func (m *made) each(paths ...string) {
	for _, p := range paths {
		m.put(p, m.text(p, "")+"\n")
	}
}

// strays are files that no system knows.
func (m *made) strays(dir string) {
	for _, name := range []string{"notes.txt", "deep/er/x.md", "data.bin", "README.rst", "other.json"} {
		if p := path.Join(dir, name); rapid.Bool().Draw(m.T, name) {
			m.put(p, m.text(p, "")+"\n")
		}
	}
}

func (m *made) oneOf(all ...string) string { return rapid.SampledFrom(all).Draw(m.T, "one of") }

func (m *made) beads() {
	var b strings.Builder
	for i := range rapid.IntRange(1, 5).Draw(m.T, "issues") {
		at := fmt.Sprintf("issues.jsonl:%d", i+1)
		b.WriteString(m.json(m.record(at, []string{
			"description", "design", "acceptance_criteria", "notes", "assignee", "created_at", "close_reason", "external_ref",
		}, []string{"labels"}, map[string]any{
			"id": fmt.Sprintf("bd-%d", i), "title": "T " + m.text(at, "title"),
			"status": m.oneOf("open", "blocked", "in_progress"), "issue_type": m.oneOf("task", "epic", "gate"),
			"dependencies": []any{map[string]any{
				"depends_on_id": fmt.Sprintf("bd-%d", max(i-1, 0)), "created_by": m.text(at, "dependencies"),
				"type": m.oneOf("blocks", "related", "parent-child"),
			}},
		})) + "\n")
	}
	m.put("issues.jsonl", b.String())
}

func (m *made) taskmaster() {
	p := "tasks/tasks.json"
	texts := []string{"description", "details", "testStrategy", "priority", "updatedAt"}
	var all []any
	for i := range rapid.IntRange(1, 4).Draw(m.T, "tasks") {
		sub := m.record(p, texts, nil, map[string]any{"id": 1, "title": m.text(p, "title"), "status": "done"})
		all = append(all, m.record(p, texts, nil, map[string]any{
			"id": i + 1, "title": m.text(p, "title"), "dependencies": []int{i}, "subtasks": []any{sub},
			"status": rapid.SampledFrom([]string{"pending", "deferred", "done", "review"}).Draw(m.T, "status"),
		}))
	}
	m.put(p, m.json(map[string]any{"master": m.record(p, []string{"comment"}, nil, map[string]any{
		"tasks": all, "metadata": m.record(p, []string{"description", "projectName", "created"}, nil, map[string]any{}),
	})}))
}

func (m *made) brigade() {
	p := "prd-x.json"
	var all []any
	for i := range rapid.IntRange(1, 4).Draw(m.T, "stories") {
		all = append(all, m.record(p, []string{"description", "priority"}, nil, map[string]any{
			"id": fmt.Sprintf("US-%d", i+1), "title": "T " + m.text(p, "title"), "passes": false, "dependsOn": []string{},
			"acceptanceCriteria": []string{m.text(p, inside)}, "verification": []string{"go test " + m.text(p, inside)},
		}))
	}
	m.put(p, m.json(m.record(p, []string{"description", "createdAt", "owner"}, nil, map[string]any{
		"featureName": "F " + m.text(p, "name"), "branchName": "feature/x", "tasks": all,
	})))
}

func (m *made) specdacular() {
	known := map[string]any{"task_name": "t", "stage": "planning"}
	m.put("t/config.json", m.json(m.record("t/config.json", []string{"created", "depth"}, []string{"sessions"}, known)))
	outside := m.text("t/DECISIONS.md", "outside")
	m.fill("t/DECISIONS.md", "# D\n\n"+outside+"\n\n### DEC-001: %\n\n**Date:** %\n**Status:** Superseded by %\n"+
		"**Decision:** %\n- %\n\n## Log\n\n"+outside+"\n")
	m.fill("t/FEATURE.md", "# Feature: %\n")
	m.each("t/STATE.md", "t/ROADMAP.md", "t/phases/phase-07/PLAN.md")
}

func (m *made) backlogmd() {
	for i := range rapid.IntRange(1, 4).Draw(m.T, "tasks") {
		m.fill(fmt.Sprintf("tasks/back-%d - X.md", i), fmt.Sprintf("---\nid: BACK-%d\n", i)+
			m.oneOf("", "parent_task_id: BACK-0\n")+"title: %\nstatus: To Do\nassignee:\n  - '@%'\nx_field: %\n---\n\n%\n\n"+
			"## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 %\n<!-- AC:END -->\n\n## Notes\n\n%\n")
	}
	m.each("drafts/d.md", "config.yml", "decisions/x.md", "tasks/none.md")
}

func (m *made) speckit() {
	m.each("1-x/spec.md", "1-x/plan.md", "1-x/data-model.md", "1-x/contracts/a.yaml", "1-x/checklists/x.md",
		"1-x/shot.png")
	m.fill("1-x/tasks.md", "# T\n\n%\n\n- [ ] %\n\n## Phase 1: %\n\n- [X] %\n- [~] %\n")
}

func (m *made) openspec() {
	m.each("changes/x/proposal.md", "changes/x/.openspec.yaml", "changes/x/README.md", "changes/x/specs/a/spec.md",
		"changes/none/README.md", "specs/a/spec.md", "config.yaml")
	m.fill("changes/x/tasks.md", "%\n\n## 1. %\n\n- [-] %\n")
}

func (m *made) brainworm() {
	m.fill("tasks/h-x/README.md", "---\ntask: h-x\nbranch: fix/x\nstatus: pending\nowner: %\n---\n\n# %\n")
	m.each("tasks/h-x/01-a.md", "tasks/h-x/b.txt", "tasks/TEMPLATE.md", "sessions/s.json")
}

func (m *made) brewcode() {
	m.fill("t/PLAN.md", "status: "+m.oneOf("pending", "handoff")+"\n\n# Plan: %\n\n## Phase Registry\n\n"+
		"| # | Phase File | Agent | Subject | Blocked By |\n|---|---|---|---|---|\n| 1 | 1-a.md | developer | % | - |\n\n%\n")
	m.each("t/SPEC.md", "t/phases/1-a.md", "t/phases/9-b.md", "t/artifacts/1-1e/developer_output.md",
		"t/artifacts/1-2e/developer_output.md", "t/artifacts/FINAL.md", "t/artifacts/1-2e/x.log", "t/backup/PLAN.md")
	p := "t/KNOWLEDGE.jsonl"
	m.put(p, fmt.Sprintf(`{"ts":"2026-01-02T03:04:05Z","t":"❌","txt":"%s keeps tokens","src":"me","sure":"%s"}`+"\n",
		m.text(p, inside), m.text(p, "sure")))
}

// Every text of what somebody else wrote is in what is made of it, or a line of the losses
// names its field, its line or its file.
func TestRead_everyText(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*made){
		"beads":       (*made).beads,
		"task-master": (*made).taskmaster,
		"brigade":     (*made).brigade,
		"specdacular": (*made).specdacular,
		"backlog.md":  (*made).backlogmd,
		"spec-kit":    (*made).speckit,
		"openspec":    (*made).openspec,
		"brainworm":   (*made).brainworm,
		"brewcode":    (*made).brewcode,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := Named(name)
			rapid.Check(t, func(t *rapid.T) {
				m := &made{T: t, files: fstest.MapFS{}}
				make(m)
				m.strays("")
				m.strays("elsewhere")
				out, err := s.Read(m.files, "x", "")
				if err != nil && strings.Contains(err.Error(), "there is no task") {
					return
				} else if err != nil {
					t.Fatal(err)
				}
				all := fmt.Sprintf("%q", out.Backlog)
				for _, made := range out.Tasks {
					all += textsOf(made)
				}
				for _, n := range m.nodes {
					names := func(l Lost) bool {
						at := l.Path
						if l.Line > 0 && strings.Contains(n.path, ":") {
							at = fmt.Sprintf("%s:%d", l.Path, l.Line)
						}
						whole := strings.Contains(l.What, "the text of") || strings.Contains(l.What, "is no work")
						return strings.HasPrefix(n.path+"/", at+"/") && (whole || strings.Contains(l.What, n.key)) ||
							strings.Contains(l.What, n.word)
					}
					if !strings.Contains(all, n.word) && !slices.ContainsFunc(out.Lost, names) {
						t.Fatalf("%s of %s is lost without a word (%s); lost: %v", n.key, n.path, n.word, out.Lost)
					}
				}
			})
		})
	}
}

// textsOf are all texts of a task.
func textsOf(in Task) string {
	all := fmt.Sprintf("%s\n%s\n%+v\n%+v\n", in.Title, in.Branch, in.Decisions, in.Knowledge)
	for _, d := range in.Docs {
		all += string(d.Text) + "\n"
	}
	for _, p := range in.Phases {
		all += fmt.Sprintf("%s\n%q\n%q\n%s\n", p.Title, p.Acceptance, p.Verify, p.Plan)
		for _, r := range p.Reports {
			all += string(r.Text) + "\n"
		}
	}
	return all
}
