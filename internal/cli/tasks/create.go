// Package tasks has the commands about a task as a whole: they make, list and end tasks,
// take and release their locks, go from one to another, and take a change back.
package tasks

import (
	"cmp"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

type createOptions struct {
	request         app.CreateRequest
	plan, spec, prd string
}

func Create() cli.Command {
	var o createOptions
	return cli.Command{
		Use: "create [<options>] <title>", Short: "make a task and its branch, and switch to it",
		Args: cli.Between(0, 1),
		Flags: []cli.Flag{
			cli.Opt("type", &o.request.Type, "the `type` of work; what the title says, else feature"),
			cli.Opt("from", &o.request.From, "begin at this `revision` instead of HEAD"),
			cli.Opt("plan", &o.plan, "store this `file` as the plan (-: standard input)"),
			cli.Opt("spec", &o.spec, "store this `file` as the specification"),
			cli.Opt("prd", &o.prd, "make phases of the stories in this JSON `file`"),
			cli.Opt("phase", &o.request.Phases, "add a phase with this `title`; may be repeated"),
			cli.Opt("service", &o.request.Services, "make the branch in submodule `dir`; may be repeated"),
			cli.Opt("issue", &o.request.Issues, "link to this `issue`, as #123; may be repeated"),
			cli.Opt("priority", (*string)(&o.request.Priority), "how `soon` it is wanted: high, medium or low"),
			cli.Opt("branch", &o.request.Branch, "call the branch `name`"),
			cli.Opt("here", &o.request.Here, "take the current branch instead of making one"),
			cli.Opt("no-switch", &o.request.NoSwitch, "make the branch and stay on this one"),
		},
		DryRun: "only say what would be made",
		Check:  o.check,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			made, err := c.App.Tasks.Create(c.Ctx, o.request)
			return createdAnswer(c, o.request, made), err
		},
	}
}

// check refuses options that exclude each other, and reads the files that are named.
func (o *createOptions) check(c *cli.Call) error {
	if len(c.Args) > 0 {
		o.request.Title = c.Args[0]
	} else if o.prd == "" && o.plan == "" && o.spec == "" {
		return cli.UsageOf(c.Cmd, "missing title")
	}
	r := o.request
	if r.Here && (r.From != "" || r.Branch != "" || r.NoSwitch || len(r.Services) > 0) {
		return cli.Misused("--here takes the current branch of this work tree as it is",
			"leave --from, --branch, --no-switch and --service away")
	}
	for _, file := range []struct {
		name string
		text *[]byte
	}{{o.plan, &o.request.Plan}, {o.spec, &o.request.Spec}, {o.prd, &o.request.PRD}} {
		if file.name == "" {
			continue
		}
		var err error
		if *file.text, err = c.Text(file.name); err != nil {
			return err
		}
	}
	return nil
}

func createdAnswer(c *cli.Call, r app.CreateRequest, made app.Result) cli.Answer {
	t, switches := made.Task, !r.Here && !r.NoSwitch
	return cli.Answer{
		JSON: ui.Object{
			"task", view.NewTask(t, ""), "phases", view.NewPhases(t, t.Phases), "base_commit", made.Task.BaseCommit,
			"notes", made.Notes, "switched", switches && !c.Flags.DryRun, "dry_run", c.Flags.DryRun,
		},
		Records: cli.Record(string(t.ID), t.Branch, t.Base, made.Task.BaseCommit),
		Text: func() {
			if c.Flags.Quiet {
				c.Line(string(t.ID))
				return
			}
			phases := ui.Either(len(t.Phases) == 0, "", ", "+ui.Plural(len(t.Phases), "phase"))
			c.Did("Created %s on %s%s%s", c.Style().Bright(string(t.ID)), ui.Safe(t.Branch), createdFrom(r, t), phases)
			for _, s := range t.Services {
				c.Say("  %s%s", ui.Safe(s.Path), taskview.FromWords(s.Base, s.BaseCommit))
			}
			c.Notes(made.Notes)
			switch {
			case c.Found != nil: // it stands beside them with the next sync, and nobody asks the remote again before
				c.Next("%s", cli.Bringing(c.Env))
			case r.NoSwitch:
				c.Next("git brew switch %s", c.Name(t.ID))
			default:
				c.Next("%s", c.Hint(c.App.Next.Step(c.Ctx, t)))
			}
		},
	}
}

// createdFrom says where a branch begins: " (from main 4f1c2aa)".
func createdFrom(r app.CreateRequest, t task.Task) string {
	if n := len(t.Services); n > 0 {
		return " in " + ui.Plural(n, "service")
	}
	from := ui.Joined(" ", ui.Safe(cmp.Or(r.From, t.Base)), ui.Short(t.BaseCommit))
	return ui.Either(t.BaseCommit == "", "", " (from "+from+")")
}

func Switch() cli.Command {
	return cli.Command{
		Use: "switch <task>|-", Short: "check a task's branch out",
		DryRun: cli.DryRunHelp,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			went, err := c.App.Tasks.Switch(c.Ctx, c.Args[0])
			return cli.Answer{
				JSON: ui.Object{ // "gone" is what became of the task, and this takes it up again
					"task", view.NewTask(went.Task, ""), "made_from", went.Made, "note?", went.Note, "gone?", went.Gone,
					"services?", went.Services, "dry_run?", c.Flags.DryRun,
				},
				Records: cli.Record(string(went.Task.ID), went.Task.Branch, went.Made),
				Text:    func() { saySwitched(c, went) },
			}, err
		},
	}
}

func saySwitched(c *cli.Call, went app.SwitchResult) {
	madeFrom := func(made string) string { return ui.Either(made == "", "", " (made from "+ui.Safe(made)+")") }
	c.Did("Switched to %s on %s%s", c.Style().Bright(c.Name(went.Task.ID)), ui.Safe(went.Task.Branch),
		madeFrom(went.Made))
	for _, s := range went.Services {
		c.Say("  %s%s", ui.Safe(s.Path), madeFrom(s.Made))
	}
	for _, note := range []string{went.Note, went.Gone} {
		if note != "" {
			c.Say("  %s", ui.Safe(note))
		}
	}
	if went.Gone == "" {
		c.Next("%s", c.Hint(c.App.Next.Step(c.Ctx, went.Task)))
	}
}
