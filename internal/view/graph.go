package view

import (
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Graph tells of a task's phases and what binds them, by their ids: `graph`.
func Graph(t task.Task, g ui.Graph) ui.Object {
	nodes, edges := []ui.Object{}, []ui.Object{}
	for _, n := range g.Nodes {
		nodes = append(nodes, ui.Object{NewPhase(t, n.Phase), "layer", n.Layer})
	}
	for _, edge := range g.Edges {
		from, to := g.Nodes[edge.From].Phase.ID, g.Nodes[edge.To].Phase.ID
		edges = append(edges, ui.Object{"from", from, "to", to, "kind", edge.Kind})
	}
	return ui.Object{"task", t.ID, "nodes", nodes, "edges", edges}
}
