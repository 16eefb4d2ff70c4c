package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// graphDocument is `graph --json`: edges name phases by their ids.
type graphDocument struct {
	Task  task.ID             `json:"task"`
	Nodes []graphNodeDocument `json:"nodes"`
	Edges []graphEdgeDocument `json:"edges"`
}

type graphNodeDocument struct {
	view.Phase
	// Layer is 0 where nothing has to be done first; see ui.GraphNode.
	Layer int `json:"layer"`
}

type graphEdgeDocument struct {
	From string      `json:"from"`
	To   string      `json:"to"`
	Kind ui.EdgeKind `json:"kind"`
}

// graphFormats are what --format takes.
var graphFormats = []string{"text", "mermaid", "dot"}

func newGraphCmd(e *env) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "graph [<task>] [--format <format>]",
		Short: "show a task's phases and what each one waits for",
		Long: `Shows the phases of a task, and what binds them: what has to be done first, and
which fixes, verifications, parts and research belong to which phase. As text,
where "then" stands in front of what comes after all that is above it and named
at its end; or as a drawing for Mermaid (in Markdown, GitHub draws it) or for
Graphviz.

Porcelain has records phase (id, kind, status, title) and edge (from, to, kind).`,
		Example: `  git brew graph
  git brew graph add-jwt --format dot | dot -Tsvg -o phases.svg`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(graphFormats, format) {
				return &usageError{"--format " + ui.Safe(format) + " is unknown", "give one of " + strings.Join(graphFormats, ", ")}
			}
			ctx := cmd.Context()
			s, id, ok, err := e.reading(ctx, first(args))
			if err != nil || !ok {
				return err
			}
			t, err := s.Task(ctx, id)
			if err != nil {
				return err
			}
			g := ui.NewGraph(t)
			switch {
			case e.Flags.JSON:
				return ui.JSON(e.Out, newGraphDocument(t, g))
			case e.Flags.Porcelain:
				return e.recordGraph(g)
			case len(g.Nodes) == 0 && format == "text":
				e.hasNone(ctx, s, id, "phases", task.CommandAdd(t))
				return nil
			}
			text := ""
			switch format {
			case "mermaid":
				text = g.Mermaid()
			case "dot":
				text = g.DOT()
			default:
				text = g.Text(e.colours(s), min(e.width(), maxStatusWidth))
			}
			_, err = io.WriteString(e.Out, text)
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `format`: text, mermaid or dot; else text")
	return cmd
}

func newGraphDocument(t task.Task, g ui.Graph) graphDocument {
	doc := graphDocument{Task: t.ID, Nodes: make([]graphNodeDocument, len(g.Nodes)), Edges: make([]graphEdgeDocument, len(g.Edges))}
	for i, n := range g.Nodes {
		doc.Nodes[i] = graphNodeDocument{Phase: view.NewPhase(t, n.Phase), Layer: n.Layer}
	}
	for i, edge := range g.Edges {
		doc.Edges[i] = graphEdgeDocument{g.Nodes[edge.From].Phase.ID, g.Nodes[edge.To].Phase.ID, edge.Kind}
	}
	return doc
}

// recordGraph is the porcelain of a graph: its phases, then what binds them.
func (e *env) recordGraph(g ui.Graph) error {
	for _, n := range g.Nodes {
		if err := ui.Record(e.Out, "phase", n.Phase.ID, string(n.Phase.Kind), string(n.Phase.Status), n.Phase.Title); err != nil {
			return err
		}
	}
	for _, edge := range g.Edges {
		if err := ui.Record(e.Out, "edge", g.Nodes[edge.From].Phase.ID, g.Nodes[edge.To].Phase.ID, string(edge.Kind)); err != nil {
			return err
		}
	}
	return nil
}
