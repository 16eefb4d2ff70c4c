package main

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newSwitchCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "switch <task>|-",
		Short: "check a task's branch out",
		Long: `Checks the task's branch out; - is the previous task. A branch that is only on a
remote is made from there, and fetched first where that was not done yet; one
that is nowhere is made at the commit where the task began. Local changes in the
way are never overwritten. A task with services has its branch in these alone:
all of them are switched, or none. Where several tasks claim the branch that is
checked out, it says which one is meant here.`,
		Args: between(1, 1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			went, err := c.s.Tasks.Switch(c.ctx, c.args[0])
			return answer{
				JSON:    view.NewSwitched(went, c.Flags.DryRun),
				Records: record(string(went.Task.ID), went.Task.Branch, went.Made),
				Text:    func() { saySwitched(c, went) },
			}, err
		}),
	}
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
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

func saySwitched(c *call, went app.SwitchResult) {
	from := ""
	if went.Made != "" {
		from = " (made from " + ui.Safe(went.Made) + ")"
	}
	c.did("Switched to %s on %s%s", c.style().Bright(c.name(went.Task.ID)), ui.Safe(went.Task.Branch), from)
	for _, s := range went.Services {
		c.say("  %s", switchedWords(s))
	}
	for _, note := range []string{went.Note, went.Gone} {
		if note != "" {
			c.say("  %s", ui.Safe(note))
		}
	}
	if went.Gone == "" {
		c.next("%s", c.hint(c.s.Next.Step(c.ctx, went.Task)))
	}
}
