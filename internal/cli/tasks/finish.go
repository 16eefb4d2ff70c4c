package tasks

import (
	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

func Finish() cli.Command {
	o := struct{ status, reason string }{status: string(task.Finished)}
	return cli.Command{
		Use:   "finish [<task>] [<options>]",
		Short: "end a task, with its final report",
		Long: `Writes the final report, sets the task finished, failed or cancelled, and
releases its lock. finished is refused while phases are open; failed says why,
with -m or by a phase that failed. The report is
'git brew show <task>:final.md', fit to be a pull request's description.`,
		Flags: []cli.Flag{
			cli.Opt("status", &o.status, "the `status`: failed or cancelled; else finished"),
			cli.Opt("m, message", &o.reason, "say `why`; failed may need it"),
		},
		DryRun: "print the final report and change nothing",
		Task: func(c *cli.Call) (cli.Answer, error) {
			end := app.FinishRequest{Status: task.Status(o.status), Reason: o.reason}
			if o.status == "error" {
				end.Status, end.Cause = task.Failed, task.CauseError
			}
			r, err := c.App.Work.Finish(c.Ctx, c.ID, end)
			if err != nil {
				return cli.Answer{}, err
			}
			if c.Flags.DryRun && !c.Flags.JSON {
				return cli.TextAnswer(c.Env, nil, r.Report), nil
			}
			notes := append(r.Notes, cli.TellFree(c.Env, c.App, c.App.Claims.Unheard(c.Ctx, r.Task.ID))...)
			doc := c.Change(r.Task, task.Phase{}, notes)
			a := c.Changed(doc, "")
			a.JSON = ui.Object{doc, "report", string(r.Report)}
			a.Text = func() {
				c.Say("%s is %s; its lock is free", c.Name(r.Task.ID), ui.Words(string(r.Task.Status)))
				c.Notes(doc.Notes)
				cli.SayHooks(c.Env, c.App)
				c.Next("git brew show %s:final.md", c.Name(r.Task.ID))
			}
			return a, nil
		},
	}
}
