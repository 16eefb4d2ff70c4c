package main

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
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
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			s, id, err := e.target(ctx, first(args))
			if err != nil {
				return err
			}
			end := workflow.FinishRequest{Status: task.Status(o.status), Reason: o.reason}
			if o.status == "error" {
				end.Status, end.Cause = task.Failed, task.CauseError
			}
			r, err := s.Finish(ctx, id, end)
			if err != nil {
				return err
			}
			if e.Flags.DryRun && !e.Flags.JSON {
				return e.printText(r.Report)
			}
			notes := e.addressedAll(append(r.Notes, e.tellFree(s, s.Unheard(ctx, r.Task.ID))...))
			doc := newChange(ctx, s, r.Task, task.Phase{}, notes)
			doc.DryRun, doc.Hooks = e.Flags.DryRun, view.NewHooks(s.HooksDone())
			switch {
			case e.Flags.JSON:
				doc.Undo = s.Made(ctx).Undo
				return ui.JSON(e.Out, finishDocument{doc, string(r.Report)})
			case e.Flags.Porcelain:
				return e.changed(ctx, s, doc, "")
			}
			name := e.name(ctx, s, r.Task.ID)
			e.say("%s is %s; its lock is free", name, ui.Words(string(r.Task.Status)))
			for _, note := range doc.Notes {
				e.say("  %s", ui.Safe(note))
			}
			e.sayHooks(s)
			e.next(ctx, s, "git brew show %s:final.md", name)
			return nil
		},
	}
	cmd.Flags().StringVar(&o.status, "status", string(task.Finished), "the `status`: failed or cancelled; else finished")
	messageFlag(cmd, &o.reason, "say `why`; failed may need it")
	dryRunFlag(e, "print the final report and change nothing", cmd)
	return cmd
}

// finishDocument is `finish --json`.
type finishDocument struct {
	view.Change
	Report string `json:"report"`
}
