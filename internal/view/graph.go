package view

import (
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Graph is `graph`: edges name phases by their ids.
type Graph struct {
	Task  task.ID     `json:"task"`
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
}

// GraphNode is a phase.
type GraphNode struct {
	Phase
	// Layer is 0 where nothing has to be done first; see ui.GraphNode.
	Layer int `json:"layer"`
}

// GraphEdge binds two phases.
type GraphEdge struct {
	From string      `json:"from"`
	To   string      `json:"to"`
	Kind ui.EdgeKind `json:"kind"`
}

// NewGraph tells of a task's phases and what binds them.
func NewGraph(t task.Task, g ui.Graph) Graph {
	doc := Graph{Task: t.ID, Nodes: make([]GraphNode, len(g.Nodes)), Edges: make([]GraphEdge, len(g.Edges))}
	for i, n := range g.Nodes {
		doc.Nodes[i] = GraphNode{NewPhase(t, n.Phase), n.Layer}
	}
	for i, edge := range g.Edges {
		doc.Edges[i] = GraphEdge{g.Nodes[edge.From].Phase.ID, g.Nodes[edge.To].Phase.ID, edge.Kind}
	}
	return doc
}
