package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newTriggerCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trigger",
		Short: "list and change the phrases that git brew listens to",
		Long: `When you say one of these phrases to an agent, git brew does something:

  implementation  the agent may write from now on
  stop            it may not any more
  approve         the phase in review is approved, as your own word
  create, switch, finish, compact
                  it is told how git brew does that

They count as whole phrases, not in quotes or code, and all but the stop words
not behind a negation in their sentence either. A phrase written in capitals
counts in capitals only, any other in whatever case. An agent can't change them.`,
	}
	cmd.AddCommand(newTriggerListCmd(e), newTriggerAddCmd(e), newTriggerRmCmd(e))
	return cmd
}

func newTriggerListCmd(e *env) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   "list [--for <kind>]",
		Short: "list the phrases, and where each list comes from",
		Args:  between(0, 0),
		RunE: e.onRepo(func(c *call) (answer, error) {
			var kinds []session.TriggerKind
			if kind != "" {
				k, err := session.ParseTriggerKind(kind)
				if err != nil {
					return answer{}, err
				}
				kinds = append(kinds, k)
			}
			all, err := c.s.Sessions.Triggers(c.ctx, kinds...)
			return triggersAnswer(c, all), err
		}),
	}
	triggerFlag(cmd, &kind)
	return cmd
}

func newTriggerAddCmd(e *env) *cobra.Command {
	return e.triggerChange("add", "listen to one more phrase", "Now for %s: %s", (*session.Sessions).AddTrigger)
}

func newTriggerRmCmd(e *env) *cobra.Command {
	return e.triggerChange("rm", "listen to a phrase no more", "Left for %s: %s", (*session.Sessions).RemoveTrigger)
}

// triggerChange is add and rm.
func (e *env) triggerChange(name, short, did string, change func(*session.Sessions, context.Context, session.TriggerKind, string) (session.Triggers, error)) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   name + " [--for <kind>] <phrase>...",
		Short: short,
		Long: `Words that are given one by one are one phrase. The list is kept in this clone's
git configuration, from then on whole: what the project shares, or the defaults
of a later version, no longer add to it. 'git brew config unset' takes it back.`,
		Args: between(1, 50),
		RunE: e.onRepo(func(c *call) (answer, error) {
			if _, err := session.ParseTriggerKind(c.args[0]); err == nil && kind == "" && len(c.args) > 1 {
				return answer{}, &usageError{fmt.Sprintf("%q is a kind of phrase", c.args[0]), "say it with --for " + c.args[0]}
			}
			k, err := session.ParseTriggerKind(kind)
			if err != nil {
				return answer{}, err
			}
			after, err := change(c.s.Sessions, c.ctx, k, strings.Join(c.args, " "))
			a := triggersAnswer(c, []session.Triggers{after})
			a.Text = func() { c.say(did, k, ui.Safe(strings.Join(after.Phrases, ", "))) }
			return a, err
		}),
	}
	triggerFlag(cmd, &kind)
	return cmd
}

func triggerFlag(cmd *cobra.Command, kind *string) {
	cmd.Flags().StringVar(kind, "for", "", "the `kind` of phrase, else implementation")
}

func triggersAnswer(c *call, all []session.Triggers) answer {
	phrases := func(yield func([]string) bool) {
		for _, t := range all {
			for _, phrase := range t.Phrases {
				if !yield([]string{string(t.Kind), phrase, t.From}) {
					return
				}
			}
		}
	}
	return answer{JSON: view.NewTriggers(all), Records: phrases, Text: func() {
		style, table := c.style(), c.table("")
		table.Give = []int{1}
		for _, t := range all {
			for i, phrase := range t.Phrases {
				kind, from := style.Bright(firstOnly(string(t.Kind), i)), ""
				if i == 0 && t.From != "default" {
					from = style.Dim(t.From)
				}
				table.Add(kind, ui.Safe(phrase), from)
			}
		}
		c.write(table)
	}}
}
