package route

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// planUnready is when the row fits that waits for the plan, severalWorkedOn when that of
// several phases under way does.
const (
	planUnready     = "work is to begin, and the plan is not ready"
	severalWorkedOn = "several phases are being worked on"
)

// What several rows say. Of what begins with "git brew", see route.command.
const (
	skipQuestions = "the questions stay open"
	skipPlan      = "the phase begins without a plan"
	askAnswer     = "What is your answer?"
	askEscalate   = "What now? 'COMMAND' shows the ways."
	askRevise     = "Mend it?"
	askRun        = "'COMMAND', in a terminal, goes on."

	isRepair    = "phase PHASE repairs PARENT"
	isReady     = "phase PHASE is ready"
	isUnplanned = "phase PHASE is ready and has no plan"

	doPlan     = "git brew doc set phases/PHASE/plan -"
	doStart    = "git brew phase start PHASE WORKER"
	doRevise   = "git brew phase revise PHASE WORKER"
	doEscalate = "git brew escalate PHASE"
)

// CommandRun has workers begin, or go on; commandBegin a task's work without them.
const (
	CommandRun   = "git brew run"
	runOnly      = CommandRun + " --only "
	commandBegin = "git brew start"
)

// route is a row of the routing table. It fits where all that it asks for holds.
type route struct {
	when string
	// stages are those in which the row fits; none: any.
	stages []task.Stage
	task   func(task.Task) bool
	// status, kind and phase say what phase the row is about: the current one where it
	// fits, else the first that does. A pending one has to be free. Without status and
	// phase the row is about the task.
	status task.PhaseStatus
	kind   task.PhaseKind
	phase  func(task.Task, task.Phase) bool
	// board says which board holds the step up, and why.
	board func(situation) (task.BoardName, error)
	fits  func(situation) bool

	step     string // "": what whoever takes the phase begins with
	pipeline string
	// reason and command tell the step; PHASE, PARENT and WORKER stand in them for the
	// phase, the one that it belongs to, and which worker asks. What hangs on more, say says.
	reason, command string
	say             func(situation, *Step)
	// skip says what is done without where the step is skipped; "" where it
	// never is. The row does not fit what was skipped.
	skip string
	// taker says who may take the step; else who works, where the step begins work, else
	// anybody.
	taker Taker
	// ask is what the user is asked; "" for a question that fits the step.
	ask string
	// begins: to take the step begins work, which a plan that is not ready holds,
	// but for research.
	begins bool
	// idle: no phase has anything to be done about it.
	idle bool
}

// starts: to take the step is to start the phase in focus.
func (r route) starts() bool { return r.begins && r.step != task.StepRevise }

// routes is the routing table (SP-3, with the rows that fix phases, failures
// and tasks that are not in progress need); the first row that fits wins.
func routes() []route {
	return slices.Concat(taskRoutes(), planRoutes(), phaseRoutes(), endRoutes())
}

// taskRoutes are the rows of a task that nobody can work on as it is.
func taskRoutes() []route {
	return []route{
		{
			when: "deleted", task: func(t task.Task) bool { return t.Root == "" || t.Deleted },
			step: task.StepDone, reason: "the task was deleted",
		},
		{
			when: "a required hook failed after its step", task: func(t task.Task) bool { return len(t.OpenHooks()) > 0 },
			step: task.StepHook, command: "git brew pipeline retry", say: sayHook,
		},
		{
			when: "ended", task: func(t task.Task) bool { return t.Status.Terminal() },
			step: task.StepDone, say: sayEnded,
		},
		{
			when: "paused, and waits, with phases for workers", task: leftByRun,
			step: task.StepStart, command: CommandRun, taker: TakerUser, say: sayPaused, ask: askRun,
		},
		{
			when: "paused, and waits", task: waits,
			step: task.StepStart, command: commandBegin, taker: TakerUser, say: sayPaused,
		},
		{
			when: "pending, with stories for workers", task: hasStories,
			step: task.StepStart, reason: "the task is not started, and workers can carry out its phases",
			command: CommandRun,
		},
		{
			when: "pending", task: func(t task.Task) bool { return t.Status == task.Pending },
			step: task.StepStart, reason: "the task is not started", command: commandBegin,
		},
		{
			when: "a text could not be merged", task: inConflict,
			step: task.StepResolve, say: sayConflict,
		},
	}
}

// planRoutes are the rows from the first question to the plan.
func planRoutes() []route {
	clarify, research, plan := task.StageClarify, task.StageResearch, task.StagePlan
	return []route{
		{
			when: "questions", stages: []task.Stage{clarify, research, plan}, task: owesDiscussion,
			step: task.StepClarify, pipeline: PipelineMain, command: "git brew question list", say: sayQuestions,
			skip: skipQuestions, taker: TakerUser, ask: askAnswer,
		},
		{
			when: "to be planned, and nothing says what is to be built", stages: []task.Stage{clarify, research, plan},
			task: owesSpec,
			step: task.StepClarify, pipeline: PipelineMain, reason: "nothing says what is to be built",
			command: "git brew doc set spec -", skip: "nothing says what is to be built", taker: TakerUser,
			ask: "What is to be built, and how is it known to be done?",
		},
		{
			when: "clarify", stages: []task.Stage{clarify}, task: owesResearch,
			step: task.StepResearch, pipeline: PipelineMain, command: "git brew stage research", say: sayDiscussed,
			skip: "there is no research",
		},
		{
			when: "research, no research document", stages: []task.Stage{research}, task: owesResearch,
			step: task.StepResearch, pipeline: PipelineMain, reason: "there is no research document",
			command: "git brew doc set research -", skip: "there is no research",
		},
		{
			when:   "research is done or skipped, and the board on the spec is not READY",
			stages: []task.Stage{clarify, research}, task: Plans, board: boardBefore(plan),
			step: task.StepReview, pipeline: PipelineMain,
		},
		{
			when: "research is done or skipped", stages: []task.Stage{clarify, research}, task: Plans,
			step: task.StepPlan, pipeline: PipelineMain, command: "git brew stage plan", say: sayResearched,
		},
		{
			when: "plan, no roadmap", stages: []task.Stage{plan}, task: owesRoadmap,
			step: task.StepPlan, pipeline: PipelineMain, reason: "there is no roadmap",
			command: "git brew doc set roadmap -", skip: "there is no roadmap",
		},
		{
			when: "plan, no phases", stages: []task.Stage{plan}, task: noPhases,
			step: task.StepPlan, pipeline: PipelinePhase, say: sayRoadmap,
		},
		{
			// Where every ready phase has its plan, what begins is execution, by
			// the rows below: to start a phase enters that stage.
			when: "plan, a phase is ready without a plan", stages: []task.Stage{plan},
			status: task.PhasePending, phase: owesPlan,
			step: task.StepPlan, pipeline: PipelinePhase, reason: isUnplanned, command: doPlan, skip: skipPlan,
		},
	}
}

// phaseRoutes are the rows of a phase that is under way, or ready.
func phaseRoutes() []route { //nolint:funlen // a table
	return []route{
		{
			when: "a phase is with the workers", phase: withWorkers,
			step: task.StepExecute, pipeline: PipelinePhase,
			reason:  "phase PHASE was begun by a worker, and none is at it here",
			command: CommandRun,
			taker:   TakerUser, ask: askRun,
		},
		{
			// Which one is meant, only those who work on them know; see WorkOn.
			when: severalWorkedOn, fits: func(s situation) bool { return len(s.workedOn()) > 1 },
			step: task.StepExecute, pipeline: PipelinePhase, say: saySeveral,
		},
		{
			when: "a phase is being worked on", status: task.PhaseInProgress, phase: canBeDone,
			pipeline: PipelinePhase, command: "git brew phase done PHASE", say: sayResume, taker: TakerWorker,
		},
		{
			when: "a phase was tried too often", phase: spent,
			step: task.StepEscalate, pipeline: PipelinePhase, command: doEscalate, say: because(rules.SpentReason),
			taker: TakerUser, ask: askEscalate,
		},
		{
			when: planUnready, fits: workHeld,
			step: task.StepPlan, pipeline: PipelineMain, command: "git brew doc check",
			say:  func(s situation, step *Step) { step.Reason = s.Unready.String() },
			skip: "work begins on a plan that is not ready", taker: TakerUser,
			ask: "'git brew doc check' shows it. Is it mended first, or does work begin all the same, " +
				"by 'git brew next --skip plan -m WHY'?",
		},
		{
			when: "work is to begin, and the board on spec or plan is not READY", fits: firstHeld,
			board: boardBefore(task.StageExecute), step: task.StepReview, pipeline: PipelineMain,
		},
		{
			when: "a fix phase is ready, without a plan", status: task.PhasePending, kind: task.KindFix, fits: unplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: isRepair, command: doPlan, skip: skipPlan,
		},
		{
			when: "a fix phase is ready", status: task.PhasePending, kind: task.KindFix,
			step: task.StepExecute, pipeline: PipelinePhase, reason: isRepair, command: doStart, begins: true,
		},
		{
			when: "research for a phase is ready", status: task.PhasePending, kind: task.KindResearch, phase: ofAnother,
			step: task.StepResearch, pipeline: PipelinePhase, reason: isReady, command: doStart, begins: true,
		},
		{
			when: "a review wants changes", status: task.PhaseInReview, phase: wantsChanges,
			step: task.StepRevise, pipeline: PipelinePhase, command: doRevise, say: sayRejected, begins: true, ask: askRevise,
		},
		{
			when: "a verification is ready", status: task.PhasePending, kind: task.KindVerification,
			step: task.StepReview, pipeline: PipelinePhase, reason: "phase PARENT is in review and has a verification",
			command: doStart, begins: true,
		},
		{
			when: "a phase is in review, and failed its verification", status: task.PhaseInReview, phase: failedVerification,
			step: task.StepRevise, pipeline: PipelinePhase, command: doRevise, say: because(rules.VerificationReason),
			begins: true, ask: askRevise,
		},
		{
			when: "a phase is in review, and owes its verification", status: task.PhaseInReview, phase: rules.OwesVerification,
			step: task.StepReview, pipeline: PipelinePhase, command: "git brew verify PHASE",
			say: because(rules.VerificationReason), taker: TakerWorker,
		},
		{
			when:   "the final review is in review, and its board is not READY",
			status: task.PhaseInReview, kind: task.KindFinalReview, phase: noOpenFix, board: finalBoard,
			step: task.StepReview, pipeline: PipelinePhase,
		},
		{
			when: "a phase is in review", status: task.PhaseInReview, phase: rules.UpForReview,
			step: task.StepReview, pipeline: PipelinePhase, reason: "phase PHASE is in review",
			command: commandApprove + "PHASE", say: sayReview, taker: TakerJudge,
		},
		{
			when: "a phase is ready, without a plan", status: task.PhasePending, fits: unplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: isUnplanned, command: doPlan, skip: skipPlan,
		},
		{
			when: "a phase is ready for its workers", status: task.PhasePending, phase: workersTask,
			step: task.StepExecute, pipeline: PipelinePhase, reason: isReady, say: sayRun,
			taker: TakerUser, ask: askRun, begins: true,
		},
		{
			when: "a phase is ready", status: task.PhasePending,
			pipeline: PipelinePhase, reason: isReady, command: doStart, begins: true,
		},
	}
}

// endRoutes are the rows of a task in which no phase is under way or ready.
func endRoutes() []route {
	// What waits comes before what is in review, where both are left.
	waits := route{
		when: "phases wait for each other", phase: waiting,
		step: task.StepWait, pipeline: PipelinePhase, command: "git brew phase list", say: sayWaits,
		idle: true, taker: TakerUser, ask: "What goes first, or is dropped?",
	}
	inReview := waits
	inReview.phase, inReview.status = nil, task.PhaseInReview
	return []route{
		{
			when: "a phase failed, and was tried too often", status: task.PhaseFailed, phase: failedSpent,
			step: task.StepEscalate, pipeline: PipelinePhase, command: doEscalate, say: because(rules.SpentReason),
			taker: TakerUser, ask: askEscalate,
		},
		{
			when: "a phase failed with its workers", status: task.PhaseFailed, phase: failedWithWorkers,
			step: task.StepRetry, pipeline: PipelinePhase, say: sayGivenUp,
			taker: TakerUser, ask: "Is what was in its way gone?",
		},
		{
			when: "a phase failed", status: task.PhaseFailed, phase: failedItself,
			step: task.StepRetry, pipeline: PipelinePhase, command: doStart, say: sayFailed, begins: true,
			ask: "Try again?",
		},
		waits,
		inReview,
		{
			when: "all is done, and questions are open", task: owesDiscussion,
			step: task.StepClarify, pipeline: PipelineMain, command: "git brew question list", say: sayQuestions,
			skip: skipQuestions, taker: TakerUser, ask: askAnswer,
		},
		{
			when: "no phases, and no plan is made",
			task: func(t task.Task) bool { return noPhases(t) && t.Stage != task.StageComplete && !Plans(t) },
			step: task.StepExecute, pipeline: PipelineMain, command: "git brew finish",
			reason: "the task has no phases, and is finished when its work is done",
			taker:  TakerWorker, ask: "Begin?", idle: true,
		},
		{
			when: "no phases", task: func(t task.Task) bool { return noPhases(t) && t.Stage != task.StageComplete },
			step: task.StepPlan, pipeline: PipelineMain, reason: "there are no phases yet", idle: true,
			say: func(s situation, step *Step) { step.Command = CommandAdd(s.Task) },
		},
		{
			when: "all phases are completed or dropped",
			step: task.StepComplete, pipeline: PipelineMain, command: "git brew finish", say: sayCompleted,
			idle: true, taker: TakerWorker, ask: "Finish the task?",
		},
	}
}
