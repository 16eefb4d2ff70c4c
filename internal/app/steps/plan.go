package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// RunMode says where whoever goes through the pipeline asks the person.
type RunMode string

const (
	RunDefault     RunMode = "default"     // where a step pauses
	RunAuto        RunMode = "auto"        // nowhere
	RunInteractive RunMode = "interactive" // at every step
)

// pauses reports whether somebody who runs in a mode asks before a step.
func (m RunMode) pauses(s pipeline.Step) bool {
	return m == RunInteractive || m == RunDefault && s.Pause
}

// StepPlan is how a step is taken: what is followed, what runs around it, and
// whether a person is asked first.
type StepPlan struct {
	// From is where the pipeline comes from, as in Pipeline.
	From  string  `json:"from"`
	Mode  RunMode `json:"mode"`
	Pause bool    `json:"pause"`
	// UnderWay: the step was begun. What runs before it has run, and the person
	// was asked; what is left is what follows.
	UnderWay bool          `json:"under_way"`
	Workflow *StepWorkflow `json:"workflow"` // null where the step has none
	Hooks    []PlannedHook `json:"hooks"`
	// Problems keep the step from being taken, a line each; Remarks do not. Mend are
	// the commands that show what is to be done about problems.
	Problems []string    `json:"problems"`
	Mend     []string    `json:"mend"`
	Remarks  []string    `json:"remarks"`
	Commit   *CommitPlan `json:"commit,omitempty"`
}

// StepWorkflow is the text that a step follows.
type StepWorkflow struct {
	Path    string `json:"path"`
	BuiltIn bool   `json:"built_in"` // one of git brew's own
	usedFile
	// Read is the command that prints it, "" where it can't be followed.
	Read string `json:"read,omitempty"`
}

// PlannedHook is a hook around a step.
type PlannedHook struct {
	pipeline.Around
	Required bool `json:"required"`
	usedFile
}

// CommitPlan says whether the agent commits code as it works on the step, and
// what the subject begins with.
type CommitPlan struct {
	Auto    bool   `json:"auto"`
	Subject string `json:"subject"`
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
	Steps []StepView `json:"steps"`
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
	p.Findings = append([]pipeline.Finding{}, p.Findings...)
	p.Pipelines = append([]pipeline.Pipeline{}, p.Pipelines...)
	v := PipelineView{Pipeline: p, Steps: []StepView{}}
	if p.Broken() != "" {
		return v, nil
	}
	for _, row := range StepTable() {
		plan, err := s.planOf(ctx, p, row, RunDefault, false)
		if err != nil {
			return v, err
		}
		v.Steps = append(v.Steps, StepView{row, plan})
	}
	return v, nil
}

// planOf is how a step is taken with a pipeline, or goes on once it was begun: what is
// before it has run then, and the person was asked.
func (s *Pipelines) planOf(ctx context.Context, p Pipeline, row StepRow, mode RunMode, begun bool) (StepPlan, error) {
	plan := StepPlan{
		From: p.From, Mode: mode, UnderWay: begun,
		Hooks: []PlannedHook{}, Problems: []string{}, Mend: []string{}, Remarks: []string{},
	}
	const builtIn = "; the built-in one is gone through"
	if p.Waiting != "" {
		plan.Remarks = append(plan.Remarks, "the shared pipeline waits for your trust ("+clone.ShortTrust(p.Waiting)+")"+
			builtIn)
	}
	if p.TakenBack != "" {
		plan.Remarks = append(plan.Remarks, "the shared pipeline was taken back, which was trusted here ("+
			clone.ShortTrust(p.TakenBack)+")"+builtIn)
	}
	step, why := p.step(row)
	if why != "" {
		plan.Problems, plan.Mend = append(plan.Problems, why), append(plan.Mend, mendCheck)
		return plan, nil
	}
	plan.Pause = mode.pauses(step) && !begun
	w, err := s.stepWorkflow(ctx, step)
	if err != nil {
		return plan, err
	}
	if w.Path != "" {
		plan.Workflow = &w
		plan.lacks(w.usedFile)
	}
	for _, a := range p.Config.Around(row.Pipeline, row.Step, s.hasFile) {
		if begun && a.When == pipeline.Pre {
			continue
		}
		u, err := s.useHook(ctx, a, row.Step)
		if err != nil {
			return plan, err
		}
		plan.Hooks = append(plan.Hooks, PlannedHook{a, !a.Optional, u})
		plan.lacks(u)
	}
	slices.Sort(plan.Mend)
	slices.Reverse(plan.Mend) // what waits for trust first
	plan.Mend = slices.Compact(plan.Mend)
	return plan, nil
}

// The commands that show what keeps a step from being taken.
const (
	mendTrust = "git brew trust list"
	mendCheck = "git brew pipeline check"
)

func (p *StepPlan) lacks(u usedFile) {
	switch {
	case u.Problem == "":
		return
	case !u.required:
		p.Remarks = append(p.Remarks, u.path+" "+u.Problem)
		return
	case u.waits:
		p.Mend = append(p.Mend, mendTrust)
	default:
		p.Mend = append(p.Mend, mendCheck)
	}
	p.Problems = append(p.Problems, u.path+" "+u.Problem)
}

// step is a step of the pipeline, or why it can't be taken.
func (p Pipeline) step(row StepRow) (step pipeline.Step, why string) {
	if why := p.Broken(); why != "" {
		return step, why
	}
	step, found := p.Config.Locate(row.Pipeline, row.Step)
	if !found && !row.outsideOfJSON {
		return step, fmt.Sprintf("the pipeline (%s) has no step %s in %s", p.From, row.Step, row.Pipeline)
	}
	return step, ""
}

// stepWorkflow looks at the text that a step follows. A file of the project is
// followed once this clone's person has trusted it for that step.
func (s *Pipelines) stepWorkflow(ctx context.Context, step pipeline.Step) (w StepWorkflow, err error) {
	w.Path, w.BuiltIn = step.Workflow, pipeline.BuiltIn(step.Workflow)
	if w.Path == "" || w.BuiltIn {
		w.Trusted = true
	} else if w.usedFile, err = s.use(ctx, w.Path, pipeline.KindWorkflow, step.Name, "for "+step.Name); err != nil {
		return w, err
	}
	w.required = true
	if w.Path != "" && w.Problem == "" {
		w.Read = "git brew pipeline show " + change.ShellWord(w.Path)
	}
	return w, nil
}

// commitPlan: documents are commits of the task's own ref, always; whether code
// is committed by the agent is the project's to say (SP-17).
func commitPlan(ctx context.Context, s *Pipelines, t task.Task, row StepRow) (*CommitPlan, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil || row.Step != task.StepExecute && row.Step != task.StepRevise {
		return nil, err
	}
	word := map[string]string{"feature": "feat", "migrate": "chore", "experiment": "chore"}[t.Type]
	return &CommitPlan{set.Bool(config.KeyCommitCode), cmp.Or(word, t.Type) + "(" + t.ID.Slug() + "): "}, nil
}

// AskFirst is a step of an agent's as it is where the pipeline pauses before it: the
// user is asked, and then the agent types what it was told. Where the built-in pipeline
// pauses they have answered: before work by the switch to implementation, before a verdict
// by the setting that leaves it to agents.
func (p StepPlan) AskFirst(step route.Step) route.Step {
	answered := p.From == FromDefault && p.Mode == RunDefault
	if p.Pause && step.Needs == route.AskedAgent && !answered {
		step.Needs, step.Ask = route.AskedUser, "The pipeline pauses before this step: "+strings.TrimRight(step.Reason, ".")+
			". Go on?"
	}
	return step
}
