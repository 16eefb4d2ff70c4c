package look

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Show() cli.Command {
	var at string
	return cli.Command{
		Use: "show [<options>] [<task>][:<path>]", Short: "show a task, or a text of it, as it is or was",
		Flags: []cli.Flag{cli.Opt("at", &at, "as it was at this `moment`: a time or a commit")},
		Setup: handsOn(func(c *cli.Call, line gitLine) (cli.Answer, error) { return show(c, line, at) }),
	}
}

func show(c *cli.Call, line gitLine, at string) (cli.Answer, error) {
	if c.Cmd.Flags().Changed("at") && strings.TrimSpace(at) == "" {
		return cli.Answer{}, cli.UsageOf(c.Cmd, "--at needs a time or a commit")
	}
	if form := asRecords(c.Env); form != "" {
		if err := meaningless(line.options, form); err != nil {
			return cli.Answer{}, err
		}
	}
	name, path, _ := strings.Cut(cli.FirstArg(line.args), ":")
	others := slices.Concat(line.options, line.paths)
	if path != "" && len(others) > 0 {
		hint := strings.TrimSpace("git brew log "+name) + " -p shows what changed"
		return cli.Answer{}, cli.Misused(others[0]+" has no meaning for a text", hint)
	}
	if a, found, err := c.Look(name); err != nil || !found {
		return a, err
	}
	shown, err := c.App.Records.ShowAt(c.Ctx, c.ID, path, at)
	switch {
	case err != nil:
		return cli.Answer{}, err
	case len(others) > 0:
		args := slices.Concat([]string{"show"}, line.options, []string{shown.Tip, "--"}, line.paths)
		return cli.Answer{}, cli.RunGit(c.Env, c.Ctx, c.App.Clone.Repo, nil, args)
	case path != "":
		return shownText(c, shown), nil
	}
	waiting, err := c.App.Trust.UntrustedCommands(c.Ctx, shown.Task)
	return cli.Answer{
		JSON:    view.Shown(shown, waiting),
		Records: cli.Each(shown.Files, func(path string) []string { return []string{path} }),
		Text:    func() { sayTask(c, shown, waiting) },
	}, err
}

func shownText(c *cli.Call, shown records.Show) cli.Answer {
	doc := ui.Object{"task", shown.Task.ID, "path", shown.Path, "text", string(shown.Text), "commit", shown.Tip}
	return cli.Answer{JSON: doc, Text: func() {
		cli.PrintText(c.Env, shown.Text)
		if c.Terminal && len(shown.Text) > 0 && !bytes.HasSuffix(shown.Text, []byte("\n")) {
			c.Line("")
		}
	}}
}

func sayTask(c *cli.Call, shown records.Show, waiting map[task.UID][]string) {
	t := shown.Task
	c.Tell("%s  %s\n", c.Style().Bright(string(t.ID)), ui.Safe(t.Title))
	c.WriteTable(taskFacts(c, shown))
	if len(t.Phases) > 0 {
		fmt.Fprintln(c.Out)
		taskview.SayPhases(c, t, waiting)
	}
	fmt.Fprintln(c.Out)
	for _, path := range shown.Files {
		c.Line("  " + ui.Safe(path))
	}
}

// taskFacts are what is known of a task, but for its phases.
func taskFacts(c *cli.Call, shown records.Show) *ui.Table {
	t, style, facts := shown.Task, c.Style(), c.Facts("  ")
	v := taskview.Status{TaskStatus: app.TaskStatus{View: session.View{Task: &t, Archived: shown.Archived}}, Style: style}
	deleted := style.Bad("deleted") + fmt.Sprintf("; 'git brew undo %s' brings it back", t.ID)
	facts.Fact("status", ui.Joined(": ", ui.Either(t.Deleted, deleted, v.State()), ui.Safe(t.Reason)))
	facts.Fact("type", ui.Safe(t.Type))
	facts.Fact("priority", string(t.Priority))
	from := ui.Either(len(t.Services) == 0, taskview.FromWords(t.Base, t.BaseCommit), "")
	facts.Fact("branch", ui.Safe(t.Branch)+from)
	for _, s := range t.Services {
		facts.Fact("services", ui.Safe(s.Path)+taskview.FromWords(s.Base, s.BaseCommit))
	}
	facts.Fact("issues", strings.Join(t.Issues, ", "))
	facts.Fact("created", cli.Ago(c.Env, t.CreatedAt))
	facts.Fact("started", cli.Ago(c.Env, t.StartedAt))
	facts.Fact("updated", cli.Ago(c.Env, t.UpdatedAt))
	facts.Fact("ended", cli.Ago(c.Env, t.FinishedAt))
	for _, d := range view.ActiveDecisions(t) {
		facts.Fact("decided", t.DecisionID(d.UID)+" "+ui.Safe(d.Title))
	}
	for _, b := range rules.Tallies(t) {
		facts.Fact("reviews", taskview.BoardWords(b))
	}
	return facts
}

func Graph() cli.Command {
	format := "text"
	return cli.Command{
		Use: "graph [<task>] [--format <format>]", Short: "show a task's phases and what each one waits for",
		Flags: []cli.Flag{cli.Opt("format", &format, "the `format`: text, mermaid or dot; else text")},
		Check: cli.RefuseIf(func(*cli.Call) bool { return !slices.Contains([]string{"text", "mermaid", "dot"}, format) },
			"there is no such --format", "give one of text, mermaid, dot"),
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
