package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// What stands alone becomes an item of the backlog that can be read, and what is told of it
// as lost is what it said.
func TestRead_issuesThatStandAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, system, file, text string
		backlog, lost            []string
	}{
		{
			"a title alone", "beads", "issues.jsonl",
			`{"id":"b-997","title":"A","description":"","status":"open","issue_type":"task"}`,
			[]string{"A (b-997)"},
			nil,
		},
		{
			"fields", "beads", "issues.jsonl", `{"id":"b","title":"A","status":"open","priority":2,"assignee":"jo","labels":[]}`,
			[]string{"A (b)"},
			[]string{"issues.jsonl:1: assignee, priority of b, which is an item of the backlog now"},
		},
		{
			"a text", "beads", "issues.jsonl", `{"id":"b","title":"A","status":"open","notes":"B"}`,
			[]string{"A (b)"},
			[]string{"issues.jsonl:1: the text of b, which is an item of the backlog now"},
		},
		{
			"no title", "beads", "issues.jsonl", `{"id":"e","status":"open"}`,
			[]string{"untitled (e)"},
			nil,
		},
		{
			"a file of a title", "backlog.md", "tasks/a.md", "---\nid: BACK-1\ntitle: A\nstatus: To Do\n---\n",
			[]string{"A (back-1)"},
			nil,
		},
		{
			"a file with fields", "backlog.md", "tasks/a.md", "---\nid: BACK-1\ntitle: A\nassignee: jo\n---\n",
			[]string{"A (back-1)"},
			[]string{"tasks/a.md: assignee of back-1, which is an item of the backlog now"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := Named(c.system)
			out, err := s.Read(fstest.MapFS{c.file: {Data: []byte(c.text)}}, "x", "")
			if err != nil || !slices.Equal(out.Backlog, c.backlog) {
				t.Errorf("%v; the backlog is %q, want %q", err, out.Backlog, c.backlog)
			}
			var lost []string
			for _, l := range out.Lost {
				lost = append(lost, l.String())
			}
			if !slices.Equal(lost, c.lost) {
				t.Errorf("lost %q, want %q", lost, c.lost)
			}
		})
	}
}

// What people's own directories showed: each text is made of files as they have them, and
// each of the words stands in the report, or in the error.
func TestRead_asPeopleHaveThem(t *testing.T) {
	t.Parallel()
	archive := fstest.MapFS{"changes/x/proposal.md": {Data: []byte("# X\n")}}
	for i := range 2 * maxTasks {
		archive[fmt.Sprintf("changes/archive/%d-y/proposal.md", i)] = &fstest.MapFile{Data: []byte("# Y\n")}
	}
	files := func(all ...string) fstest.MapFS {
		out := fstest.MapFS{}
		for i := 0; i < len(all); i += 2 {
			out[all[i]] = &fstest.MapFile{Data: []byte(all[i+1])}
		}
		return out
	}
	for _, c := range []struct {
		name, system string
		files        fstest.MapFS
		words        []string
	}{
		{
			"a section that was done before the one above it waits for none", "spec-kit",
			files("1-x/spec.md", "# X\n",
				"1-x/tasks.md", "## Phase 1: A\n- [ ] T1\n## Phase 2: B\n- [X] T2\n## Phase 3: C\n- [ ] T3\n"),
			[]string{
				"phase 2 \"B\", execution, completed, auto, after []",
				"phase 3 \"C\", execution, pending, auto, after [\"2\"]",
			},
		},
		{
			"a list without sections is one phase", "openspec",
			files("changes/add-x/proposal.md", "# X\n", "changes/add-x/tasks.md", "- [x] One\n- [ ] Two\n"),
			[]string{"phase 1 \"add x\", execution, in progress", "One", "Two"},
		},
		{"archived changes are no tasks too many", "openspec", archive, []string{"history: 400 archived changes"}},
		{
			"nothing is open", "beads",
			files("issues.jsonl", `{"id":"b","title":"A","status":"closed"}`),
			[]string{"no task of beads in it: it reads issues.jsonl, or .beads; " +
				"issues.jsonl: left there as history: 1 ended issue"},
		},
		{
			"the prefix of ids was changed, and a part still names its parent by the old one", "backlog.md",
			files("tasks/a.md", "---\nid: BACK-4\ntitle: A\nstatus: To Do\n---\n",
				"tasks/b.md", "---\nid: BACK-4.1\ntitle: B\nstatus: Wontfix\nparent_task_id: task-4\n---\n"),
			[]string{`task "A"`, `"B", execution, dropped`},
		},
		{
			"what Task Master makes of a list", "task-master",
			files("tasks/tasks.json", `{"master":{"tasks":[{"id":1,"title":"A","status":"pending"}]}}`,
				"tasks/task_001.txt", "A", "tasks/task_002.txt", "B", "tasks/notes.txt", "C"),
			[]string{`task "Tasks"`, "tasks: not read, tasks.json says the same: 2 files", "tasks/notes.txt: not read"},
		},
		{
			"what looks like a secret", "task-master",
			files("tasks.json", `{"tasks":[{"id":1,"title":"A","details":"PASSWORD=hunter2x"}]}`),
			[]string{"tasks.json: the text of tasks 1: it looks like a secret (value of a password, " +
				"secret, token or key), and is taken out"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := Named(c.system)
			out, err := s.Read(c.files, "x", "")
			said := reportOf(out)
			if err != nil {
				said += err.Error()
			}
			for _, word := range c.words {
				if !strings.Contains(said, word) {
					t.Errorf("it does not say %s:\n%s", word, said)
				}
			}
		})
	}
}
