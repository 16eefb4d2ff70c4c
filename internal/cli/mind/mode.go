package mind

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/ui"
)

func Trigger() cli.Command {
	var kind string
	return cli.Command{
		Use: "trigger", Short: "list and change the phrases that git brew listens to",
		Subs: []cli.Command{
			{
				Use: "list [--for <kind>]", Short: "list the phrases, and where each list comes from",
				Flags: []cli.Flag{triggerFlag(&kind)},
				Repo: func(c *cli.Call) (cli.Answer, error) {
					var kinds []session.TriggerKind
					if kind != "" {
						k, err := session.ParseTriggerKind(kind)
						if err != nil {
							return cli.Answer{}, err
						}
						kinds = append(kinds, k)
					}
					all, err := c.App.Sessions.Triggers(c.Ctx, kinds...)
					return triggersAnswer(c, all), err
				},
			},
			triggerChange("add", "listen to one more phrase", "Now for %s: %s", (*session.Sessions).AddTrigger),
			triggerChange("rm", "listen to a phrase no more", "Left for %s: %s", (*session.Sessions).RemoveTrigger),
		},
	}
}

func triggerChange(name, short, did string,
	change func(*session.Sessions, context.Context, session.TriggerKind, string) (session.Triggers, error),
) cli.Command {
	var kind string
	return cli.Command{
		Use:   name + " [--for <kind>] <phrase>...",
		Short: short,
		Flags: []cli.Flag{triggerFlag(&kind)},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if _, err := session.ParseTriggerKind(c.Args[0]); err == nil && kind == "" && len(c.Args) > 1 {
				what := fmt.Sprintf("%q is a kind of phrase", c.Args[0])
				return cli.Answer{}, cli.Misused(what, "say it with --for "+c.Args[0])
			}
			k, err := session.ParseTriggerKind(kind)
			if err != nil {
				return cli.Answer{}, err
			}
			after, err := change(c.App.Sessions, c.Ctx, k, strings.Join(c.Args, " "))
			a := triggersAnswer(c, []session.Triggers{after})
			a.Text = func() { c.Say(did, k, ui.Safe(strings.Join(after.Phrases, ", "))) }
			return a, err
		},
	}
}

func triggerFlag(kind *string) cli.Flag {
	return cli.Opt("for", kind, "the `kind` of phrase, else implementation")
}

func triggersAnswer(c *cli.Call, all []session.Triggers) cli.Answer {
	phrases := func(yield func([]string) bool) {
		for _, t := range all {
			for _, phrase := range t.Phrases {
				if !yield([]string{string(t.Kind), phrase, t.From}) {
					return
				}
			}
		}
	}
	return cli.Answer{JSON: ui.Object{"triggers", all}, Records: phrases, Text: func() {
		style, table := c.Style(), c.Table("")
		table.Give = []int{1}
		for _, t := range all {
			for i, phrase := range t.Phrases {
				kind := ui.Either(i == 0, style.Bright(string(t.Kind)), "")
				from := ui.Either(i == 0 && t.From != "default", style.Dim(t.From), "")
				table.Add(kind, ui.Safe(phrase), from)
			}
		}
		c.WriteTable(table)
	}}
}

func Mode() cli.Command {
	return cli.Command{
		Use:   "mode [discussion|implementation|toggle]",
		Short: "show or switch what an agent may do in this work tree",
		Repo: func(c *cli.Call) (cli.Answer, error) {
			before, err := c.App.Sessions.Mode(c.Ctx)
			if err != nil {
				return cli.Answer{}, err
			}
			if len(c.Args) > 0 {
				return switchMode(c, before)
			}
			return modeAnswer(before, func() {
				c.Tell("%s\n", cli.Sentence(modeWords(c.Env, before)))
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
		was := ui.Either(after.Mode == before.Mode, " already", ", was "+string(before.Mode))
		c.Say("%s mode%s", cli.Sentence(string(after.Mode)), was)
	}), err
}

func modeAnswer(m clone.ModeState, text func()) cli.Answer {
	return cli.Answer{
		JSON:    m,
		Records: cli.Record(string(m.Mode), m.Since, string(m.Previous), m.By), Text: text,
	}
}

// modeWords say which mode it is, since when, what switched it, and what was before.
func modeWords(e *cli.Env, m clone.ModeState) string {
	since := ui.Either(m.Since == "", "", "switched "+cli.Ago(e, m.Since))
	by := ui.Either(m.By == "", "", " ("+ui.Safe(m.By)+")")
	was := ui.Either(m.Previous == "", "", ", was "+string(m.Previous))
	return ui.Joined(", ", string(m.Mode)+" mode", since) + by + was
}
