package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// Skip is a step that was passed over, for good reason or not: no step is
// without a record. One operation may pass several.
type Skip struct {
	ID   string `json:"id"` // of the operation, the step and the phase: no other has it
	UID  UID    `json:"uid"`
	Step string `json:"step"`
	// Phase is the one whose plan was skipped, Iteration how often that had been
	// started before. Both are empty where the step is one of the main pipeline.
	Phase     UID `json:"phase,omitempty"`
	Iteration int `json:"iteration,omitempty"`
	// Stage is the task's then.
	Stage Stage `json:"stage"`
	// Open is how many questions were open; another one asks for discussion
	// again. Lacks is how much the plan lacked, where work begins on one that is
	// not ready: more of it holds work up again.
	Open   int    `json:"open,omitempty"`
	Lacks  int    `json:"lacks,omitempty"`
	Reason string `json:"reason,omitempty"` // "" where another command passed it
	At     string `json:"at,omitempty"`
	// Over: the task went back to the stage of the step, so the step is due
	// again.
	Over bool `json:"over,omitempty"`
}

// Told reports whether people are told of a skip: a phase that was begun without a plan of
// its own is not worth it, unless somebody said why.
func (k Skip) Told() bool { return k.Phase == "" || k.Reason != "" }

// Passed names a step that an operation passes over, beside what it does.
type Passed struct {
	Step  string `json:"step"`
	Phase UID    `json:"phase,omitempty"`
	// Lacks is as in Skip: above 0, it is the plan's readiness that is passed over,
	// and not the step of making one.
	Lacks int `json:"lacks,omitempty"`
}

// SkipPayload is what OpStepSkip carries.
type SkipPayload struct {
	Passed
	Reason string `json:"reason"`
	// Questions are the questions that stay open, where discussion is skipped.
	Questions []string `json:"questions,omitempty"`
}

// maxSkips bounds how many one task holds; maxPassed those of one operation.
const (
	maxSkips  = 5000
	maxPassed = 8
)

// skipStages are the steps of the main pipeline that can be skipped, each with
// its stage.
var skipStages = []stepOfStage{
	{StepClarify, StageClarify, "the discussion"},
	{StepResearch, StageResearch, "research"},
	{StepPlan, StagePlan, "the roadmap"},
}

type stepOfStage struct {
	step  string
	stage Stage
	what  string // for people
}

// valid: it is a step that can be skipped, of the main pipeline or the plan of
// a phase that t has.
func (p Passed) valid(t Task) bool {
	switch {
	case p.Lacks < 0 || p.Lacks > MaxUnready || p.Lacks > 0 && p.Phase != "":
		return false
	case p.Lacks > 0:
		return p.Step == StepPlan
	case p.Phase != "":
		return p.Step == StepPlan && t.phaseIndex(p.Phase) >= 0
	}
	return slices.ContainsFunc(skipStages, func(s stepOfStage) bool { return s.step == p.Step })
}

// id tells what an operation passes over from all else that was.
func (p Passed) id(by UID) string {
	id := string(by) + "-" + p.Step
	if p.Lacks > 0 {
		id += "-unready"
	}
	if p.Phase != "" {
		id += "-" + string(p.Phase)
	}
	return id
}

// passed is what the skip was of.
func (k Skip) passed() Passed { return Passed{k.Step, k.Phase, k.Lacks} }

// Shown says what the skip was of, for people.
func (k Skip) Shown(t Task) string { return t.ShownStep(k.passed()) }

// because says why, for people.
func (k Skip) because() string {
	if k.Reason == "" {
		return "it was skipped"
	}
	return "skipped, " + k.Reason
}

// skipped is the last skip of a step that still holds: of the main pipeline
// where the phase is none, else of that phase's plan.
func (t Task) skipped(step string, p Phase) (Skip, bool) {
	for _, k := range slices.Backward(t.Skips) {
		if k.Step != step || k.Phase != p.UID || k.Lacks > 0 {
			continue
		}
		holds := !k.Over && k.Iteration == p.Iteration && (step != StepClarify || t.Questions.Open <= k.Open)
		return k, holds
	}
	return Skip{}, false
}

// Plans reports whether a task is planned before work begins: once it has a question,
// a document that says what is to be built or how, or went to research or planning.
// Any other is worked on as it is.
func Plans(t Task) bool {
	if t.Stage == StageResearch || t.Stage == StagePlan || t.Questions.Total > 0 {
		return true
	}
	return slices.ContainsFunc([]DocName{DocSpec, DocContext, DocResearch, DocPlan, DocRoadmap}, t.HasDoc) ||
		slices.ContainsFunc(t.Skips, func(k Skip) bool { return k.Phase == "" && k.Reason != "" })
}

// owesSpec: a task is to be planned, and nothing says what is to be built.
func (t Task) owesSpec() bool {
	_, skipped := t.skipped(StepClarify, Phase{})
	said := slices.ContainsFunc([]DocName{DocSpec, DocContext, DocPlan, DocRoadmap, DocResearch}, t.HasDoc)
	return Plans(t) && !said && !skipped && len(t.Phases) == 0
}

func (t Task) owesDiscussion() bool {
	_, skipped := t.skipped(StepClarify, Phase{})
	return t.Questions.Open > 0 && !skipped
}

// Undiscussed: the discussion was skipped with questions that are open still, and
// that holds.
func Undiscussed(t Task) bool { return t.Questions.Open > 0 && !t.owesDiscussion() }

func (t Task) owesResearch() bool {
	_, skipped := t.skipped(StepResearch, Phase{})
	return !t.HasDoc(DocResearch) && !skipped
}

func (t Task) owesRoadmap() bool {
	_, skipped := t.skipped(StepPlan, Phase{})
	return !t.HasRoadmap() && !skipped
}

// HasRoadmap reports whether a document says which phases there are: a roadmap, or a
// plan, which stands for one.
func (t Task) HasRoadmap() bool { return t.HasDoc(DocRoadmap) || t.HasDoc(DocPlan) }

func (t Task) owesPlan(p Phase) bool {
	_, skipped := t.skipped(StepPlan, p)
	written := slices.ContainsFunc([]DocName{DocSpec, DocResearch, DocPlan, DocRoadmap}, t.HasDoc)
	asked := t.Stage == StageExecute && !written && len(t.Skips) == 0 // a question at work asks for no plans
	return Plans(t) && !asked && p.Kind.planned() && !t.HasDoc(PlanOf(p.UID)) && !skipped
}

// PassedBy returns the steps of the main pipeline that are owed and left behind
// where the task goes to a stage.
func PassedBy(t Task, to Stage) []Passed {
	if !Plans(t) {
		return nil
	}
	owed := map[string]bool{StepClarify: t.owesDiscussion(), StepResearch: t.owesResearch(), StepPlan: t.owesRoadmap()}
	var all []Passed
	for _, s := range skipStages {
		at := slices.Index(stages, s.stage)
		if owed[s.step] && slices.Index(stages, t.Stage) <= at && at < slices.Index(stages, to) {
			all = append(all, Passed{Step: s.step})
		}
	}
	return all
}

// PassedByStart returns the steps that starting a phase leaves behind: those
// before execution, and the phase's own plan.
func PassedByStart(t Task, p Phase) []Passed {
	all := PassedBy(t, StageExecute)
	if t.owesPlan(p) {
		all = append(all, Passed{Step: StepPlan, Phase: p.UID})
	}
	return all
}

// planned reports kinds of phases that have a plan of their own: what is to be
// verified, reviewed or found out stands in the phase itself.
func (k PhaseKind) planned() bool {
	return k != KindVerification && k != KindFinalReview && k != KindResearch
}

// Questions are the texts of open questions as a skip names them, some of many.
func QuestionTexts(areas []Question) []string {
	var all []string
	for _, a := range areas {
		if a.Open && oneLine(a.Text, maxItem) && len(all) < maxItems {
			all = append(all, a.Text)
		}
	}
	return all
}

// pass records what an operation passes over. What makes no sense, or does not
// fit any more, is left out.
func (e *editor) pass(op operation.Operation, passed []Passed, reason string) {
	for _, p := range passed[:min(len(passed), maxPassed)] {
		known := slices.ContainsFunc(e.t.Skips, func(k Skip) bool { return k.ID == p.id(op.ID) })
		if known || !p.valid(e.t) || len(e.t.Skips) >= maxSkips {
			continue
		}
		phase, _ := e.t.Phase(p.Phase)
		k := Skip{ID: p.id(op.ID), UID: op.ID, Step: p.Step, Phase: p.Phase, Iteration: phase.Iteration, Lacks: p.Lacks, Stage: e.t.Stage, Reason: reason, At: cleanTime(op.At)}
		if p.Step == StepClarify {
			k.Open = e.t.Questions.Open
		}
		e.t.Skips = append(slices.Clip(e.t.Skips), k)
	}
}

// dueAgain ends the skips of steps that a task comes back to.
func (e *editor) dueAgain(to Stage) {
	var skips []Skip
	for i, k := range e.t.Skips {
		for _, s := range skipStages {
			if k.Phase == "" && k.Step == s.step && !k.Over && slices.Index(stages, to) <= slices.Index(stages, s.stage) {
				if skips == nil {
					skips = slices.Clone(e.t.Skips)
				}
				skips[i].Over = true
			}
		}
	}
	if skips != nil {
		e.t.Skips = skips
	}
}

func validSkips(all []Skip) bool {
	return len(all) <= maxSkips && !slices.ContainsFunc(all, func(k Skip) bool {
		return !k.UID.Valid() || k.ID != k.passed().id(k.UID) || k.Lacks < 0 || k.Lacks > MaxUnready || !oneLine(k.Step, maxName) || k.Phase != "" && !k.Phase.Valid() || k.Iteration < 0 || k.Open < 0 ||
			!slices.Contains(stages, k.Stage) || !paragraph(k.Reason, MaxReason) || !times(k.At)
	})
}

// skipStep leaves it to the caller, who knows the routing table, whether the step is the
// one that comes next, and may be skipped; see CheckSkip.
func skipStep(e *editor, op operation.Operation, p SkipPayload) error {
	switch {
	case !p.valid(e.t):
		return refuse(CodeInvalid, fmt.Sprintf("%q is no step that can be skipped", clip(p.Step, maxName)), "see 'git brew next'")
	case len(e.t.Skips) >= maxSkips:
		return refuse(CodeTaskState, fmt.Sprintf("%d steps were skipped already, no more fit", len(e.t.Skips)), "begin another task")
	}
	e.pass(op, []Passed{p.Passed}, p.Reason)
	return nil
}

func askStepSkip(t Task, _ SkipPayload) error {
	if t.Status == Paused {
		return refuse(CodeTaskState, "the task is paused", "git brew start")
	}
	return nil
}

// CheckSkip refuses to skip what the routing table does not let be skipped where the
// task stands.
func CheckSkip(t Task, p SkipPayload) error {
	r, s, _ := routeOf(view{Task: t})
	about := s.about(r)
	switch {
	case r.step != p.Step:
		return refuse(CodeTransition, fmt.Sprintf("what comes next is %s, not %q", r.step, clip(p.Step, maxName)), "see 'git brew next'")
	case p.Phase != about.UID:
		return refuse(CodeTransition, fmt.Sprintf("what comes next is to %s %s, not %s", p.Step, t.named(about.UID), t.named(p.Phase)), "see 'git brew next'")
	case p.Lacks != PassedUnready(t):
		return refuse(CodeTransition, "the plan changed meanwhile", "see 'git brew next'")
	case r.skip == "":
		return refuse(CodeTransition, fmt.Sprintf("%s is never skipped: %s", p.Step, r.reason(s)), insteadOf(r, s))
	}
	return nil
}

// named names the phase that a step is about, or what the task plans.
func (t Task) named(uid UID) string {
	if p, ok := t.Phase(uid); ok {
		return "phase " + p.ID
	}
	return "the plan"
}

// PassedUnready is how much of the plan's lacks is passed over where the step that
// comes next is skipped; 0 where it is another step.
func PassedUnready(t Task) int {
	if r, _, _ := routeOf(view{Task: t}); r.when != planUnready {
		return 0
	}
	return t.Unready.N
}

// insteadOf says what to do about a step that is never skipped: what `next` says.
func insteadOf(r route, s situation) string {
	switch does := stepOf(r, s).Command; {
	case does == "":
		return "see 'git brew next'"
	case strings.HasPrefix(does, commandApprove):
		return "look at it with 'git brew phase review " + s.focus.ID + "', then '" + does + "' or 'git brew phase reject " + s.focus.ID + " -m WHY'"
	default:
		return does
	}
}

func saySkip(_ operation.Operation, p SkipPayload, _, after Task) string {
	return fmt.Sprintf("skipped: %s: %s", after.ShownStep(p.Passed), p.Reason)
}

// ShownStep says what a skip is of, for people: a step of the main pipeline, what
// a plan lacks, or a phase's plan.
func (t Task) ShownStep(p Passed) string {
	phase, ok := t.Phase(p.Phase)
	switch {
	case ok:
		return "the plan of phase " + phase.ID
	case p.Lacks == 1:
		return "1 finding in the plan"
	case p.Lacks > 1:
		return fmt.Sprintf("%d findings in the plan", p.Lacks)
	}
	for _, s := range skipStages {
		if s.step == p.Step {
			return s.what
		}
	}
	return p.Step
}

// sayPassed ends a sentence with what was passed over.
func (t Task) sayPassed(passed []Passed) string {
	var steps []string
	end := ""
	for _, p := range passed {
		if p.Phase != "" {
			end = "; without a plan"
			continue
		}
		steps = append(steps, t.ShownStep(p))
	}
	if len(steps) > 0 {
		end = "; skipped " + strings.Join(steps, ", ") + end
	}
	return end
}
