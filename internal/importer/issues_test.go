package importer

import (
	"slices"
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
