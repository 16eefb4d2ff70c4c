package tasks

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Start() cli.Command {
	var o struct{ restart, steal bool }
	return cli.Command{
		Use: "start [<task>] [--restart] [--steal]", Short: "take a task's lock and begin, or go on with it",
		Flags: []cli.Flag{
			cli.Opt("restart", &o.restart, "also where the task has ended"),
			cli.Opt("steal", &o.steal, "take the lock from whoever holds it"),
		},
		DryRun: cli.DryRunHelp,
		Task: func(c *cli.Call) (cli.Answer, error) {
			if o.steal {
				if err := c.ForPeople("take a lock away from its holder"); err != nil {
					return cli.Answer{}, err
				}
			}
			r, err := c.App.Work.Start(c.Ctx, c.ID, o.restart, o.steal)
			return startedAnswer(c, r), err
		},
	}
}

func startedAnswer(c *cli.Call, r app.StartResult) cli.Answer {
	doc := c.Change(r.Task, task.Phase{}, r.Notes)
	doc.Lock = view.Lock(r.Lock.Lock, r.Lock.State, r.Lock.Confirmed, c.Now())
	doc.From = r.From
	name := c.Name(r.Task.ID)
	began := fmt.Sprintf("Started %s: %s -> %s", name, ui.Words(string(r.From)), ui.Words(string(r.Task.Status)))
	did := ui.Either(r.From == r.Task.Status, "Went on with "+name, began)
	if session := r.Lock.Lock.Session; session != "" && c.App.Clone.Caller.Session == "" && r.From == r.Task.Status {
		did = "Took nothing: " + name + " is in the hands of session " + ui.Safe(task.ShortSession(session))
		doc.Notes = append(doc.Notes, "'git brew start --steal "+name+"' takes the lock")
	}
	holder := ui.Safe(r.Lock.Lock.Holder())
	return c.Changed(doc, "%s\n  lock held by %s (%s%s)", did, holder, leaseWords(c.Env, r.Lock),
		taskview.Confirmation(r.Lock.Arbiter, r.Lock.Confirmed))
}

// leaseWords is a lock's fence and end, in brackets' words.
func leaseWords(e *cli.Env, l claim.LockView) string {
	return ui.Joined(", ", fmt.Sprintf("fence %d", l.Lock.Fence), taskview.LeaseEnd(l.Lock, l.State, e.Now()))
}

func Pause() cli.Command {
	var why string
	return cli.Command{
		Use: "pause [<task>] [-m <why>]", Short: "stop the work on a task, and let go of it",
		Flags:  []cli.Flag{cli.Opt("m, message", &why, "say `what` it waits for")},
		DryRun: cli.DryRunHelp,
		Task:   func(c *cli.Call) (cli.Answer, error) { return pause(c, why) },
	}
}

func pause(c *cli.Call, why string) (cli.Answer, error) {
	cause := task.CauseHandoff
	if why != "" {
		cause = task.CauseWaiting
	}
	r, err := c.App.Work.Pause(c.Ctx, c.ID, cause, why)
	if err != nil {
		return cli.Answer{}, err
	}
	waits := ui.Either(why == "", "", ", which waits: "+ui.Safe(r.Task.Reason))
	notes := append(r.Notes, cli.TellFree(c.Env, c.App, c.App.Claims.Unheard(c.Ctx, r.Task.ID))...)
	doc := c.Change(r.Task, task.Phase{}, notes)
	return c.Changed(doc, "Paused %s%s; the lock is free", c.Name(r.Task.ID), waits), nil
}

func Stage() cli.Command {
	var to task.Stage
	return cli.Command{
		Use: "stage [clarify|research|plan|execute|complete]", Short: "show or set how far the thinking on a task is",
		OnTask: true,
		Check: func(c *cli.Call) (err error) {
			if len(c.Args) > 0 {
				to, err = task.ParseStage(c.Args[0])
			}
			return err
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if to == "" {
				return c.LookAt(stageAnswer)
			}
			return c.OnTask(func(c *cli.Call) (cli.Answer, error) {
				r, err := c.App.Work.SetStage(c.Ctx, c.ID, to)
				doc := c.Change(r.Task, task.Phase{}, r.Notes)
				return c.Changed(doc, "%s is in stage %s", c.Name(r.Task.ID), r.Task.Stage), err
			})
		},
	}
}

func stageAnswer(c *cli.Call) (cli.Answer, error) {
	v, err := c.App.Status(c.Ctx, c.ID)
	if err != nil {
		return cli.Answer{}, err
	}
	stage := v.Task.Stage
	return cli.Answer{JSON: ui.Object{"task", c.ID, "stage", stage}, Text: func() { c.Line(string(stage)) }}, nil
}

func Finish() cli.Command {
	o := struct{ status, reason string }{status: string(task.Finished)}
	return cli.Command{
		Use: "finish [<task>] [<options>]", Short: "end a task, with its final report",
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
			notes = append(notes, c.App.Runs.PutAway(c.Ctx, r.Task)...)
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
