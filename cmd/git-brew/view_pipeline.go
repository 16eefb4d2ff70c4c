package main

import (
	"strings"

	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// pipelineDocument is `pipeline show --json`.
type pipelineDocument struct {
	From          string `json:"from"`
	SchemaVersion string `json:"schema_version"`
	// Waiting is the hash of the shared pipeline that is not trusted here.
	Waiting string `json:"waiting,omitempty"`
	// TakenBack is the hash of the shared one that was in force here, and is gone.
	TakenBack string                 `json:"taken_back,omitempty"`
	Pipelines []pipelineListDocument `json:"pipelines"`
	// Steps are those that the routing table leads to.
	Steps    []pipelineStepDocument    `json:"steps"`
	Findings []pipelineFindingDocument `json:"findings"`
}

type pipelineListDocument struct {
	Name  string                 `json:"name"`
	Steps []pipelineItemDocument `json:"steps"`
}

type pipelineItemDocument struct {
	Name     string `json:"name"`
	Workflow string `json:"workflow,omitempty"`
	Pipeline string `json:"pipeline,omitempty"`
	Pause    bool   `json:"pause"`
}

type pipelineStepDocument struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Begun    string `json:"begun_by"`
	Ended    string `json:"ended_by"`
	stepPlanDocument
}

// stepPlanDocument is how a step is taken.
type stepPlanDocument struct {
	From     string                `json:"from"`
	Mode     workflow.RunMode      `json:"mode"`
	Pause    bool                  `json:"pause"`
	UnderWay bool                  `json:"under_way"` // what is before it has run
	Workflow *workflowDocument     `json:"workflow"`
	Hooks    []plannedHookDocument `json:"hooks"`
	Problems []string              `json:"problems"`
	Mend     []string              `json:"mend"` // commands that show what is to be done about problems
	Remarks  []string              `json:"remarks"`
	Commit   *commitDocument       `json:"commit,omitempty"`
}

type workflowDocument struct {
	Path    string `json:"path"`
	BuiltIn bool   `json:"built_in"`
	Trusted bool   `json:"trusted"`
	Problem string `json:"problem,omitempty"`
	// Read is the command that prints it; none where it can't be followed.
	Read string `json:"read,omitempty"`
}

type plannedHookDocument struct {
	When       pipeline.When  `json:"when"`
	Scope      pipeline.Scope `json:"scope"`
	Path       string         `json:"path"`
	Kind       pipeline.Kind  `json:"kind"`
	Mode       pipeline.Mode  `json:"mode,omitempty"` // who follows a workflow
	Required   bool           `json:"required"`
	Convention bool           `json:"convention"`
	Trusted    bool           `json:"trusted"`
	Problem    string         `json:"problem,omitempty"`
}

// commitDocument says whether the agent commits code in a step, and what the
// subject begins with.
type commitDocument struct {
	Auto    bool   `json:"auto"`
	Subject string `json:"subject"`
}

func newStepPlanDocument(p workflow.StepPlan) stepPlanDocument {
	doc := stepPlanDocument{From: p.From, Mode: p.Mode, Pause: p.Pause, UnderWay: p.UnderWay, Hooks: []plannedHookDocument{}, Problems: view.List(p.Problems), Mend: view.List(p.Mend()), Remarks: view.List(p.Remarks)}
	if w := p.Workflow; w.Path != "" {
		doc.Workflow = &workflowDocument{w.Path, w.BuiltIn, w.Trusted, w.Problem, w.Read()}
	}
	for _, h := range p.Hooks {
		hook := plannedHookDocument{
			When: h.When, Scope: h.Scope, Path: h.Path, Kind: h.Kind, Required: !h.Optional, Convention: h.Convention,
			Trusted: h.Trusted, Problem: h.Problem,
		}
		if h.Kind == pipeline.KindWorkflow {
			hook.Mode = h.Mode
		}
		doc.Hooks = append(doc.Hooks, hook)
	}
	if p.Commit.Subject != "" {
		doc.Commit = &commitDocument{p.Commit.Auto, p.Commit.Subject}
	}
	return doc
}

func newPipelineDocument(v workflow.PipelineView) pipelineDocument {
	doc := pipelineDocument{
		From: v.From, SchemaVersion: v.Config.Schema, Waiting: v.Waiting, TakenBack: v.TakenBack,
		Pipelines: []pipelineListDocument{}, Steps: []pipelineStepDocument{}, Findings: newPipelineFindings(v.Findings),
	}
	for _, p := range v.Config.Pipelines {
		of := pipelineListDocument{Name: p.Name, Steps: []pipelineItemDocument{}}
		for _, s := range p.Steps {
			of.Steps = append(of.Steps, pipelineItemDocument{s.Name, s.Workflow, s.Pipeline, s.Pause})
		}
		doc.Pipelines = append(doc.Pipelines, of)
	}
	for _, s := range v.Steps {
		doc.Steps = append(doc.Steps, pipelineStepDocument{s.Step, s.StepRow.Pipeline, s.BegunBy, s.EndedBy, newStepPlanDocument(s.StepPlan)})
	}
	return doc
}

func (e *env) printPipeline(s *workflow.Service, v workflow.PipelineView) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, newPipelineDocument(v))
	case e.Flags.Porcelain:
		return e.pipelineRecords(v)
	}
	style := e.colours(s)
	e.tell("%s\n", sentence(pipelineName(v.From)))
	if v.Waiting != "" {
		e.tell("  %s\n", style.Warn("a shared one is not trusted (git brew trust add "+workflow.ShortTrust(v.Waiting)+")"))
	}
	if v.TakenBack != "" {
		e.tell("  %s\n", style.Warn("the shared one was taken back (git brew trust rm "+workflow.ShortTrust(v.TakenBack)+" once that is known)"))
	}
	if why := v.Broken(); why != "" {
		e.tell("  %s\n", style.Bad(ui.Safe(why)))
		return nil
	}
	for _, p := range v.Config.Pipelines {
		e.tell("\n%s\n", ui.Safe(p.Name))
		table := e.facts("  ")
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
		if err := table.Write(e.Out); err != nil {
			return err
		}
	}
	for _, step := range v.Steps {
		if len(step.Hooks) == 0 && len(step.Problems) == 0 {
			continue
		}
		e.tell("\naround %s of %s\n", step.Step, step.StepRow.Pipeline)
		table := e.planTable(style, step.StepPlan, true)
		if err := table.Write(e.Out); err != nil {
			return err
		}
	}
	return nil
}

// pipelineName is a pipeline in a sentence, by where it comes from.
func pipelineName(from string) string {
	switch from {
	case workflow.FromDefault:
		return "the built-in pipeline"
	case workflow.FromShared:
		return "the shared pipeline"
	}
	return "the pipeline of " + ui.Safe(from)
}

// planTable lists what is done for a step, in its order; with what is wrong with
// it, where that is not told elsewhere.
func (e *env) planTable(style ui.Style, p workflow.StepPlan, wrong bool) *ui.Table {
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
func hookPlanWords(style ui.Style, h workflow.PlannedHook, wrong bool) string {
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

func (e *env) pipelineRecords(v workflow.PipelineView) error {
	if err := ui.Record(e.Out, "pipeline", v.From, v.Config.Schema, v.Waiting); err != nil {
		return err
	}
	for _, p := range v.Config.Pipelines {
		for _, s := range p.Steps {
			if err := ui.Record(e.Out, "step", p.Name, s.Name, s.Workflow, s.Pipeline, pauseWord(s.Pause)); err != nil {
				return err
			}
		}
	}
	for _, s := range v.Steps {
		for _, h := range s.Hooks {
			need, state := "required", "trusted"
			if h.Optional {
				need = "optional"
			}
			if h.Problem != "" {
				state = h.Problem
			}
			if err := ui.Record(e.Out, "hook", s.StepRow.Pipeline, s.Step, string(h.When), string(h.Scope), h.Path, string(h.Kind), string(h.Mode), need, state); err != nil {
				return err
			}
		}
	}
	return nil
}

func pauseWord(pause bool) string {
	if pause {
		return "pause"
	}
	return ""
}

// printPlan says how the step that comes next is taken.
func (e *env) printPlan(style ui.Style, p workflow.StepPlan) error {
	if p.From == "" {
		return nil
	}
	table := e.planTable(style, p, false)
	if p.Commit.Subject != "" {
		who := "by the agent as the work goes"
		if !p.Commit.Auto {
			who = "left to the user"
		}
		table.Add("commits", ui.Safe(p.Commit.Subject)+"…", who)
	}
	if err := table.Write(e.Out); err != nil {
		return err
	}
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
	return nil
}
