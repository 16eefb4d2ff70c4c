package ui

import (
	"slices"

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
	Mark  Marker
	// Escalated: a step of a ladder was taken for it.
	Escalated bool
	// Layer is 0 where nothing has to be done first, else one more than that of
	// what has. Phases of one layer may be worked on side by side.
	Layer int
	// Depth is how deep the phase hangs below others.
	Depth int
	// After are the phases to be done first, as indexes of nodes; Parent is the
	// one that it belongs to, -1 for none.
	After  []int
	Parent int
}

// GraphEdge leads from one phase to another, by their places among the nodes.
type GraphEdge struct {
	From, To int
	Kind     EdgeKind
}

// EdgeKind says what an edge means.
type EdgeKind string

// EdgeDepends leads from what has to be done first. The others lead from a phase
// to one that belongs to it, or, for a fix, repairs it; EdgeFinal to the review
// of all.
const (
	EdgeDepends      EdgeKind = "depends_on"
	EdgeFix          EdgeKind = "fix"
	EdgeVerification EdgeKind = "verification"
	EdgeSplit        EdgeKind = "split"
	EdgeResearch     EdgeKind = "research"
	EdgeFinal        EdgeKind = "final_review"
)

// maxAncestors bounds climbs: a state that was read has no deeper ones.
const maxAncestors = 64

// NewGraph is the graph of a task: families of phases, by layers, and in a family
// and in a layer in the task's order. What waits in a circle, as two machines can
// make it, is in some layer all the same.
func NewGraph(t task.Task) Graph {
	f := familiesOf(t)
	order := f.order()
	place := make(map[task.UID]int, len(order))
	for to, from := range order {
		place[t.Phases[from].UID] = to
	}
	g := Graph{Name: t.ID.Slug(), Nodes: make([]GraphNode, len(order))}
	for to, from := range order {
		p := t.Phases[from]
		n := GraphNode{
			Phase: p, Mark: MarkOf(p.Status), Escalated: len(p.Escalations) > 0, Layer: f.layer[f.root[from]],
			Depth: f.depth[from], Parent: -1,
		}
		if up := f.parent[from]; up >= 0 {
			n.Parent = place[t.Phases[up].UID]
		}
		for _, uid := range p.DependsOn {
			if d, ok := place[uid]; ok {
				n.After = append(n.After, d)
			}
		}
		g.Nodes[to] = n
	}
	g.edges(place)
	return g
}

// families are who belongs to whom among phases, each by its place: its parent, -1 for none,
// the first of its family, how deep it hangs below that one; and of the first its layer.
type families struct{ parent, root, depth, layer []int }

func familiesOf(t task.Task) families {
	n := len(t.Phases)
	f := families{make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
	at := make(map[task.UID]int, n)
	for i, p := range t.Phases {
		at[p.UID] = i
	}
	for i, p := range t.Phases {
		f.parent[i] = -1
		if up, ok := at[p.Parent]; ok && p.Parent != "" && up != i {
			f.parent[i] = up
		}
	}
	last := 0
	for i := range t.Phases {
		f.root[i] = i
		for f.depth[i] < maxAncestors && f.parent[f.root[i]] >= 0 {
			f.root[i] = f.parent[f.root[i]]
			f.depth[i]++
		}
	}
	for round, again := 0, true; again && round < n; round++ { // in a circle it would not end
		again = false
		for i, p := range t.Phases {
			for _, uid := range p.DependsOn {
				d, ok := at[uid]
				if ok && f.root[d] != f.root[i] && f.layer[f.root[i]] <= f.layer[f.root[d]] {
					f.layer[f.root[i]], again = f.layer[f.root[d]]+1, true
				}
			}
			if p.Kind != task.KindFinalReview {
				last = max(last, f.layer[f.root[i]]+1)
			}
		}
	}
	for i, p := range t.Phases {
		if p.Kind == task.KindFinalReview && f.parent[i] < 0 {
			f.layer[i] = max(f.layer[i], last)
		}
	}
	return f
}

// order lists the phases by the layers of their families, each family with those
// below right behind the one above; final reviews last.
func (f families) order() []int {
	below := make([][]int, len(f.parent))
	var first []int
	for i, up := range f.parent {
		if up < 0 {
			first = append(first, i)
		} else {
			below[up] = append(below[up], i)
		}
	}
	slices.SortStableFunc(first, func(a, b int) int { return f.layer[a] - f.layer[b] })
	order, seen := make([]int, 0, len(f.parent)), make([]bool, len(f.parent))
	var visit func(all []int)
	visit = func(all []int) {
		for _, i := range all {
			if !seen[i] {
				seen[i] = true
				order = append(order, i)
				visit(below[i])
			}
		}
	}
	visit(first)
	for i := range f.parent { // what belongs to itself, in a state that nobody read
		visit([]int{i})
	}
	return order
}

// edges draws them: what somebody waits for, and what belongs together.
func (g *Graph) edges(place map[task.UID]int) {
	kinds := map[task.PhaseKind]EdgeKind{
		task.KindFix: EdgeFix, task.KindVerification: EdgeVerification, task.KindSplit: EdgeSplit,
		task.KindResearch: EdgeResearch,
	}
	leads := make([]bool, len(g.Nodes))
	for to, n := range g.Nodes {
		for _, from := range n.After {
			g.Edges = append(g.Edges, GraphEdge{from, to, EdgeDepends})
			leads[from] = true
		}
		from := n.Parent
		if fixed, ok := place[n.Phase.Fixes]; ok && n.Phase.Kind == task.KindFix && n.Phase.Fixes != "" {
			from = fixed
		}
		if kind, ok := kinds[n.Phase.Kind]; ok && from >= 0 && from != to {
			g.Edges = append(g.Edges, GraphEdge{from, to, kind})
		}
	}
	for to, n := range g.Nodes {
		if n.Phase.Kind != task.KindFinalReview {
			continue
		}
		for from, m := range g.Nodes {
			if !leads[from] && m.Depth == 0 && m.Phase.Kind != task.KindFinalReview {
				g.Edges = append(g.Edges, GraphEdge{from, to, EdgeFinal})
			}
		}
	}
}

// label is what a node is called in a drawing.
func (n GraphNode) label() string {
	mark := string(n.Mark)
	if n.Escalated {
		mark += string(MarkEscalated)
	}
	return mark + " " + Safe(n.Phase.ID) + " " + Truncate(Safe(n.Phase.Title), maxLabel)
}

// maxLabel is how much of a title stands in a drawing, in columns.
const maxLabel = 60

// class names the state that a node's marker shows, for a drawing's colours.
func (n GraphNode) class() string {
	switch n.Mark {
	case MarkDone:
		return "done"
	case MarkBusy:
		return "busy"
	case MarkReview:
		return "review"
	case MarkFailed:
		return "failed"
	case MarkDropped:
		return "dropped"
	case MarkOpen, MarkEscalated:
	}
	return "open"
}
