package work

import (
	"cmp"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/ui"
)

func pipelineAnswer(c *cli.Call, v steps.PipelineView) cli.Answer {
	return cli.Answer{JSON: v, Records: pipelineRecords(v), Text: func() { sayPipeline(c, v) }}
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
