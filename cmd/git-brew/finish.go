package main

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newFinishCmd(e *env) *cobra.Command {
	var o struct{ status, reason string }
	cmd := &cobra.Command{
		Use:   "finish [<task>] [<options>]",
		Short: "end a task, with its final report",
		Long: `Writes the final report, sets the task finished, failed or cancelled, and
releases its lock. finished is refused while phases are open; failed says why,
with -m or by a phase that failed. The report is
'git brew show <task>:final.md', fit to be a pull request's description.`,
		Args: between(0, 1),
		RunE: e.onTask(nil, func(c *call) (answer, error) {
			end := app.FinishRequest{Status: task.Status(o.status), Reason: o.reason}
			if o.status == "error" {
				end.Status, end.Cause = task.Failed, task.CauseError
			}
			r, err := c.s.Work.Finish(c.ctx, c.id, end)
			if err != nil {
				return answer{}, err
			}
			if c.Flags.DryRun && !c.Flags.JSON {
				return c.textAnswer(nil, r.Report), nil
			}
			notes := append(r.Notes, c.tellFree(c.s, c.s.Claims.Unheard(c.ctx, r.Task.ID))...)
			doc := c.change(r.Task, task.Phase{}, notes)
			a := c.changed(doc, "")
			a.JSON = view.Finished{Change: doc, Report: string(r.Report)}
			a.Text = func() {
				c.say("%s is %s; its lock is free", c.name(r.Task.ID), ui.Words(string(r.Task.Status)))
				c.notes(doc.Notes)
				c.sayHooks(c.s)
				c.next("git brew show %s:final.md", c.name(r.Task.ID))
			}
			return a, nil
		}),
	}
	cmd.Flags().StringVar(&o.status, "status", string(task.Finished), "the `status`: failed or cancelled; else finished")
	messageFlag(cmd, &o.reason, "say `why`; failed may need it")
	dryRunFlag(e, "print the final report and change nothing", cmd)
	return cmd
}
