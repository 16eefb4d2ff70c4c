package tasks

import (
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Archive() cli.Command {
	var r archive.ArchiveRequest
	return cli.Command{
		Use:   "archive [-n] [--due] [<task>...]",
		Short: "put tasks that have ended out of the way",
		Long: `Moves tasks that have ended into the archive: the named ones, or the one here.
The archive is a single ref, refs/brew/archive, which keeps the live refs few.
show, log and status find an archived task as before, and 'git brew list
--archived' lists them. Any change, for example 'git brew start --restart',
makes a task live again.

--due archives the tasks that ended longer than brew.archive.after ago, and that
nobody touched since. Where state is shared, the remote must have them as they
are here. 'git brew sync' does that by itself.`,
		Check: func(c *cli.Call) error {
			if r.Due && len(c.Args) > 0 {
				return &cli.UsageError{Msg: "--due and tasks exclude each other", Hint: "give one of them"}
			}
			return nil
		},
		Flags: []cli.Flag{
			cli.Opt("due", &r.Due, "all that ended long enough ago"),
			cli.Opt("n, dry-run", &r.DryRun, "only say what would be archived"),
		},
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
				JSON: view.Archived(done, r.DryRun),
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
	did := "Archived"
	if r.DryRun {
		did = "Would archive"
	}
	switch n := len(done.Tasks); {
	case n == 0 && r.Due && done.After == config.Never:
		c.Say("Nothing is due: brew.archive.after is never")
	case n == 0 && r.Due:
		c.Say("Nothing is due: no task ended longer than %s ago", done.After)
	case n == 1:
		c.Say("%s %s", did, ui.Safe(string(done.Tasks[0].ID)))
	case n > 1:
		c.Say("%s %s", did, ui.Plural(n, "task"))
		for _, t := range done.Tasks {
			c.Say("  %s", ui.Safe(string(t.ID)))
		}
	}
	if len(done.Tasks) > 0 && !r.DryRun {
		c.Next("git brew list --archived")
	}
}
