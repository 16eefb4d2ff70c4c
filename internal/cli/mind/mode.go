package mind

import (
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/ui"
)

func Mode() cli.Command {
	return cli.Command{
		Use:   "mode [discussion|implementation|toggle]",
		Short: "show or switch what an agent may do in this work tree",
		Long: `In discussion mode an agent reads and plans; in implementation mode it writes.
Without an argument, mode shows which one this work tree is in, since when,
what switched it, and which one it was in before. People switch to
implementation; an agent only ever goes back to discussion.`,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			before, err := c.App.Sessions.Mode(c.Ctx)
			if err != nil {
				return cli.Answer{}, err
			}
			if len(c.Args) > 0 {
				return switchMode(c, before)
			}
			return modeAnswer(before, func() {
				c.Tell("%s\n", cli.Sentence(modeWords(before, c.Now())))
				if v, err := c.App.Status(c.Ctx, ""); err == nil && taskview.OffWords(v) != "" {
					c.Say("%s", taskview.OffWords(v))
				}
			}), nil
		},
	}
}

func switchMode(c *cli.Call, before clone.ModeState) (cli.Answer, error) {
	after, err := c.App.Sessions.SwitchMode(c.Ctx, c.Args[0])
	return modeAnswer(after, func() {
		if after.Mode == before.Mode {
			c.Say("%s mode already", cli.Sentence(string(after.Mode)))
		} else {
			c.Say("%s mode, was %s", cli.Sentence(string(after.Mode)), before.Mode)
		}
	}), err
}

func modeAnswer(m clone.ModeState, text func()) cli.Answer {
	return cli.Answer{
		JSON:    m,
		Records: cli.Record(string(m.Mode), m.Since, string(m.Previous), m.By), Text: text,
	}
}

// modeWords say which mode it is, since when, what switched it, and what was before.
func modeWords(m clone.ModeState, now time.Time) string {
	words := string(m.Mode) + " mode"
	if since, err := time.Parse(time.RFC3339, m.Since); err == nil {
		words += ", switched " + ui.Ago(since, now)
	}
	if m.By != "" {
		words += " (" + ui.Safe(m.By) + ")"
	}
	if m.Previous != "" {
		words += ", was " + string(m.Previous)
	}
	return words
}
