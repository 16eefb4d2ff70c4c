package mind

import (
	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Backlog() cli.Command {
	return cli.Command{
		Use:   "backlog",
		Short: "what is to be done later, outside any task",
		Subs: []cli.Command{
			backlogList(),
			backlogAdd(),
			{
				Use:   "done <id>",
				Short: "say that an item is done",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					item, err := c.App.Knowledge.DoneBacklog(c.Ctx, c.Args[0])
					item.Done = true
					return itemAnswer(c, "Done", item), err
				},
			},
			backlogPromote(),
		},
	}
}

func backlogList() cli.Command {
	var all bool
	return cli.Command{
		Use:   "list [--all]",
		Short: "list the open items",
		Flags: []cli.Flag{cli.Opt("all", &all, "those too that are done or became tasks")},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			items, err := c.App.Knowledge.Backlog(c.Ctx, all)
			return cli.Answer{JSON: ui.Object{"items", items}, Records: cli.Each(items, itemRecord), Text: func() {
				listItems(c, items)
			}}, err
		},
	}
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

func listItems(c *cli.Call, items []knowledge.Item) {
	if len(items) == 0 {
		c.Say("The backlog is empty.")
		c.Next("git brew backlog add TEXT")
	}
	style, table := c.Style(), c.Table("")
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
	c.WriteTable(table)
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

func itemAnswer(c *cli.Call, did string, i knowledge.Item) cli.Answer {
	return cli.Answer{JSON: ui.Object{"item", i}, Records: cli.Record(itemRecord(i)...), Text: func() {
		c.Say("%s: %s  %s", did, ui.Truncate(ui.Safe(i.Txt), c.Room(30, 20)), shortID(string(i.ID)))
	}}
}

func backlogAdd() cli.Command {
	var src string
	return cli.Command{
		Use:   "add <text>",
		Short: "note something to do later",
		Flags: []cli.Flag{cli.Opt("src", &src, "who noticed it: an agent's or a person's `name`")},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			from, _, err := c.ReadTask(c.Ctx, c.App, "")
			if err != nil {
				return cli.Answer{}, err
			}
			item, err := c.App.Knowledge.AddBacklog(c.Ctx, c.Args[0], src, from)
			return itemAnswer(c, "Noted for later", item), err
		},
	}
}

func backlogPromote() cli.Command {
	var r app.CreateRequest
	var checkOut bool
	return cli.Command{
		Use:   "promote [<options>] <id>",
		Short: "make a task of an item",
		Flags: []cli.Flag{
			cli.Opt("title", &r.Title, "its `title`, where the item's text is none"),
			cli.Opt("type", &r.Type, "what kind of work it is: feature, fix, … (`type`)"),
			cli.Opt("branch", &r.Branch, "its branch's `name`"),
			cli.Opt("switch", &checkOut, "check its branch out"),
		},
		DryRun: cli.DryRunHelp,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			r.NoSwitch = !checkOut
			made, err := c.App.Tasks.PromoteBacklog(c.Ctx, c.Args[0], r)
			return cli.Answer{
				JSON:    ui.Object{"task", view.NewTask(made.Task, ""), "dry_run?", c.Flags.DryRun},
				Records: cli.Record(string(made.Task.ID), made.Task.Branch),
				Text: func() {
					c.Did("Created %s on %s", c.Style().Bright(string(made.Task.ID)), ui.Safe(made.Task.Branch))
					if !checkOut {
						c.Next("git brew switch %s", c.Name(made.Task.ID))
					}
				},
			}, err
		},
	}
}
