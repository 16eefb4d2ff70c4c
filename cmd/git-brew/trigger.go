package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			var kinds []workflow.TriggerKind
			if kind != "" {
				k, err := workflow.ParseTriggerKind(kind)
				if err != nil {
					return err
				}
				kinds = append(kinds, k)
			}
			all, err := service.Triggers(cmd.Context(), kinds...)
			if err != nil {
				return err
			}
			return e.listTriggers(all, e.colours(service), "")
		},
	}
	triggerFlag(cmd, &kind)
	return cmd
}

func newTriggerAddCmd(e *env) *cobra.Command {
	return e.triggerChange("add", "listen to one more phrase", "Now for %s: %s", (*workflow.Service).AddTrigger)
}

func newTriggerRmCmd(e *env) *cobra.Command {
	return e.triggerChange("rm", "listen to a phrase no more", "Left for %s: %s", (*workflow.Service).RemoveTrigger)
}

// triggerChange is add and rm.
func (e *env) triggerChange(name, short, did string, change func(*workflow.Service, context.Context, workflow.TriggerKind, string) (workflow.Triggers, error)) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   name + " [--for <kind>] <phrase>...",
		Short: short,
		Long: `Words that are given one by one are one phrase. The list is kept in this clone's
git configuration, from then on whole: what the project shares, or the defaults
of a later version, no longer add to it. 'git brew config unset' takes it back.`,
		Args: between(1, 50),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			if _, err := workflow.ParseTriggerKind(args[0]); err == nil && kind == "" && len(args) > 1 {
				return &usageError{fmt.Sprintf("%q is a kind of phrase", args[0]), "say it with --for " + args[0]}
			}
			k, err := workflow.ParseTriggerKind(kind)
			if err != nil {
				return err
			}
			after, err := change(service, cmd.Context(), k, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if e.Flags.JSON || e.Flags.Porcelain {
				return e.listTriggers([]workflow.Triggers{after}, ui.Style{}, e.undoneBy(cmd.Context()))
			}
			e.say(did, k, ui.Safe(strings.Join(after.Phrases, ", ")))
			return nil
		},
	}
	triggerFlag(cmd, &kind)
	return cmd
}

func triggerFlag(cmd *cobra.Command, kind *string) {
	cmd.Flags().StringVar(kind, "for", "", "the `kind` of phrase, else implementation")
}

// triggerList is `trigger list --json`.
type triggerList struct {
	Triggers []workflow.Triggers `json:"triggers"`
	Undo     string              `json:"undo,omitzero"` // as in view.Change
}

func (e *env) listTriggers(all []workflow.Triggers, style ui.Style, undo string) error {
	if e.Flags.JSON {
		for i := range all {
			all[i].Phrases = view.List(all[i].Phrases)
		}
		return ui.JSON(e.Out, triggerList{all, undo})
	}
	if e.Flags.Porcelain {
		for _, t := range all {
			for _, phrase := range t.Phrases {
				if err := ui.Record(e.Out, string(t.Kind), phrase, t.From); err != nil {
					return err
				}
			}
		}
		return nil
	}
	table := e.table("")
	table.Give = []int{1}
	for _, t := range all {
		for i, phrase := range t.Phrases {
			kind, from := "", ""
			if i == 0 {
				kind = style.Bright(string(t.Kind))
				if t.From != "default" {
					from = style.Dim(t.From)
				}
			}
			table.Add(kind, ui.Safe(phrase), from)
		}
	}
	return table.Write(e.Out)
}
