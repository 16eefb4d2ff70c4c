package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// RunMode says where whoever goes through the pipeline asks the person.
type RunMode string

// The modes of running.
const (
	RunDefault     RunMode = "default"     // where a step pauses
	RunAuto        RunMode = "auto"        // nowhere
	RunInteractive RunMode = "interactive" // at every step
)

// pauses reports whether somebody who runs in a mode asks before a step.
func (m RunMode) pauses(s pipeline.Step) bool {
	switch m {
	case RunAuto:
		return false
	case RunInteractive:
		return true
	case RunDefault:
	}
	return s.Pause
}

// StepPlan is how a step is taken: what is followed, what runs around it, and
// whether a person is asked first.
type StepPlan struct {
	// From is where the pipeline comes from, as in Pipeline.
	From     string
	Mode     RunMode
	Workflow StepWorkflow // zero where the step has none
	Hooks    []PlannedHook
	Pause    bool
	// Problems keep the step from being taken, a line each; Remarks do not.
	Problems, Remarks []string
	Commit            CommitPlan
	// UnderWay: the step was begun. What runs before it has run, and the person
	// was asked; what is left is what follows.
	UnderWay bool
}

// Mend are the commands that show what keeps the step from being taken: what waits
// for trust, and all else.
func (p StepPlan) Mend() []string {
	waits := 0
	if p.Workflow.Waits {
		waits++
	}
	for _, h := range p.Hooks {
		if !h.Optional && h.Problem != "" && h.Hash != "" {
			waits++
		}
	}
	var all []string
	if waits > 0 {
		all = append(all, "git brew trust list")
	}
	if len(p.Problems) > waits {
		all = append(all, "git brew pipeline check")
	}
	return all
}

// StepWorkflow is the text that a step follows.
type StepWorkflow struct {
	Path    string
	BuiltIn bool // one of git brew's own
	Trusted bool
	Problem string // why it can't be followed
	Waits   bool   // for trust alone
	used    *usedFile
}

// Read is the command that prints it, "" where it can't be followed.
func (w StepWorkflow) Read() string {
	switch {
	case w.Path == "" || w.Problem != "":
		return ""
	case strings.ContainsFunc(w.Path, func(r rune) bool { return !plainInShell(r) }):
		return "git brew pipeline show '" + strings.ReplaceAll(w.Path, "'", `'\''`) + "'"
	}
	return "git brew pipeline show " + w.Path
}

// plainInShell reports what a shell takes as it is.
func plainInShell(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@%", r)
}

// PlannedHook is a hook around a step.
type PlannedHook struct {
	pipeline.Around
	Trusted bool
	Hash    string // of what is to be trusted; "" where there is nothing
	Problem string // why it can't be used
	used    *usedFile
}

// CommitPlan says whether the agent commits code as it works on the step, and
// what the subject begins with.
type CommitPlan struct {
	Auto    bool
	Subject string
}

// StepPlan says how the step that comes next is taken, or goes on. Steps that are
// none of a pipeline, as to start the task, and those of several phases at once,
// have no plan: From is "".
func (s *Pipelines) StepPlan(ctx context.Context, t task.Task, next route.Step, mode RunMode) (StepPlan, error) {
	i := slices.IndexFunc(StepTable(), func(r StepRow) bool { return r.Step == next.Step && r.Pipeline == next.Pipeline })
	if i < 0 {
		return StepPlan{}, nil
	}
	row := StepTable()[i]
	phase, _ := t.FindPhase(next.Phase)
	if next.Step == task.StepExecute && phase.UID == "" {
		return StepPlan{}, nil
	}
	p, err := s.PipelineTold(ctx)
	if err != nil {
		return StepPlan{}, err
	}
	begun := row.goesOn != nil && row.goesOn(t, phase)
	plan, err := s.planOf(ctx, p, row, mode, begun)
	if err != nil {
		return plan, err
	}
	plan.Commit, err = commitPlan(ctx, s, t, row)
	return plan, err
}

// PipelineView is the pipeline in force, with how each step is taken.
type PipelineView struct {
	Pipeline
	Steps []StepView
}

// StepView is a step of the routing table, and how it is taken.
type StepView struct {
	StepRow
	StepPlan
}

// PipelineView looks at the whole pipeline that is in force.
func (s *Pipelines) PipelineView(ctx context.Context) (PipelineView, error) {
	p, err := s.PipelineTold(ctx)
	if err != nil {
		return PipelineView{Pipeline: p}, err
	}
	return s.viewOf(ctx, p)
}

func (s *Pipelines) viewOf(ctx context.Context, p Pipeline) (PipelineView, error) {
	v := PipelineView{Pipeline: p}
	var err error
	for _, row := range StepTable() {
		if err != nil || p.Broken() != "" {
			break
		}
		var plan StepPlan
		plan, err = s.planOf(ctx, p, row, RunDefault, false)
		v.Steps = append(v.Steps, StepView{row, plan})
	}
	return v, err
}

// planOf is how a step is taken with a pipeline, or goes on once it was begun: what is
// before it has run then, and the person was asked.
func (s *Pipelines) planOf(ctx context.Context, p Pipeline, row StepRow, mode RunMode, begun bool) (StepPlan, error) {
	plan := StepPlan{From: p.From, Mode: mode, UnderWay: begun}
	if p.Waiting != "" {
		plan.Remarks = append(plan.Remarks, "the shared pipeline waits for your trust ("+clone.ShortTrust(p.Waiting)+
			"); the built-in one is gone through")
	}
	if p.TakenBack != "" {
		plan.Remarks = append(plan.Remarks, "the shared pipeline was taken back, which was trusted here ("+
			clone.ShortTrust(p.TakenBack)+"); the built-in one is gone through")
	}
	if why := p.Broken(); why != "" {
		plan.Problems = append(plan.Problems, why)
		return plan, nil
	}
	step, found := p.Config.Locate(row.Pipeline, row.Step)
	if !found && !row.outsideOfJSON {
		plan.Problems = append(plan.Problems, fmt.Sprintf("the pipeline (%s) has no step %s in %s", p.From, row.Step,
			row.Pipeline))
		return plan, nil
	}
	plan.Pause = mode.pauses(step) && !begun
	var err error
	if plan.Workflow, err = s.stepWorkflow(ctx, step); err != nil {
		return plan, err
	}
	if w := plan.Workflow; w.Problem != "" {
		plan.Problems = append(plan.Problems, w.Path+" "+w.Problem)
	}
	if plan.Hooks, err = s.plannedHooks(ctx, p, row); begun {
		plan.Hooks = slices.DeleteFunc(plan.Hooks, func(h PlannedHook) bool { return h.When == pipeline.Pre })
	}
	for _, h := range plan.Hooks {
		if h.Problem == "" {
			continue
		}
		if line := h.Path + " " + h.Problem; h.Optional {
			plan.Remarks = append(plan.Remarks, line)
		} else {
			plan.Problems = append(plan.Problems, line)
		}
	}
	return plan, err
}

// stepWorkflow looks at the text that a step follows. A file of the project is
// followed once this clone's person has trusted it for that step.
func (s *Pipelines) stepWorkflow(ctx context.Context, step pipeline.Step) (StepWorkflow, error) {
	w := StepWorkflow{Path: step.Workflow, BuiltIn: pipeline.BuiltIn(step.Workflow)}
	if w.Path == "" || w.BuiltIn {
		w.Trusted = true
		return w, nil
	}
	f := s.projectFile(w.Path)
	switch {
	case !f.there:
		w.Problem = "is not there"
		return w, nil
	case f.problem != "":
		w.Problem = "can't be used: " + f.problem
		return w, nil
	}
	w.used = &usedFile{fileContent(clone.TrustWorkflow, step.Name, f.data), f, "for " + step.Name}
	var err error
	if w.Trusted, err = s.Clone.Trusted(ctx, w.used.Content); err == nil && !w.Trusted {
		w.Problem, w.Waits = "is not trusted", true
	}
	return w, err
}

// plannedHooks looks at the hooks around a step.
func (s *Pipelines) plannedHooks(ctx context.Context, p Pipeline, row StepRow) ([]PlannedHook, error) {
	var all []PlannedHook
	for _, a := range p.Config.Around(row.Pipeline, row.Step, s.hasFile) {
		h := PlannedHook{Around: a}
		f := s.projectFile(a.Path)
		if why := unusable(f, a); why != "" {
			h.Problem = "can't be used: " + why
			all = append(all, h)
			continue
		}
		h.used = &usedFile{hookContent(a, row.Step, f.data), f, a.When.Side() + " " + hookOf(a, row)}
		h.Hash = h.used.Hash()
		var err error
		if h.Trusted, err = s.Clone.Trusted(ctx, h.used.Content); err != nil {
			return nil, err
		}
		if !h.Trusted {
			h.Problem = "is not trusted"
		}
		all = append(all, h)
	}
	return all, nil
}

// hookOf names what a hook is around.
func hookOf(a pipeline.Around, row StepRow) string {
	if a.Scope == pipeline.Global {
		return "every step"
	}
	return row.Step
}

// commitWord is what subjects of commits begin with, by the task's type.
func commitWord(typ string) string {
	switch typ {
	case "feature":
		return "feat"
	case "migrate", "experiment":
		return "chore"
	}
	return typ
}

// commitPlan: documents are commits of the task's own ref, always; whether code
// is committed by the agent is the project's to say (SP-17).
func commitPlan(ctx context.Context, s *Pipelines, t task.Task, row StepRow) (CommitPlan, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil || row.Step != task.StepExecute && row.Step != task.StepRevise {
		return CommitPlan{}, err
	}
	return CommitPlan{Auto: set.Bool(config.KeyCommitCode), Subject: commitWord(t.Type) + "(" + t.ID.Slug() + "): "}, nil
}

// AskFirst is a step of an agent's as it is where the pipeline pauses before it: the
// user is asked, and then the agent types what it was told. Where the built-in pipeline
// pauses before work, the switch to implementation was the answer.
func (p StepPlan) AskFirst(step route.Step) route.Step {
	answered := step.Taker == route.TakerWorker && p.From == FromDefault && p.Mode == RunDefault
	if p.Pause && step.Needs == route.AskedAgent && !answered {
		step.Needs, step.Ask = route.AskedUser, "The pipeline pauses before this step: "+strings.TrimRight(step.Reason, ".")+
			". Go on?"
	}
	return step
}
