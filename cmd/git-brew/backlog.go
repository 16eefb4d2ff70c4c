package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newBacklogCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backlog",
		Short: "what is to be done later, outside any task",
		Long: `The backlog is the project's: what somebody noticed while working on something
else. An item is done, or becomes a task of its own.`,
	}
	cmd.AddCommand(newBacklogListCmd(e), newBacklogAddCmd(e), newBacklogDoneCmd(e), newBacklogPromoteCmd(e))
	return cmd
}

// itemList is `backlog list --json`.
type itemList struct {
	Items []knowledge.Item `json:"items"`
}

type itemDocument struct {
	Item knowledge.Item `json:"item"`
	Undo string         `json:"undo,omitzero"` // as in view.Change
}

func newBacklogListCmd(e *env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "list [--all]",
		Short: "list the open items",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			items, err := service.Backlog(cmd.Context(), all)
			if err != nil {
				return err
			}
			switch {
			case e.Flags.JSON:
				return ui.JSON(e.Out, itemList{view.List(items)})
			case len(items) == 0 && !e.Flags.Porcelain:
				e.say("The backlog is empty.")
				e.next(cmd.Context(), service, "git brew backlog add TEXT")
				return nil
			}
			style := e.colours(service)
			table := e.table("")
			table.Leave, table.Give = []int{3}, []int{3, 2}
			for _, i := range items {
				if e.Flags.Porcelain {
					if err := recordItem(e, i); err != nil {
						return err
					}
					continue
				}
				from := ""
				if i.PromotedTo != "" {
					from = "now " + ui.Safe(i.PromotedTo)
				} else if i.Task != "" {
					from = "from " + ui.Safe(i.Task)
				}
				table.Add(style.Bright(shortID(string(i.ID))), style.Mark(itemMark(i)), ui.Safe(i.Txt), style.Dim(from))
			}
			return table.Write(e.Out)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "those too that are done or became tasks")
	return cmd
}

func itemMark(i knowledge.Item) ui.Marker {
	switch {
	case i.Done:
		return ui.MarkDone
	case i.PromotedTo != "":
		return ui.MarkBusy
	}
	return ui.MarkOpen
}

func recordItem(e *env, i knowledge.Item) error {
	state := "open"
	switch {
	case i.Done:
		state = "done"
	case i.PromotedTo != "":
		state = "promoted"
	}
	return ui.Record(e.Out, string(i.ID), state, i.TS, i.Src, i.Task, i.PromotedTo, i.Txt)
}

func (e *env) answerItem(ctx context.Context, did string, i knowledge.Item) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, itemDocument{i, e.undoneBy(ctx)})
	case e.Flags.Porcelain:
		return recordItem(e, i)
	}
	e.say("%s: %s  %s", did, ui.Truncate(ui.Safe(i.Txt), e.room(30, 20)), shortID(string(i.ID)))
	return nil
}

func newBacklogAddCmd(e *env) *cobra.Command {
	var src string
	cmd := &cobra.Command{
		Use:   "add <text>",
		Short: "note something to do later",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			from, _, err := e.readTask(cmd.Context(), service, "")
			if err != nil {
				return err
			}
			item, err := service.AddBacklog(cmd.Context(), args[0], src, from)
			if err != nil {
				return err
			}
			return e.answerItem(cmd.Context(), "Noted for later", item)
		},
	}
	cmd.Flags().StringVar(&src, "src", "", "who noticed it: an agent's or a person's `name`")
	return cmd
}

func newBacklogDoneCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "done <id>",
		Short: "say that an item is done",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			item, err := service.DoneBacklog(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			item.Done = true
			return e.answerItem(cmd.Context(), "Done", item)
		},
	}
}

func newBacklogPromoteCmd(e *env) *cobra.Command {
	var r workflow.CreateRequest
	var checkOut bool
	cmd := &cobra.Command{
		Use:   "promote [<options>] <id>",
		Short: "make a task of an item",
		Long: `Makes a task of an item, on a branch of its own. The work tree stays where it
is, unless --switch is given.`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			r.NoSwitch = !checkOut
			made, err := service.PromoteBacklog(cmd.Context(), args[0], r)
			if err != nil {
				return err
			}
			switch {
			case e.Flags.JSON:
				return ui.JSON(e.Out, taskAnswer{Task: view.NewTask(made.Task, ""), DryRun: e.Flags.DryRun})
			case e.Flags.Porcelain:
				return ui.Record(e.Out, string(made.Task.ID), made.Task.Branch)
			}
			e.did("Created %s on %s", e.colours(service).Bright(string(made.Task.ID)), ui.Safe(made.Task.Branch))
			if !made.Switched {
				e.next(cmd.Context(), service, "git brew switch %s", e.name(cmd.Context(), service, made.Task.ID))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Title, "title", "", "its `title`, where the item's text is none")
	flags.StringVar(&r.Type, "type", "", "what kind of work it is: feature, fix, … (`type`)")
	flags.StringVar(&r.Branch, "branch", "", "its branch's `name`")
	flags.BoolVar(&checkOut, "switch", false, "check its branch out")
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}
