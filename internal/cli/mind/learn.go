// Package mind has the commands about what is worth remembering, knowledge and the backlog,
// and about what an agent may do here: its mode, and the words that switch it.
package mind

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// scopeOptions say whose knowledge a command is about, beside --task.
type scopeOptions struct{ project bool }

func (o *scopeOptions) flag() cli.Flag {
	return cli.Opt("project", &o.project, "the project's instead of a task's")
}

// on does something to the knowledge that a command is about: the project's where that is
// meant, else a task's, which is found as at says.
func (o *scopeOptions) on(
	at func(*cli.Call, cli.Action) (cli.Answer, error), do func(*cli.Call, task.ID) (cli.Answer, error),
) cli.Action {
	return func(c *cli.Call) (cli.Answer, error) {
		if o.project && c.TaskName() != "" {
			return cli.Answer{}, cli.Misused("--project and --task exclude each other", "give one of them")
		}
		if o.project {
			return do(c, "")
		}
		return at(c, func(c *cli.Call) (cli.Answer, error) { return do(c, c.ID) })
	}
}

// looks is a command that looks at knowledge; where there is no task, it says that.
func (o *scopeOptions) looks(do func(*cli.Call, task.ID) (cli.Answer, error)) cli.Action {
	return o.on((*cli.Call).LookAt, do)
}

func (o *scopeOptions) writes(do func(*cli.Call, task.ID) (cli.Answer, error)) cli.Action {
	return o.on((*cli.Call).OnTask, do)
}

func parseKind(word string) (knowledge.Kind, error) {
	kind, err := knowledge.ParseKind(word)
	if err != nil {
		return "", cli.Misused(err.Error(), "give -t avoid, practice or fact")
	}
	return kind, nil
}

// ownerOf names whose knowledge it is, for people.
func ownerOf(c *cli.Call, in task.ID) string {
	if in == "" {
		return "the project"
	}
	return c.Name(in)
}

func Learn() cli.Command {
	var scope scopeOptions
	kind := string(knowledge.Fact)
	var r knowledge.Entry
	return cli.Command{
		Use:   "learn [-t avoid|practice|fact] [<options>] <text>",
		Short: "remember something for whoever works on the task next",
		Flags: []cli.Flag{
			cli.Opt("t, type", &kind, "what it is: avoid, practice or fact (`kind`)"),
			cli.Opt("src", &r.Src, "who found it out: an agent's or a person's `name`"),
			cli.Opt("path", &r.Paths, "it is about files that match this `glob`; repeatable"),
			scope.flag(),
		},
		OnTask: true,
		Check: func(*cli.Call) (err error) {
			r.T, err = parseKind(kind)
			return err
		},
		Repo: scope.writes(func(c *cli.Call, in task.ID) (cli.Answer, error) {
			r.Txt = c.Args[0]
			learned, err := c.App.Knowledge.Learn(c.Ctx, in, r)
			return entryAnswer(c, "Learned", in, learned), err
		}),
	}
}

func entryAnswer(c *cli.Call, did string, in task.ID, entry learn.Learned) cli.Answer {
	return cli.Answer{
		JSON:    ui.Object{"task", view.Owner(in), "entry", entry.Entry, "known?", entry.Known},
		Records: cli.Record(entryRecord(entry.Entry)...),
		Text: func() {
			if entry.Known {
				did = "Known already"
			}
			head := fmt.Sprintf("%s for %s: %s ", did, ownerOf(c, in), entry.T)
			text := ui.Truncate(ui.Safe(`"`+entry.Txt+`"`), c.Room(ui.Width(head)+10, 20))
			c.Say("%s%s  %s", head, text, shortID(string(entry.ID)))
		},
	}
}

func entryRecord(k knowledge.Entry) []string {
	return append([]string{string(k.ID), string(k.T), k.TS, k.Src, k.Txt}, k.Paths...)
}

// shortID is the beginning of an id that is enough to type.
func shortID(id string) string { return id[:min(8, len(id))] }

func Backlog() cli.Command {
	var all bool
	var src string
	return cli.Command{
		Use: "backlog", Short: "what is to be done later, outside any task",
		Subs: []cli.Command{
			{
				Use: "list [--all]", Short: "list the open items",
				Flags: []cli.Flag{cli.Opt("all", &all, "those too that are done or became tasks")},
				Repo: func(c *cli.Call) (cli.Answer, error) {
					items, err := c.App.Knowledge.Backlog(c.Ctx, all)
					return cli.Answer{JSON: ui.Object{"items", items}, Records: cli.Each(items, itemRecord), Text: func() {
						listItems(c, items)
					}}, err
				},
			},
			{
				Use: "add <text>", Short: "note something to do later",
				Flags: []cli.Flag{cli.Opt("src", &src, "who noticed it: an agent's or a person's `name`")},
				Repo: func(c *cli.Call) (cli.Answer, error) {
					from, _, err := c.ReadTask(c.Ctx, c.App, "")
					if err != nil {
						return cli.Answer{}, err
					}
					item, err := c.App.Knowledge.AddBacklog(c.Ctx, c.Args[0], src, from)
					return itemAnswer(c, "Noted for later", item), err
				},
			},
			{
				Use: "done <id>", Short: "say that an item is done",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					item, err := c.App.Knowledge.DoneBacklog(c.Ctx, c.Args[0])
					item.Done = true
					return itemAnswer(c, "Done", item), err
				},
			},
			promote(),
		},
	}
}

// promote makes a task of an item, or a phase of one.
func promote() cli.Command {
	var r app.CreateRequest
	var checkOut, phase bool
	return cli.Command{
		Use: "promote [<options>] <id>", Short: "make a task of an item, or a phase",
		Flags: []cli.Flag{
			cli.Opt("title", &r.Title, "its `title`, where the item's text is none"),
			cli.Opt("type", &r.Type, "what kind of work it is: feature, fix, … (`type`)"),
			cli.Opt("branch", &r.Branch, "its branch's `name`"),
			cli.Opt("switch", &checkOut, "check its branch out"),
			cli.Opt("phase", &phase, "make it a phase of the task, and no task of its own"),
		},
		DryRun: cli.DryRunHelp, OnTask: true,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			switch {
			case phase && (r.Type != "" || r.Branch != "" || checkOut):
				return cli.Answer{}, clone.Invalid("leave them out", "a phase has no type and no branch of its own")
			case phase:
				return c.OnTask(func(c *cli.Call) (cli.Answer, error) { return promoteToPhase(c, r.Title) })
			case c.TaskName() != "":
				return cli.Answer{}, clone.Invalid("--phase makes it a phase of that task", "a new task is of no other")
			}
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

func promoteToPhase(c *cli.Call, title string) (cli.Answer, error) {
	r, err := c.App.Phases.PromoteItem(c.Ctx, c.ID, c.Args[0], title)
	return c.Changed(c.Change(r.Task, r.Phase, r.Notes), "Added phase %s %s", r.Phase.ID, ui.Safe(r.Phase.Title)), err
}

// itemState is an item's state, and its marker.
func itemState(i knowledge.Item) (string, ui.Marker) {
	switch {
	case i.Done:
		return "done", ui.MarkDone
	case i.PromotedTo != "":
		return "promoted", ui.MarkBusy
	}
	return "open", ui.MarkOpen
}

func listItems(c *cli.Call, items []knowledge.Item) {
	if len(items) == 0 {
		c.Say("The backlog is empty.")
		c.Next("git brew backlog add TEXT")
	}
	style, table := c.Style(), c.Table("")
	table.Leave, table.Give = []int{3}, []int{3, 2}
	for _, i := range items {
		from := ui.Either(i.Task == "", "", "from "+ui.Safe(i.Task))
		from = ui.Either(i.PromotedTo == "", from, "now "+ui.Safe(i.PromotedTo))
		_, mark := itemState(i)
		table.Add(style.Bright(shortID(string(i.ID))), style.Mark(mark), ui.Safe(i.Txt), style.Dim(from))
	}
	c.WriteTable(table)
}

func itemRecord(i knowledge.Item) []string {
	state, _ := itemState(i)
	return []string{string(i.ID), state, i.TS, i.Src, i.Task, i.PromotedTo, i.Txt}
}

func itemAnswer(c *cli.Call, did string, i knowledge.Item) cli.Answer {
	return cli.Answer{JSON: ui.Object{"item", i}, Records: cli.Record(itemRecord(i)...), Text: func() {
		c.Say("%s: %s  %s", did, ui.Truncate(ui.Safe(i.Txt), c.Room(30, 20)), shortID(string(i.ID)))
	}}
}
