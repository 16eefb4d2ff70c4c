package main

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
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

func newBacklogListCmd(e *env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "list [--all]",
		Short: "list the open items",
		Args:  between(0, 0),
		RunE: e.onRepo(func(c *call) (answer, error) {
			items, err := c.s.Knowledge.Backlog(c.ctx, all)
			return answer{JSON: view.Items{Items: view.List(items)}, Records: each(items, itemRecord), Text: func() {
				listItems(c, items)
			}}, err
		}),
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

func listItems(c *call, items []knowledge.Item) {
	if len(items) == 0 {
		c.say("The backlog is empty.")
		c.next("git brew backlog add TEXT")
	}
	style, table := c.style(), c.table("")
	table.Leave, table.Give = []int{3}, []int{3, 2}
	for _, i := range items {
		from := ""
		if i.PromotedTo != "" {
			from = "now " + ui.Safe(i.PromotedTo)
		} else if i.Task != "" {
			from = "from " + ui.Safe(i.Task)
		}
		table.Add(style.Bright(shortID(string(i.ID))), style.Mark(itemMark(i)), ui.Safe(i.Txt), style.Dim(from))
	}
	c.write(table)
}

func itemRecord(i knowledge.Item) []string {
	state := "open"
	switch {
	case i.Done:
		state = "done"
	case i.PromotedTo != "":
		state = "promoted"
	}
	return []string{string(i.ID), state, i.TS, i.Src, i.Task, i.PromotedTo, i.Txt}
}

func itemAnswer(c *call, did string, i knowledge.Item) answer {
	return answer{JSON: view.Item{Item: i}, Records: record(itemRecord(i)...), Text: func() {
		c.say("%s: %s  %s", did, ui.Truncate(ui.Safe(i.Txt), c.room(30, 20)), shortID(string(i.ID)))
	}}
}

func newBacklogAddCmd(e *env) *cobra.Command {
	var src string
	cmd := &cobra.Command{
		Use:   "add <text>",
		Short: "note something to do later",
		Args:  between(1, 1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			from, _, err := c.readTask(c.ctx, c.s, "")
			if err != nil {
				return answer{}, err
			}
			item, err := c.s.Knowledge.AddBacklog(c.ctx, c.args[0], src, from)
			return itemAnswer(c, "Noted for later", item), err
		}),
	}
	cmd.Flags().StringVar(&src, "src", "", "who noticed it: an agent's or a person's `name`")
	return cmd
}

func newBacklogDoneCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "done <id>",
		Short: "say that an item is done",
		Args:  between(1, 1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			item, err := c.s.Knowledge.DoneBacklog(c.ctx, c.args[0])
			item.Done = true
			return itemAnswer(c, "Done", item), err
		}),
	}
}

func newBacklogPromoteCmd(e *env) *cobra.Command {
	var r app.CreateRequest
	var checkOut bool
	cmd := &cobra.Command{
		Use:   "promote [<options>] <id>",
		Short: "make a task of an item",
		Long: `Makes a task of an item, on a branch of its own. The work tree stays where it
is, unless --switch is given.`,
		Args: between(1, 1),
		RunE: e.onRepo(func(c *call) (answer, error) {
			r.NoSwitch = !checkOut
			made, err := c.s.Tasks.PromoteBacklog(c.ctx, c.args[0], r)
			return answer{
				JSON:    view.ChangedTask{Task: view.NewTask(made.Task, ""), DryRun: c.Flags.DryRun},
				Records: record(string(made.Task.ID), made.Task.Branch),
				Text: func() {
					c.did("Created %s on %s", c.style().Bright(string(made.Task.ID)), ui.Safe(made.Task.Branch))
					if !made.Switched {
						c.next("git brew switch %s", c.name(made.Task.ID))
					}
				},
			}, err
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Title, "title", "", "its `title`, where the item's text is none")
	flags.StringVar(&r.Type, "type", "", "what kind of work it is: feature, fix, … (`type`)")
	flags.StringVar(&r.Branch, "branch", "", "its branch's `name`")
	flags.BoolVar(&checkOut, "switch", false, "check its branch out")
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}
