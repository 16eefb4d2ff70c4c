package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"pgregory.net/rapid"
)

func uid(n int) task.UID { return task.UID(fmt.Sprintf("%032x", n)) }

// family is a task with a phase, its verification and a fix, two phases that wait
// for it, one that waits for both, and the review of all.
func family() task.Task {
	return task.Task{ID: "add-jwt-auth-k3v9q2m", Phases: []task.Phase{
		{UID: uid(1), ID: "1", Title: "Token model", Kind: task.KindExecution, Status: task.PhaseCompleted},
		{
			UID: uid(2), ID: "1.1", Title: "Expiry in seconds", Kind: task.KindFix, Parent: uid(1), Fixes: uid(1),
			Status: task.PhaseCompleted,
		},
		{
			UID: uid(3), ID: "1V", Title: "Verify the model", Kind: task.KindVerification, Parent: uid(1),
			Status: task.PhaseInReview,
		},
		{
			UID: uid(4), ID: "4", Title: "Ship", Kind: task.KindExecution, Status: task.PhasePending,
			DependsOn: []task.UID{uid(5), uid(6)},
		},
		{
			UID: uid(5), ID: "2", Title: "Login endpoint", Kind: task.KindExecution, Status: task.PhaseInProgress,
			DependsOn: []task.UID{uid(1)},
		},
		{
			UID: uid(6), ID: "3", Title: "Docs", Kind: task.KindExecution, Status: task.PhaseFailed,
			DependsOn: []task.UID{uid(1)}, Escalations: []task.Escalation{{}},
		},
		{UID: uid(7), ID: "FR", Title: "Final review", Kind: task.KindFinalReview, Status: task.PhasePending},
	}}
}

func TestGraph_text(t *testing.T) {
	t.Parallel()
	got := NewGraph(family()).Text(Style{}, 80)
	want := `      ✓  1      Token model
        ✓  1.1  Expiry in seconds  fixes 1
        ◐  1V   Verify the model   verifies 1
then  →  2      Login endpoint     after 1
      ✗⬆ 3      Docs               after 1
then  ○  4      Ship               after 2, 3
then  ○  FR     Final review       after all
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGraph_drawings(t *testing.T) {
	t.Parallel()
	g := NewGraph(family())
	for _, want := range []string{
		"flowchart TD\n", "  n0[\"✓ 1 Token model\"]:::done\n", "  n1[\"✓ 1.1 Expiry in seconds\"]:::done\n",
		"  n0 -.->|fix| n1\n", "  n0 -.->|verification| n2\n", "  n0 --> n3\n", "  n3 --> n5\n",
		"  n5 -.->|final review| n6\n",
	} {
		if text := g.Mermaid(); !strings.Contains(text, want) {
			t.Errorf("Mermaid lacks %q:\n%s", want, text)
		}
	}
	for _, want := range []string{
		"digraph \"add-jwt-auth\" {\n", "  n0 [label=\"✓ 1 Token model\", color=\"#2da44e\"];\n", "  n0 -> n3;\n",
		"  n0 -> n1 [style=dashed, label=\"fix\"];\n",
	} {
		if text := g.DOT(); !strings.Contains(text, want) {
			t.Errorf("DOT lacks %q:\n%s", want, text)
		}
	}
}

// Titles come from anybody: none can end its label, or begin something else.
func TestGraph_nastyTitles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ title, mermaid, dot string }{
		{`say "hi"`, `○ 1 say #34;hi#34;`, `○ 1 say \"hi\"`},
		{`a]; n0 --> n9[`, `○ 1 a#93;#59; n0 --#62; n9#91;`, `○ 1 a]; n0 --> n9[`},
		{
			`<script>alert(1)</script>`, `○ 1 #60;script#62;alert#40;1#41;#60;#47;script#62;`,
			`○ 1 <script>alert(1)</script>`,
		},
		{"two\nlines\r\n%% no", `○ 1 two#92;nlines#92;r#92;n#37;#37; no`, `○ 1 two\\nlines\\r\\n%% no`},
		{
			"`**md**` #quot; &amp;", `○ 1 #96;#42;#42;md#42;#42;#96; #35;quot#59; #38;amp#59;`,
			"○ 1 `**md**` #quot; &amp;amp;",
		},
		{`back\slash\`, `○ 1 back#92;slash#92;`, `○ 1 back\\slash\\`},
		{"\x1b[2J\u202e\xff", `○ 1 #92;x1b#91;2J#92;u202e#92;xff`, `○ 1 \\x1b[2J\\u202e\\xff`},
	} {
		g := NewGraph(task.Task{
			ID:     "a-k3v9q2m",
			Phases: []task.Phase{{UID: uid(1), ID: "1", Title: tt.title, Kind: task.KindExecution}},
		})
		if text, want := g.Mermaid(), "  n0[\""+tt.mermaid+"\"]:::open\n"; !strings.Contains(text, want) {
			t.Errorf("%q: Mermaid lacks %s:\n%s", tt.title, want, text)
		}
		if text, want := g.DOT(), "[label=\""+tt.dot+"\", "; !strings.Contains(text, want) {
			t.Errorf("%q: DOT lacks %s:\n%s", tt.title, want, text)
		}
	}
}

// Every phase has its line, whatever the graph is, a circle of two machines'
// making among them; no line is wider than the terminal; what has to be done
// first stands above.
func TestGraph_anyTask(t *testing.T) {
	t.Parallel()
	kinds := []task.PhaseKind{
		task.KindExecution, task.KindExecution, task.KindFix, task.KindVerification,
		task.KindResearch, task.KindSplit, task.KindFinalReview,
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "phases")
		tk := task.Task{ID: "a-k3v9q2m"}
		for i := range n {
			p := task.Phase{
				UID: uid(i), ID: fmt.Sprint(i + 1), Title: rapid.String().Draw(t, "title"),
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
			}
			if p.Kind != task.KindExecution && p.Kind != task.KindFinalReview && i > 0 {
				p.Parent = uid(rapid.IntRange(0, i-1).Draw(t, "parent"))
			}
			for range rapid.IntRange(0, 3).Draw(t, "deps") {
				p.DependsOn = append(p.DependsOn, uid(rapid.IntRange(0, n-1).Draw(t, "dep")))
			}
			tk.Phases = append(tk.Phases, p)
		}
		g := NewGraph(tk)
		lines := strings.Split(strings.TrimSuffix(g.Text(Style{}, 80), "\n"), "\n")
		if len(lines) != n || len(g.Nodes) != n {
			t.Fatalf("%d phases, %d nodes, %d lines", n, len(g.Nodes), len(lines))
		}
		for _, line := range lines {
			if Width(line) > 80 {
				t.Fatalf("%d columns: %s", Width(line), line)
			}
		}
		for i, node := range g.Nodes[1:] {
			if node.Depth == 0 && node.Layer < g.Nodes[i].Layer {
				t.Fatalf("layer %d below layer %d", node.Layer, g.Nodes[i].Layer)
			}
		}
	})
}

var (
	mermaidNode = regexp.MustCompile(`^  n\d+\["(?:#\d+;|[^"#;\[\]<>&{}()|\x00-\x1f])*"\]:::(done|busy|review|open|failed)$`)
	dotNode     = regexp.MustCompile(`^  n\d+ \[label="(?:\\\\|\\"|[^"\\\x00-\x1f])*", color="#[0-9a-f]{6}"\];$`)
)

// FuzzGraph_escapes: whatever a title is, its line is one node's.
func FuzzGraph_escapes(f *testing.F) {
	for _, seed := range []string{`"`, `\`, "\n", "#", "]", "<b>", "`", "&", "\xff", "\u2028"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, title string) {
		g := NewGraph(task.Task{
			ID:     "a-k3v9q2m",
			Phases: []task.Phase{{UID: uid(1), ID: "1", Title: title, Kind: task.KindExecution}},
		})
		if line := strings.Split(g.Mermaid(), "\n")[1]; !mermaidNode.MatchString(line) {
			t.Errorf("Mermaid: %q", line)
		}
		if line := strings.Split(g.DOT(), "\n")[3]; !dotNode.MatchString(line) {
			t.Errorf("DOT: %q", line)
		}
	})
}
