package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func pipelineAnswer(c *call, v steps.PipelineView) answer {
	return answer{JSON: view.NewPipeline(v), Records: pipelineRecords(v), Text: func() { sayPipeline(c, v) }}
}

func sayPipeline(c *call, v steps.PipelineView) {
	style := c.style()
	c.tell("%s\n", sentence(pipelineName(v.From)))
	if v.Waiting != "" {
		c.tell("  %s\n", style.Warn("a shared one is not trusted (git brew trust add "+clone.ShortTrust(v.Waiting)+")"))
	}
	if v.TakenBack != "" {
		hash := clone.ShortTrust(v.TakenBack)
		c.tell("  %s\n", style.Warn("the shared one was taken back (git brew trust rm "+hash+" once that is known)"))
	}
	if why := v.Broken(); why != "" {
		c.tell("  %s\n", style.Bad(ui.Safe(why)))
		return
	}
	for _, p := range v.Config.Pipelines {
		c.tell("\n%s\n", ui.Safe(p.Name))
		table := c.facts("  ")
		for _, step := range p.Steps {
			what, pause := step.Workflow, ""
			if step.Pipeline != "" {
				what = "-> " + step.Pipeline
			}
			if step.Pause {
				pause = "asks the user first"
			}
			table.Add(ui.Safe(step.Name), ui.Safe(what), style.Dim(pause))
		}
		c.write(table)
	}
	for _, step := range v.Steps {
		if len(step.Hooks) == 0 && len(step.Problems) == 0 {
			continue
		}
		c.tell("\naround %s of %s\n", step.Step, step.StepRow.Pipeline)
		c.write(planTable(c.env, style, step.StepPlan, true))
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

// planTable lists what is done for a step, in its order; with what is wrong with
// it, where that is not told elsewhere.
func planTable(e *env, style ui.Style, p steps.StepPlan, wrong bool) *ui.Table {
	table := e.facts("  ")
	stepDone := false
	step := func() {
		if w := p.Workflow; w.Path != "" && !stepDone {
			words := ""
			if w.BuiltIn {
				words = w.Read()
			}
			if w.Problem != "" && wrong {
				words = style.Warn(ui.Safe(w.Problem))
			}
			table.Add("workflow", ui.Safe(w.Path), words)
		}
		stepDone = true
	}
	for _, h := range p.Hooks {
		if h.When == pipeline.Post {
			step()
		}
		table.Add(h.When.Side(), ui.Safe(h.Path), hookPlanWords(style, h, wrong))
	}
	step()
	return table
}

// hookPlanWords say how a hook is run, and what is wrong with it.
func hookPlanWords(style ui.Style, h steps.PlannedHook, wrong bool) string {
	words := []string{"run by git brew"}
	if h.Kind == pipeline.KindWorkflow {
		words[0] = "followed " + string(h.Mode)
		if h.Mode == pipeline.Subagent {
			words[0] = "followed by a sub-agent"
		}
	}
	if h.Optional {
		words = append(words, "optional")
	}
	text := strings.Join(words, ", ")
	if h.Problem != "" && wrong {
		text += "; " + style.Warn(ui.Safe(h.Problem))
	}
	return text
}

func pipelineRecords(v steps.PipelineView) porcelain {
	lines := [][]string{{"pipeline", v.From, v.Config.Schema, v.Waiting}}
	for _, p := range v.Config.Pipelines {
		for _, s := range p.Steps {
			pause := ""
			if s.Pause {
				pause = "pause"
			}
			lines = append(lines, []string{"step", p.Name, s.Name, s.Workflow, s.Pipeline, pause})
		}
	}
	for _, s := range v.Steps {
		for _, h := range s.Hooks {
			need := "required"
			if h.Optional {
				need = "optional"
			}
			lines = append(lines, []string{
				"hook", s.StepRow.Pipeline, s.Step, string(h.When), string(h.Scope), h.Path, string(h.Kind), string(h.Mode),
				need, cmp.Or(h.Problem, "trusted"),
			})
		}
	}
	return slices.Values(lines)
}

// printPlan says how the step that comes next is taken.
func printPlan(e *env, style ui.Style, p steps.StepPlan) {
	if p.From == "" {
		return
	}
	table := planTable(e, style, p, false)
	if p.Commit.Subject != "" {
		who := "by the agent as the work goes"
		if !p.Commit.Auto {
			who = "left to the user"
		}
		table.Add("commits", ui.Safe(p.Commit.Subject)+"…", who)
	}
	e.write(table)
	for _, line := range p.Problems {
		e.tell("  %s\n", style.Bad("in the way: "+ui.Safe(line)))
	}
	if commands := p.Mend(); len(commands) > 0 {
		e.tell("  what to do about it: %s\n", strings.Join(commands, ", "))
	}
	for _, line := range p.Remarks {
		e.tell("  %s\n", style.Dim("remark: "+ui.Safe(line)))
	}
	if p.Pause {
		e.tell("%s\n", e.addressed("  pause: go on, or stop here: git brew pause, and later: git brew start"))
	}
}
