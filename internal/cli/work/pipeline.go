package work

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

func Pipeline() cli.Command { //nolint:funlen // a table
	var r steps.HookFailedRequest
	var reason string
	var standard bool
	return cli.Command{
		Use: "pipeline <command> [<args>]", Short: "which steps there are, and what runs around them",
		Subs: []cli.Command{
			{
				Use: "show [<workflow>]", Short: "show the pipeline in force, or a workflow of it",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					if len(c.Args) == 0 {
						v, err := c.App.Pipelines.PipelineView(c.Ctx)
						return cli.Answer{JSON: v, Records: pipelineRecords(v), Text: func() { sayPipeline(c, v) }}, err
					}
					text, builtIn, err := c.App.Pipelines.WorkflowText(c.Ctx, c.Args[0])
					return cli.TextAnswer(c.Env, ui.Object{"path", c.Args[0], "built_in", builtIn, "text", string(text)}, text), err
				},
			},
			{
				Use: "check [<file>|-]", Short: "say what is wrong with the pipeline",
				Bare: func(c *cli.Call) (cli.Answer, error) {
					if len(c.Args) > 0 {
						return checkDocument(c)
					}
					return c.OnRepo(func(c *cli.Call) (cli.Answer, error) {
						v, err := c.App.Pipelines.PipelineView(c.Ctx)
						return findingsAnswer(c, v.From, append(v.Findings, v.FileFindings()...)), err
					})
				},
			},
			{
				Use:    "set <file>|- | --default",
				Short:  "share a pipeline with everybody, or go back to the built-in one",
				Args:   cli.Between(0, 1),
				DryRun: cli.DryRunHelp,
				Flags:  []cli.Flag{cli.Opt("default", &standard, "take the shared one back")},
				Check: cli.RefuseIf(func(c *cli.Call) bool { return standard == (len(c.Args) > 0) },
					"share which pipeline?", ""),
				Repo: func(c *cli.Call) (cli.Answer, error) {
					if standard {
						if err := c.App.Pipelines.UnsetPipeline(c.Ctx); err != nil {
							return cli.Answer{}, err
						}
						return sharedPipeline(c, steps.FromDefault, nil)
					}
					text, err := c.Text(c.Args[0])
					if err != nil {
						return cli.Answer{}, err
					}
					found, err := c.App.Pipelines.SetPipeline(c.Ctx, text)
					if err != nil {
						return cli.Answer{}, err
					}
					return sharedPipeline(c, steps.FromShared, found)
				},
			},
			{
				Use: "retry", Short: "run again what failed after a step",
				DryRun: cli.DryRunHelp,
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Pipelines.RetryHooks(c.Ctx, c.ID)
					words := "What follows a step of %s passed"
					told := func(h steps.HookDone) bool { return h.Outcome == task.HookTold }
					if _, stopped := c.App.Pipelines.HookStopped(); stopped {
						words = "What follows a step of %s did not do its part"
					} else if slices.ContainsFunc(c.App.Pipelines.HooksDone(), told) {
						words = "What is around a step of %s is told again" // what becomes of a text nobody sees
					}
					return c.Wrote(t, words, c.Name(c.ID)), err
				},
			},
			{
				Use: "skip -m <why>", Short: "pass over what failed after a step, with a record",
				Flags:  []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
				DryRun: cli.DryRunHelp,
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, passed, err := c.App.Pipelines.SkipHooks(c.Ctx, c.ID, reason)
					return c.Wrote(t, "Passed over %s: %s", ui.Safe(strings.Join(passed, ", ")), ui.Safe(reason)), err
				},
			},
			{
				Use: "failed <hook> -m <why>", Short: "say that a workflow around a step did not work out",
				Flags: []cli.Flag{
					cli.Opt("m, message", &r.Reason, "say `why`"),
					cli.Opt("phase", &r.Phase, "the `phase` that the step was taken for"),
				},
				DryRun: cli.DryRunHelp,
				Task: func(c *cli.Call) (cli.Answer, error) {
					r.Hook = c.Args[0]
					t, err := c.App.Pipelines.HookFailed(c.Ctx, c.ID, r)
					return c.Wrote(t, "Recorded that %s failed: %s", ui.Safe(r.Hook), ui.Safe(r.Reason)), err
				},
			},
		},
	}
}

// checkDocument says what is wrong with a document, and with the files that it
// names where there is a work tree that may have them.
func checkDocument(c *cli.Call) (cli.Answer, error) {
	text, err := c.Text(c.Args[0])
	if err != nil {
		return cli.Answer{}, err
	}
	a, err := c.OnRepo(func(c *cli.Call) (cli.Answer, error) {
		found, err := c.App.Pipelines.CheckPipeline(c.Ctx, text)
		return findingsAnswer(c, c.Args[0], found), err
	})
	if errors.Is(err, gitstore.ErrNotRepository) { // the document alone
		_, found := pipeline.Parse(text)
		return findingsAnswer(c, c.Args[0], found), nil
	}
	return a, err
}

func findingsAnswer(c *cli.Call, from string, found []pipeline.Finding) cli.Answer {
	bad := len(pipeline.Errors(found))
	a := cli.Answer{
		JSON: ui.Object{"from", from, "errors", bad, "findings", found},
		Records: cli.Each(found, func(f pipeline.Finding) []string {
			return []string{string(f.Level), strconv.Itoa(f.Line), f.Place, f.Text}
		}),
		Text: func() {
			table := c.Facts("")
			for _, f := range found {
				table.Add(string(f.Level), ui.Safe(f.String()))
			}
			c.WriteTable(table)
			verdict := ui.Either(bad > 0, " can't be used: "+counted(bad, 0), " holds together.")
			c.Say("%s%s", cli.Sentence(pipelineName(from)), verdict)
		},
	}
	if bad > 0 {
		a.End = cli.ExitWith(cli.ExitRefused)
	}
	return a
}

// sharedPipeline says what was shared, and what is in force here by that.
func sharedPipeline(c *cli.Call, from string, found []pipeline.Finding) (cli.Answer, error) {
	now, err := c.App.Pipelines.Pipeline(c.Ctx)
	doc := ui.Object{"from", from, "errors", 0, "findings", found, "in_force", now.From, "dry_run?", c.Flags.DryRun}
	return cli.Answer{JSON: doc, Records: cli.Record(from, now.From), Text: func() {
		none := from == steps.FromDefault
		c.Did("%s", ui.Either(none, "No pipeline is shared any more", "The pipeline is shared with everybody"))
		for _, f := range found {
			c.Say("  %s: %s", f.Level, ui.Safe(f.String()))
		}
		switch {
		case c.Flags.DryRun:
		case now.Waiting != "":
			c.Say("  here it waits for the user's trust (git brew trust add %s)", clone.ShortTrust(now.Waiting))
		case now.From != from:
			c.Say("  in force here: %s", pipelineName(now.From))
		}
	}}, err
}

func sayPipeline(c *cli.Call, v steps.PipelineView) {
	style := c.Style()
	c.Tell("%s\n", cli.Sentence(pipelineName(v.From)))
	if v.Waiting != "" {
		c.Tell("  %s\n", style.Warn("a shared one is not trusted (git brew trust add "+clone.ShortTrust(v.Waiting)+")"))
	}
	if v.TakenBack != "" {
		hash := clone.ShortTrust(v.TakenBack)
		c.Tell("  %s\n", style.Warn("the shared one was taken back (git brew trust rm "+hash+" once that is known)"))
	}
	if why := v.Broken(); why != "" {
		c.Tell("  %s\n", style.Bad(ui.Safe(why)))
		return
	}
	for _, p := range v.Config.Pipelines {
		c.Tell("\n%s\n", ui.Safe(p.Name))
		table := c.Facts("  ")
		for _, step := range p.Steps {
			what := ui.Either(step.Pipeline == "", step.Workflow, "-> "+step.Pipeline)
			pause := ui.Either(step.Pause, "asks the user first", "")
			table.Add(ui.Safe(step.Name), ui.Safe(what), style.Dim(pause))
		}
		c.WriteTable(table)
	}
	for _, step := range v.Steps {
		if len(step.Hooks) == 0 && len(step.Problems) == 0 {
			continue
		}
		c.Tell("\naround %s of %s\n", step.Step, step.StepRow.Pipeline)
		c.WriteTable(taskview.PlanTable(c.Env, style, step.StepPlan, true))
	}
}

// pipelineName is a pipeline in a sentence, by where it comes from.
func pipelineName(from string) string {
	switch from {
	case steps.FromDefault:
		return "the built-in pipeline"
	case steps.FromShared:
		return "the shared pipeline"
	}
	return "the pipeline of " + ui.Safe(from)
}

func pipelineRecords(v steps.PipelineView) cli.Porcelain {
	lines := [][]string{{"pipeline", v.From, v.Config.Schema, v.Waiting}}
	for _, p := range v.Config.Pipelines {
		for _, s := range p.Steps {
			pause := ui.Either(s.Pause, "pause", "")
			lines = append(lines, []string{"step", p.Name, s.Name, s.Workflow, s.Pipeline, pause})
		}
	}
	for _, s := range v.Steps {
		for _, h := range s.Hooks {
			need := ui.Either(h.Optional, "optional", "required")
			lines = append(lines, []string{
				"hook", s.StepRow.Pipeline, s.Step, string(h.When), string(h.Scope), h.Path, string(h.Kind),
				cmp.Or(string(h.Mode), string(pipeline.Inline)), need, cmp.Or(h.Problem, "trusted"),
			})
		}
	}
	return slices.Values(lines)
}
