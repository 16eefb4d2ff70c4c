package tasks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Edit() cli.Command {
	var r app.EditRequest
	var what []string
	return cli.Command{
		Use: "edit [<options>] [<task>]", Short: "change a task's title, branch, type or services",
		Flags: []cli.Flag{
			cli.Opt("title", &r.Title, "the new `title`"),
			cli.Opt("branch", &r.Branch, "the `branch` that is the task's now"),
			cli.Opt("type", &r.Type, "the new `type`"),
			cli.Opt("priority", (*string)(&r.Priority), "how `soon` it is wanted: high, medium, low or none"),
			cli.Opt("service", &r.Services, "add the submodule `dir`; may be repeated"),
			cli.Opt("no-service", &r.NoServices, "take the submodule `dir` out; may be repeated"),
			cli.Opt("issue", &r.Issues, "link to an `issue`, as in create; may be repeated"),
			cli.Opt("no-issue", &r.NoIssues, "take the link to this `issue` out; may be repeated"),
		},
		DryRun: cli.DryRunHelp,
		Check: func(c *cli.Call) error {
			for _, name := range []string{"title", "branch", "type", "priority", "service", "no-service", "issue", "no-issue"} {
				flag := c.Cmd.Flags().Lookup(name)
				if flag.Changed && slices.Contains([]string{"", "[]"}, flag.Value.String()) {
					return cli.Misused("--"+name+" is empty", "give a "+name)
				}
				if flag.Changed {
					what = append(what, name)
				}
			}
			if len(what) == 0 {
				return cli.Misused("nothing to change", "give --title, --branch, --type, --priority, --service or --issue")
			}
			return nil
		},
		Task: func(c *cli.Call) (cli.Answer, error) {
			t, err := c.App.Tasks.EditTask(c.Ctx, c.ID, r)
			return changedTask(c, t, func() {
				c.Did("Edited %s: %s", c.Style().Bright(c.Name(t.ID)), strings.Join(what, ", "))
				if len(r.Services) > 0 && !c.Flags.DryRun {
					c.Next("git brew switch %s", c.Name(t.ID))
				}
			}), err
		},
	}
}

func Delete() cli.Command {
	return cli.Command{
		Use: "delete [-n] <task>", Short: "delete a task; its branch and its history stay",
		DryRun: "only say what would be deleted",
		Check:  func(c *cli.Call) error { return c.ForPeople("delete a task") },
		Task: func(c *cli.Call) (cli.Answer, error) {
			t, err := c.App.Tasks.DeleteTask(c.Ctx, c.ID)
			return changedTask(c, t, func() {
				c.Did("Deleted %s; branch %s stays", t.ID, ui.Safe(t.Branch))
			}), err
		},
	}
}

func Purge() cli.Command {
	var yes bool
	return cli.Command{
		Use: "purge [-n] [--yes] <task>", Short: "take a task out of every ref here, as if it never was",
		Flags:  []cli.Flag{cli.Opt("yes", &yes, "do not ask")},
		DryRun: "only say which refs would go",
		Check:  func(c *cli.Call) error { return c.ForPeople("purge a task") },
		Task: func(c *cli.Call) (cli.Answer, error) {
			if !c.Flags.DryRun {
				if err := c.Sure(yes, fmt.Sprintf("Take %s out of every ref of this clone, for good?", c.ID)); err != nil {
					return cli.Answer{}, err
				}
			}
			out, err := c.App.Doctor.Purge(c.Ctx, c.ID)
			return purgedAnswer(c, out), err
		},
	}
}

func purgedAnswer(c *cli.Call, out doctor.Purged) cli.Answer {
	refs := cli.Each(out.Refs, func(ref gitstore.RefName) []string { return []string{string(out.Task), string(ref)} })
	return cli.Answer{JSON: out, Records: refs, Text: func() {
		c.Did("Purged %s: %s", out.Task, ui.Plural(len(out.Refs), "ref"))
		if out.DryRun {
			for _, ref := range out.Refs {
				c.Say("  %s", ui.Safe(string(ref)))
			}
		}
		for _, left := range out.Left {
			c.Say("  %s", ui.Safe(left.What))
			if left.Command != "" {
				c.Say("    %s", ui.Safe(left.Command))
			}
		}
	}}
}

func changedTask(c *cli.Call, t task.Task, say func()) cli.Answer {
	return cli.Answer{
		JSON:    ui.Object{"task", view.NewTask(t, ""), "dry_run?", c.Flags.DryRun},
		Records: cli.Record(string(t.ID), string(t.Status), t.Branch, t.Title), Text: say,
	}
}

func Archive() cli.Command {
	var r archive.ArchiveRequest
	return cli.Command{
		Use: "archive [-n] [--due] [<task>...]", Short: "put tasks that have ended out of the way",
		Check: cli.RefuseIf(func(c *cli.Call) bool { return r.Due && len(c.Args) > 0 },
			"--due and tasks exclude each other", "give one of them"),
		Flags: []cli.Flag{
			cli.Opt("due", &r.Due, "all that ended long enough ago"),
		},
		DryRun: "only say what would be archived",
		Repo: func(c *cli.Call) (cli.Answer, error) {
			names := c.Args
			if len(names) == 0 && !r.Due {
				names = []string{""}
			}
			for _, name := range names {
				id, err := c.Resolve(name)
				if err != nil {
					return cli.Answer{}, err
				}
				r.Tasks = append(r.Tasks, id)
			}
			if len(names) > 1 {
				c.Meant = "" // no hint is about all of them
			}
			done, err := c.App.Archive.Archive(c.Ctx, r)
			return cli.Answer{
				JSON: view.Archived(done, c.Flags.DryRun),
				Records: cli.Each(done.Tasks, func(t task.Task) []string {
					return []string{string(t.ID), taskview.StatusName(t.Status, t.Deleted), t.Branch, t.Title}
				}),
				Text: func() { sayArchived(c, r, done) },
			}, err
		},
	}
}

func sayArchived(c *cli.Call, r archive.ArchiveRequest, done archive.ArchiveResult) {
	for _, id := range done.Already {
		c.Say("%s is archived already", ui.Safe(string(id)))
	}
	switch n := len(done.Tasks); {
	case n == 0 && r.Due:
		c.Say("Nothing is due: brew.archive.after is %s", done.After)
	case n == 1:
		c.Did("Archived %s", ui.Safe(string(done.Tasks[0].ID)))
	case n > 1:
		c.Did("Archived %s", ui.Plural(n, "task"))
		for _, t := range done.Tasks {
			c.Say("  %s", ui.Safe(string(t.ID)))
		}
	}
	if len(done.Tasks) > 0 {
		c.Next("git brew list --archived")
	}
}
