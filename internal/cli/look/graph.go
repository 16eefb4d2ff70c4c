package look

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// GraphFormats are what --format takes.
var GraphFormats = []string{"text", "mermaid", "dot"}

func Graph() cli.Command {
	format := GraphFormats[0]
	return cli.Command{
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
		Flags: []cli.Flag{cli.Opt("format", &format, "the `format`: text, mermaid or dot; else text")},
		Check: func(c *cli.Call) error {
			if !slices.Contains(GraphFormats, format) {
				hint := "give one of " + strings.Join(GraphFormats, ", ")
				return &cli.UsageError{Msg: "--format " + ui.Safe(format) + " is unknown", Hint: hint}
			}
			return nil
		},
		Look: func(c *cli.Call) (cli.Answer, error) {
			t, err := c.App.Records.Task(c.Ctx, c.ID)
			return graphAnswer(c, t, format), err
		},
	}
}

func graphAnswer(c *cli.Call, t task.Task, format string) cli.Answer {
	g := ui.NewGraph(t)
	id := func(node int) string { return g.Nodes[node].Phase.ID }
	phases := cli.Each(g.Nodes, func(n ui.GraphNode) []string {
		return []string{"phase", n.Phase.ID, string(n.Phase.Kind), string(n.Phase.Status), n.Phase.Title}
	})
	edges := cli.Each(g.Edges, func(edge ui.GraphEdge) []string {
		return []string{"edge", id(edge.From), id(edge.To), string(edge.Kind)}
	})
	return cli.Answer{JSON: view.Graph(t, g), Records: cli.Joined(phases, edges), Text: func() {
		text := ""
		switch {
		case format == "mermaid":
			text = g.Mermaid()
		case format == "dot":
			text = g.DOT()
		case len(g.Nodes) == 0:
			c.HasNone("phases", route.CommandAdd(t))
		default:
			text = g.Text(c.Style(), min(c.Width(), taskview.MaxStatusWidth))
		}
		fmt.Fprint(c.Out, text)
	}}
}
