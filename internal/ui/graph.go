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
	g := Graph{Name: t.ID.Slug()}
	at := make(map[task.UID]int, len(t.Phases))
	for i, p := range t.Phases {
		at[p.UID] = i
	}
	parent := func(i int) int {
		if up, ok := at[t.Phases[i].Parent]; ok && t.Phases[i].Parent != "" && up != i {
			return up
		}
		return -1
	}
	l := layers{
		of: make([]int, len(t.Phases)), state: make([]int, len(t.Phases)), needs: make([][]int, len(t.Phases)),
		roots: make([]int, len(t.Phases)),
	}
	depth := make([]int, len(t.Phases))
	for i := range t.Phases {
		l.roots[i] = i
		for range maxAncestors {
			up := parent(l.roots[i])
			if up < 0 {
				break
			}
			l.roots[i] = up
			depth[i]++
		}
	}
	for i, p := range t.Phases {
		for _, uid := range p.DependsOn {
			if d, ok := at[uid]; ok && l.roots[d] != l.roots[i] {
				l.needs[l.roots[i]] = append(l.needs[l.roots[i]], l.roots[d])
			}
		}
	}
	last := 0
	for i, p := range t.Phases {
		if p.Kind != task.KindFinalReview {
			last = max(last, l.layer(l.roots[i])+1)
		}
	}
	order := l.order(t, parent, last)
	place := make([]int, len(order))
	for to, from := range order {
		place[from] = to
	}
	g.Nodes = make([]GraphNode, len(order))
	for to, from := range order {
		p := t.Phases[from]
		n := GraphNode{
			Phase: p, Mark: MarkOf(p.Status), Escalated: len(p.Escalations) > 0, Layer: l.of[l.roots[from]],
			Depth: depth[from], Parent: -1,
		}
		if up := parent(from); up >= 0 {
			n.Parent = place[up]
		}
		for _, uid := range p.DependsOn {
			if d, ok := at[uid]; ok {
				n.After = append(n.After, place[d])
			}
		}
		g.Nodes[to] = n
	}
	g.edges(func(uid task.UID) (int, bool) {
		i, ok := at[uid]
		if !ok {
			return 0, false
		}
		return place[i], true
	})
	return g
}

// layers finds the layer of each family, by its first phase.
type layers struct {
	of, state, roots []int
	needs            [][]int
}

func (l *layers) layer(root int) int {
	const under, known = 1, 2
	switch l.state[root] {
	case under:
		return -1 // it waits for itself
	case known:
		return l.of[root]
	}
	l.state[root] = under
	for _, need := range l.needs[root] {
		l.of[root] = max(l.of[root], l.layer(need)+1)
	}
	l.state[root] = known
	return l.of[root]
}

// order lists the phases by the layers of their families, each family with those
// below right behind the one above; final reviews last.
func (l *layers) order(t task.Task, parent func(int) int, last int) []int {
	below := make([][]int, len(t.Phases))
	var roots []int
	for i, p := range t.Phases {
		up := parent(i)
		if up < 0 {
			if p.Kind == task.KindFinalReview {
				l.of[i] = max(l.layer(i), last)
			}
			roots = append(roots, i)
			continue
		}
		below[up] = append(below[up], i)
	}
	slices.SortStableFunc(roots, func(a, b int) int { return l.of[a] - l.of[b] })
	order := make([]int, 0, len(t.Phases))
	seen := make([]bool, len(t.Phases))
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		order = append(order, i)
		for _, child := range below[i] {
			visit(child)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	for i := range t.Phases { // what belongs to itself, in a state that nobody read
		visit(i)
	}
	return order
}

// edges draws them: what somebody waits for, and what belongs together.
func (g *Graph) edges(at func(task.UID) (int, bool)) {
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
		if fixed, ok := at(n.Phase.Fixes); ok && n.Phase.Kind == task.KindFix && n.Phase.Fixes != "" {
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
