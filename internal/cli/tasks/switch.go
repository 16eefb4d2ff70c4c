package tasks

import (
	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Switch() cli.Command {
	return cli.Command{
		Use:   "switch <task>|-",
		Short: "check a task's branch out",
		Long: `Checks the task's branch out; - is the previous task. A branch that is only on a
remote is made from there, and fetched first where that was not done yet; one
that is nowhere is made at the commit where the task began. Local changes in the
way are never overwritten. A task with services has its branch in these alone:
all of them are switched, or none. Where several tasks claim the branch that is
checked out, it says which one is meant here.`,
		DryRun: cli.DryRunHelp,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			went, err := c.App.Tasks.Switch(c.Ctx, c.Args[0])
			return cli.Answer{
				JSON:    view.Switched(went, c.Flags.DryRun),
				Records: cli.Record(string(went.Task.ID), went.Task.Branch, went.Made),
				Text:    func() { saySwitched(c, went) },
			}, err
		},
	}
}

// switchedWords tells of one service that was switched, or stayed.
func switchedWords(s app.SwitchedService) string {
	words := ui.Safe(s.Path)
	switch {
	case s.Path == "":
		return "this work tree went back to " + ui.Safe(s.Branch)
	case !s.Moved:
		words += ", was there already"
	case s.Made != "":
		words += ", made from " + ui.Safe(s.Made)
	}
	return words
}

func saySwitched(c *cli.Call, went app.SwitchResult) {
	from := ""
	if went.Made != "" {
		from = " (made from " + ui.Safe(went.Made) + ")"
	}
	c.Did("Switched to %s on %s%s", c.Style().Bright(c.Name(went.Task.ID)), ui.Safe(went.Task.Branch), from)
	for _, s := range went.Services {
		c.Say("  %s", switchedWords(s))
	}
	for _, note := range []string{went.Note, went.Gone} {
		if note != "" {
			c.Say("  %s", ui.Safe(note))
		}
	}
	if went.Gone == "" {
		c.Next("%s", c.Hint(c.App.Next.Step(c.Ctx, went.Task)))
	}
}
