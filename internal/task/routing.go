package task

import (
	"fmt"
	"slices"
	"strings"
)

// Step is what comes next: a step of a pipeline, or of nothing where the task
// has to be started, resumed or unblocked first.
type Step struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Phase    string `json:"phase,omitempty"` // its shown id
	Reason   string `json:"reason"`
	// Command is what a person or an agent types next.
	Command string `json:"command,omitempty"`
}

// The steps of the pipelines.
const (
	StepDiscuss  = "discuss"
	StepResearch = "research"
	StepPlan     = "plan"
	StepExecute  = "execute"
	StepReview   = "review"
	StepRevise   = "revise"
	StepRetry    = "retry"    // a phase failed, and nothing else is left
	StepComplete = "complete" // every phase is done
	StepStart    = "start"    // the task has to be started
	StepUnblock  = "unblock"  // it waits for somebody
	StepDone     = "done"     // it has ended
	StepWait     = "wait"     // phases wait for each other
)

// The pipelines.
const (
	PipelineMain  = "main"
	PipelinePhase = "phase-execution"
)

// situation is what the routes look at. Phase is the one in focus.
type situation struct {
	Task
	focus Phase
}

// route is a row of the routing table. The phase that choose returns, if it is
// set, is in focus.
type route struct {
	when     string
	fits     func(situation) bool
	choose   func(Task) (Phase, bool)
	step     string
	pipeline string
	reason   func(situation) string
	command  func(situation) string
}

// routes is the routing table (SP-3, with the rows that fix phases, failures
// and tasks that are not in progress need); the first row that fits wins.
func routes() []route {
	return []route{
		{
			when: "deleted", fits: func(s situation) bool { return s.Root == "" || s.Deleted },
			step: StepDone, reason: say("the task was deleted"), command: say(""),
		},
		{
			when: "ended", fits: func(s situation) bool { return s.Status.Terminal() },
			step: StepDone, reason: reasonEnded, command: commandEnded,
		},
		{
			when: "blocked", fits: statusIs(Blocked),
			step: StepUnblock, reason: func(s situation) string { return "blocked: " + s.Reason }, command: say("git brew start"),
		},
		{
			when: "pending", fits: statusIs(Pending),
			step: StepStart, reason: say("the task is not started"), command: say("git brew start"),
		},

		{
			when: "discussion, gray areas", fits: func(s situation) bool { return s.Stage == Discussion && s.Gray.Open > 0 },
			step: StepDiscuss, pipeline: PipelineMain, reason: reasonGray, command: say("git brew gray list"),
		},
		{
			when: "discussion", fits: stageIs(Discussion),
			step: StepResearch, pipeline: PipelineMain, reason: say("no gray area is open"), command: say("git brew stage research"),
		},
		{
			when: "research, no research document", fits: func(s situation) bool { return s.Stage == Research && !s.HasDoc(DocResearch) },
			step: StepResearch, pipeline: PipelineMain, reason: say("there is no research document"), command: say("git brew doc set research FILE"),
		},
		{
			when: "research", fits: stageIs(Research),
			step: StepPlan, pipeline: PipelineMain, reason: say("the research is there"), command: say("git brew stage planning"),
		},
		{
			when: "planning, no roadmap", fits: func(s situation) bool { return s.Stage == Planning && !s.HasDoc(DocRoadmap) },
			step: StepPlan, pipeline: PipelineMain, reason: say("there is no roadmap"), command: say("git brew doc set roadmap FILE"),
		},
		{
			when: "planning, no phases", fits: func(s situation) bool { return s.Stage == Planning && len(s.Phases) == 0 },
			step: StepPlan, pipeline: PipelinePhase, reason: say("the roadmap is there"), command: say("git brew phase add TITLE"),
		},
		{
			// Where every ready phase has its plan, what begins is execution, by
			// the rows below: to start a phase enters that stage.
			when: "planning, a phase is ready without a plan", fits: stageIs(Planning), choose: readyUnplanned,
			step: StepPlan, pipeline: PipelinePhase, reason: reasonUnplanned, command: commandPlan,
		},

		{
			when: "a phase is being worked on", choose: first(PhaseExecuting, PhaseHandoff), fits: focusIs(isReviewing),
			step: StepReview, pipeline: PipelinePhase, reason: reasonResume, command: commandExecuting,
		},
		{
			when: "a phase is being worked on", choose: first(PhaseExecuting, PhaseHandoff), fits: focusIs(isResearch),
			step: StepResearch, pipeline: PipelinePhase, reason: reasonResume, command: commandExecuting,
		},
		{
			when: "a phase is being worked on", choose: first(PhaseExecuting, PhaseHandoff), fits: anyFocus,
			step: StepExecute, pipeline: PipelinePhase, reason: reasonResume, command: commandExecuting,
		},
		{
			when: "a fix phase is ready, without a plan", choose: readyFix, fits: unplanned,
			step: StepPlan, pipeline: PipelinePhase, reason: reasonFix, command: commandPlan,
		},
		{
			when: "a fix phase is ready", choose: readyFix, fits: anyFocus,
			step: StepExecute, pipeline: PipelinePhase, reason: reasonFix, command: commandStart,
		},
		{
			when: "a review wants changes", choose: wantsChanges, fits: anyFocus,
			step: StepRevise, pipeline: PipelinePhase, reason: reasonRejected, command: commandRevise,
		},
		{
			when: "a verification is ready", choose: readyVerification, fits: anyFocus,
			step: StepReview, pipeline: PipelinePhase, reason: reasonVerify, command: commandStart,
		},
		{
			when: "a phase is executed", choose: first(PhaseExecuted), fits: anyFocus,
			step: StepReview, pipeline: PipelinePhase, reason: reasonReview, command: commandReview,
		},
		{
			when: "the final review is ready", choose: firstReady, fits: focusIs(isReviewing),
			step: StepReview, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
		},
		{
			when: "a research phase is ready", choose: firstReady, fits: focusIs(isResearch),
			step: StepResearch, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
		},
		{
			when: "a phase is ready, without a plan", choose: firstReady, fits: unplanned,
			step: StepPlan, pipeline: PipelinePhase, reason: reasonUnplanned, command: commandPlan,
		},
		{
			when: "a phase is ready", choose: firstReady, fits: anyFocus,
			step: StepExecute, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
		},
		{
			when: "a phase failed", choose: failedItself, fits: anyFocus,
			step: StepRetry, pipeline: PipelinePhase, reason: reasonFailed, command: commandStart,
		},
		{
			when: "phases wait for each other", choose: first(PhasePending, PhaseFailed), fits: anyFocus,
			step: StepWait, pipeline: PipelinePhase, reason: reasonWaits, command: say("git brew phase list"),
		},
		{
			when: "no phases", fits: func(s situation) bool { return len(s.Phases) == 0 && s.Stage != Complete },
			step: StepPlan, pipeline: PipelineMain, reason: say("there are no phases yet"), command: say("git brew phase add TITLE"),
		},
		{
			when: "all phases are completed", fits: func(situation) bool { return true },
			step: StepComplete, pipeline: PipelineMain, reason: say("every phase is completed"), command: say("git brew finish"),
		},
	}
}

// Next returns the step that the routing table gives for t.
func Next(t Task) Step {
	for _, r := range routes() {
		s := situation{Task: t}
		if r.choose != nil {
			var ok bool
			if s.focus, ok = r.choose(t); !ok {
				continue
			}
		}
		if !r.fits(s) {
			continue
		}
		step := Step{Step: r.step, Pipeline: r.pipeline, Phase: s.focus.ID, Reason: r.reason(s), Command: r.command(s)}
		if t.Status == Handoff {
			step.Reason, step.Command = "handed off; "+step.Reason, "git brew start"
		}
		return step
	}
	return Step{}
}

// Ready returns all phases whose work can begin now, in order.
func Ready(t Task) []Phase {
	var all []Phase
	for _, p := range t.Phases {
		if p.Status == PhasePending && len(t.blockers(p)) == 0 {
			all = append(all, p)
		}
	}
	return all
}

func say(s string) func(situation) string { return func(situation) string { return s } }

func statusIs(want Status) func(situation) bool {
	return func(s situation) bool { return s.Status == want }
}

func stageIs(want Stage) func(situation) bool {
	return func(s situation) bool { return s.Stage == want }
}

func anyFocus(situation) bool { return true }

func focusIs(fits func(Phase) bool) func(situation) bool {
	return func(s situation) bool { return fits(s.focus) }
}

func isReviewing(p Phase) bool { return p.Kind == KindVerification || p.Kind == KindFinalReview }

func isResearch(p Phase) bool { return p.Kind == KindResearch }

func unplanned(s situation) bool { return !s.HasDoc(PlanOf(s.focus.UID)) }

// first chooses the current phase if it has one of the statuses, else the
// first that has.
func first(statuses ...PhaseStatus) func(Task) (Phase, bool) {
	return func(t Task) (Phase, bool) {
		return t.pick(func(p Phase) bool { return slices.Contains(statuses, p.Status) })
	}
}

func (t Task) pick(fits func(Phase) bool) (Phase, bool) {
	if p, ok := t.CurrentPhase(); ok && fits(p) {
		return p, true
	}
	i := slices.IndexFunc(t.Phases, fits)
	if i < 0 {
		return Phase{}, false
	}
	return t.Phases[i], true
}

func firstReady(t Task) (Phase, bool) { return readyIf(t, func(Phase) bool { return true }) }

func readyUnplanned(t Task) (Phase, bool) {
	return readyIf(t, func(p Phase) bool { return !t.HasDoc(PlanOf(p.UID)) })
}

func readyFix(t Task) (Phase, bool) {
	return readyIf(t, func(p Phase) bool { return p.Kind == KindFix })
}

func readyVerification(t Task) (Phase, bool) {
	return readyIf(t, func(p Phase) bool { return p.Kind == KindVerification })
}

func readyIf(t Task, fits func(Phase) bool) (Phase, bool) {
	for _, p := range t.Phases {
		if fits(p) && p.Status == PhasePending && len(t.blockers(p)) == 0 {
			return p, true
		}
	}
	return Phase{}, false
}

func wantsChanges(t Task) (Phase, bool) {
	return t.pick(func(p Phase) bool {
		return p.Status == PhaseExecuted && p.Review == ReviewChanges && len(t.openFixesOf(p.UID)) == 0
	})
}

// failedItself chooses a phase that did not only fail with another one.
func failedItself(t Task) (Phase, bool) {
	return t.pick(func(p Phase) bool { return p.Status == PhaseFailed && p.FailedBy == "" })
}

func reasonEnded(s situation) string {
	reason := fmt.Sprintf("the task is %s", s.Status)
	if s.Reason != "" {
		reason += ": " + s.Reason
	}
	if s.Status != Finished {
		reason += "; whether it is taken up again is for a person to say"
	}
	return reason
}

// commandEnded shows what became of finished work. To take an ended task up
// again is no next step: whoever obeys next steps would undo a decision.
func commandEnded(s situation) string {
	if s.Status == Finished && s.HasDoc(DocFinal) {
		return "git brew show :final.md"
	}
	return ""
}

func reasonGray(s situation) string {
	return fmt.Sprintf("%d of %d gray areas are open", s.Gray.Open, s.Gray.Total)
}

func reasonResume(s situation) string {
	return fmt.Sprintf("phase %s is under way, iteration %d", s.focus.ID, s.focus.Iteration)
}

func reasonFix(s situation) string {
	parent, _ := s.Phase(s.focus.Parent)
	return fmt.Sprintf("phase %s repairs %s", s.focus.ID, parent.ID)
}

func reasonRejected(s situation) string {
	if s.focus.Reason == "" {
		return fmt.Sprintf("the review of %s wants changes", s.focus.ID)
	}
	return fmt.Sprintf("the review of %s wants changes: %s", s.focus.ID, s.focus.Reason)
}

func reasonVerify(s situation) string {
	parent, _ := s.Phase(s.focus.Parent)
	return fmt.Sprintf("phase %s is executed and has a verification", parent.ID)
}

func reasonReview(s situation) string {
	switch owing := MissingAgents(s.Task, s.focus); len(owing) {
	case 0:
	case 1:
		return fmt.Sprintf("phase %s is executed and the report of %s is missing", s.focus.ID, owing[0])
	default:
		return fmt.Sprintf("phase %s is executed and the reports of %s are missing", s.focus.ID, strings.Join(owing, ", "))
	}
	return fmt.Sprintf("phase %s is executed and not reviewed", s.focus.ID)
}

func reasonReady(s situation) string { return fmt.Sprintf("phase %s is ready", s.focus.ID) }

func reasonUnplanned(s situation) string {
	return fmt.Sprintf("phase %s is ready and has no plan", s.focus.ID)
}

func reasonFailed(s situation) string {
	return fmt.Sprintf("phase %s failed: %s", s.focus.ID, s.focus.Reason)
}

func reasonWaits(s situation) string {
	if waits := s.blockers(s.focus); len(waits) > 0 {
		return fmt.Sprintf("phase %s waits: %s", s.focus.ID, waits[0])
	}
	return fmt.Sprintf("phase %s is %s", s.focus.ID, s.focus.Status)
}

func commandPlan(s situation) string { return "git brew doc set phases/" + s.focus.ID + "/plan FILE" }

func commandStart(s situation) string { return "git brew phase start " + s.focus.ID }

func commandExecuting(s situation) string { return "git brew phase executed " + s.focus.ID }

func commandRevise(s situation) string { return "git brew phase revise " + s.focus.ID }

// commandReview asks for what is owed first.
func commandReview(s situation) string {
	if owing := MissingAgents(s.Task, s.focus); len(owing) > 0 {
		return "git brew report " + s.focus.ID + " --agent " + owing[0] + " FILE"
	}
	return "git brew phase review " + s.focus.ID + " --approve"
}
