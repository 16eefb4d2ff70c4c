package look

import (
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Map tells what the code base is made of, or how old such a map is.
func Map() cli.Command {
	return cli.Command{
		Use: "map [<file>]", Short: "a map of the code base in Markdown, or the age of one",
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if name := cli.FirstArg(c.Args); name != "" {
				return mapAge(c, name)
			}
			text, err := c.App.Code.Map(c.Ctx)
			return cli.Answer{
				JSON: ui.Object{"text", text}, Text: func() { _, _ = c.Out.Write([]byte(ui.SafeLines(text))) },
			}, err
		},
	}
}

func mapAge(c *cli.Call, name string) (cli.Answer, error) {
	text, err := c.Text(name)
	if err != nil {
		return cli.Answer{}, err
	}
	n, err := c.App.Code.MapAge(c.Ctx, string(text))
	return cli.Answer{
		JSON: ui.Object{"commits", n}, Text: func() { c.Say("%s since it was made", task.Counted(n, "commit")) },
	}, err
}
