package look

import (
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/ui"
)

// Summary tells a task in Markdown, as it stands: what is final.md at its end.
func Summary() cli.Command {
	return cli.Command{
		Use: "summary [<task>]", Short: "tell a task in Markdown, as for a pull request",
		Look: func(c *cli.Call) (cli.Answer, error) {
			t, err := c.App.Records.Task(c.Ctx, c.ID)
			if err != nil {
				return cli.Answer{}, err
			}
			story, err := c.App.Engine.Story(c.Ctx, t)
			if err != nil {
				return cli.Answer{}, err
			}
			text := report.FinalReport(t, story, c.App.Clone.Timestamp())
			return cli.Answer{
				JSON: ui.Object{"task", t.ID, "text", text},
				Text: func() { _, _ = c.Out.Write([]byte(ui.SafeLines(text))) },
			}, nil
		},
	}
}
