package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/task"
)

// Graph is a task's phases and what binds them.
type Graph struct {
	Name  string // of the task
	Nodes []GraphNode
	Edges []GraphEdge
}

// GraphNode is a phase.
type GraphNode struct {
	Phase task.Phase
	// Layer is 0 where nothing has to be done first, else one more than that of
	// what has. Phases of one layer may be worked on side by side.
	Layer int
	// Depth is how deep the phase hangs below others.
	Depth int
}

// GraphEdge leads from one phase to another, by their places among the nodes.
type GraphEdge struct {
	From, To int
	// Kind is DependsOn, from what has to be done first; else the kind of the phase that it
	// leads to: from the one that it belongs to, or that a fix repairs, to a final review
	// from all.
	Kind string
}

// DependsOn is an edge from what has to be done first.
const DependsOn = "depends_on"

// maxAncestors bounds climbs: a state that was read has no deeper ones.
const maxAncestors = 64

// NewGraph is the graph of a task: families of phases, by layers, and in a family
// and in a layer in the task's order. What waits in a circle, as two machines can
// make it, is in some layer all the same.
func NewGraph(t task.Task) Graph {
	place := make(map[task.UID]int, len(t.Phases))
	order := make([]int, len(t.Phases))
	for i, p := range t.Phases {
		place[p.UID], order[i] = i, i
	}
	paths := make([][]int, len(t.Phases)) // from the first of its family to each phase
	for i := range t.Phases {
		for at, up := i, true; up && len(paths[i]) < maxAncestors; at, up = place[t.Phases[at].Parent] {
			paths[i] = slices.Insert(paths[i], 0, at)
		}
	}
	layers := layersOf(t, place, paths)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(layers[paths[a][0]]-layers[paths[b][0]], slices.Compare(paths[a], paths[b]))
	})
	g := Graph{Name: t.ID.Slug(), Nodes: make([]GraphNode, len(order))}
	for to, from := range order {
		p := t.Phases[from]
		g.Nodes[to] = GraphNode{Phase: p, Layer: layers[paths[from][0]], Depth: len(paths[from]) - 1}
		place[p.UID] = to
	}
	g.addEdges(place)
	return g
}

// layersOf are the layers of families, each at the place of its first phase; final reviews
// come last.
func layersOf(t task.Task, place map[task.UID]int, paths [][]int) []int {
	layers, last := make([]int, len(t.Phases)), 0
	for round, again := 0, true; again && round < len(t.Phases); round++ { // in a circle it would not end
		again = false
		for i, p := range t.Phases {
			first := paths[i][0]
			for _, uid := range p.DependsOn {
				d, ok := place[uid]
				if ok && paths[d][0] != first && layers[first] <= layers[paths[d][0]] {
					layers[first], again = layers[paths[d][0]]+1, true
				}
			}
			if p.Kind != task.KindFinalReview {
				last = max(last, layers[first]+1)
			}
		}
	}
	for i, p := range t.Phases {
		if p.Kind == task.KindFinalReview && paths[i][0] == i {
			layers[i] = max(layers[i], last)
		}
	}
	return layers
}

// addEdges adds what somebody waits for, and what belongs together.
func (g *Graph) addEdges(place map[task.UID]int) {
	leads := make([]bool, len(g.Nodes))
	for to, n := range g.Nodes {
		for _, uid := range n.Phase.DependsOn {
			if from, ok := place[uid]; ok {
				g.Edges = append(g.Edges, GraphEdge{from, to, DependsOn})
				leads[from] = true
			}
		}
		if n.Phase.Kind == task.KindExecution || n.Phase.Kind == task.KindFinalReview {
			continue
		}
		from, ok := place[n.Phase.Fixes]
		if !ok {
			from, ok = place[n.Phase.Parent]
		}
		if ok && from != to {
			g.Edges = append(g.Edges, GraphEdge{from, to, string(n.Phase.Kind)})
		}
	}
	for to, n := range g.Nodes {
		for from, m := range g.Nodes {
			if n.Phase.Kind == task.KindFinalReview && m.Phase.Kind != task.KindFinalReview && m.Depth == 0 && !leads[from] {
				g.Edges = append(g.Edges, GraphEdge{from, to, string(n.Phase.Kind)})
			}
		}
	}
}

// Text draws the graph for a terminal of some width: a line for each phase, those
// that belong to one below it, and at the end what it waits for. Where something
// has to be done first stands "then": what follows comes after what is above.
func (g Graph) Text(style Style, width int) string {
	table := Table{Width: width, Give: []int{2, 3}}
	escalated := slices.ContainsFunc(g.Nodes, func(n GraphNode) bool { return len(n.Phase.Escalations) > 0 })
	for i, n := range g.Nodes {
		follows := i > 0 && n.Layer > g.Nodes[i-1].Layer && n.Depth == 0
		left := Either(follows, "then", "    ")
		head := strings.Repeat("  ", min(n.Depth, maxIndents)) + style.PhaseMark(n.Phase) + " "
		head += Either(escalated && len(n.Phase.Escalations) == 0, " ", "")
		table.Add(style.Dim(left), head+style.Bright(Safe(n.Phase.ID)), Safe(n.Phase.Title), style.Dim(g.waits(i)))
	}
	var b strings.Builder
	_ = table.Write(&b) // to memory
	return b.String()
}

const (
	// maxWaits is how many of the phases that one waits for are named.
	maxWaits = 6
	// maxIndents is how deep a phase is drawn.
	maxIndents = 8
)

// belonging says what a phase of a kind is for, in front of the phase that it belongs to.
var belonging = map[task.PhaseKind]string{
	task.KindFix: "fixes ", task.KindVerification: "verifies ", task.KindResearch: "research for ",
	task.KindSplit: "part of ",
}

// waits says what a phase is for, and what it comes after.
func (g Graph) waits(to int) string {
	var parts, after []string
	for _, e := range g.Edges {
		if e.To != to {
			continue
		}
		from := Safe(g.Nodes[e.From].Phase.ID)
		if e.Kind == DependsOn {
			after = append(after, from)
		} else if words := belonging[task.PhaseKind(e.Kind)]; words != "" {
			parts = append(parts, words+from)
		}
	}
	if g.Nodes[to].Phase.Kind == task.KindFinalReview {
		parts = append(parts, "after all")
	}
	if len(after) > maxWaits {
		after = append(after[:maxWaits], "…")
	}
	if len(after) > 0 {
		parts = append(parts, "after "+strings.Join(after, ", "))
	}
	return strings.Join(parts, ", ")
}

// maxLabel is how much of a title stands in a drawing, in columns.
const maxLabel = 60

// label is what a node is called in a drawing.
func (n GraphNode) label() string {
	return Style{}.PhaseMark(n.Phase) + " " + Safe(n.Phase.ID) + " " + Truncate(Safe(n.Phase.Title), maxLabel)
}

// Mermaid draws the graph as Mermaid's flowcharts are written, fit for a fenced
// block in Markdown that GitHub draws.
func (g Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d[\"%s\"]:::%s\n", i, mermaidLabel(n.label()), lookOf(n.Phase.Status).name)
	}
	for _, e := range g.Edges {
		if e.Kind == DependsOn {
			fmt.Fprintf(&b, "  n%d --> n%d\n", e.From, e.To)
		} else {
			fmt.Fprintf(&b, "  n%d -.->|%s| n%d\n", e.From, Words(e.Kind), e.To)
		}
	}
	for _, s := range phaseLooks {
		fmt.Fprintf(&b, "  classDef %s stroke:%s\n", s.name, s.colour)
	}
	return b.String()
}

// mermaidLabel writes a text so that Mermaid shows it and reads nothing in it: what
// is no letter, digit, mark or blank, nor one of ".,-", is the number of its
// character.
func mermaidLabel(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if strings.ContainsRune(" .,-", r) || r >= utf8.RuneSelf && unicode.IsPrint(r) ||
			r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// DOT draws the graph in the language of Graphviz.
func (g Graph) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=TB;\n  node [shape=box];\n", dotText(Safe(g.Name)))
	for i, n := range g.Nodes {
		colour := lookOf(n.Phase.Status).colour
		fmt.Fprintf(&b, "  n%d [label=%s, color=%s];\n", i, dotText(n.label()), dotText(colour))
	}
	for _, e := range g.Edges {
		style := Either(e.Kind == DependsOn, "", " [style=dashed, label="+dotText(Words(e.Kind))+"]")
		fmt.Fprintf(&b, "  n%d -> n%d%s;\n", e.From, e.To, style)
	}
	return b.String() + "}\n"
}

// dotText is a text in quotes, of what Safe leaves. A backslash would begin what Graphviz
// replaces, and an ampersand a character of HTML.
func dotText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(text) + `"`
}
