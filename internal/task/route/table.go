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

// What several rows say.
const (
	skipQuestions = "the questions stay open"
	skipPlan      = "the phase begins without a plan"
	askAnswer     = "How is it answered?"
	askEscalate   = "What now? 'COMMAND' shows the ways."
	askRevise     = "Mend it?"
)

// view is a task as somebody looks at it: an answer may be about those of its
// phases alone that are theirs; about all of them where theirs is nil. Worker is the
// name that they claim under, "" for none. Freely: what holds up all work is left
// out.
type view struct {
	task.Task
	theirs func(task.Phase) bool
	worker string
	freely bool
}

// situation is what the routes look at. Phase is the one in focus.
type situation struct {
	view
	focus task.Phase
}

// route is a row of the routing table. It fits where choose finds a phase, which is then
// in focus, and fits holds; nil ones always do.
type route struct {
	when     string
	fits     func(situation) bool
	choose   func(view) (task.Phase, bool)
	step     string // "": what whoever takes the phase begins with
	pipeline string
	reason   func(situation) string
	command  func(situation) string
	// skip says what is done without where the step is skipped; "" where it
	// never is. The row does not fit what was skipped.
	skip string
	// taker says who may take the step, takerOf where that depends; else who works, where
	// the step begins work, else anybody.
	taker   Taker
	takerOf func(situation) Taker
	// ask is what the user is asked; "" for a question that fits the step.
	ask string
	// begins: to take the step begins work, which a plan that is not ready holds,
	// but for research.
	begins bool
	// adds: the step is to add the first phases.
	adds bool
	// idle: no phase has anything to be done about it.
	idle bool
}

// beginsWork: to take the step, about a phase, begins work beyond research. What
// mends research is no research itself.
func (r route) beginsWork(p task.Phase) bool {
	return r.begins && (p.Kind != task.KindResearch || !r.starts())
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
			when: "deleted", fits: func(s situation) bool { return s.Root == "" || s.Deleted },
			step: task.StepDone, reason: say("the task was deleted"), command: say(""),
		},
		{
			when: "a required hook failed after its step", choose: hookFailed,
			step: task.StepHook, reason: reasonHook, command: say("git brew pipeline retry"), takerOf: takerHook,
		},
		{
			when: "ended", fits: func(s situation) bool { return s.Status.Terminal() },
			step: task.StepDone, reason: reasonEnded, command: commandEnded,
		},
		{
			when: "paused, and waits", fits: waitsForAnswer,
			step: task.StepStart, reason: reasonWaiting, command: say("git brew start"), taker: TakerUser,
		},
		{
			when: "pending", fits: func(s situation) bool { return s.Status == task.Pending },
			step: task.StepStart, reason: say("the task is not started"), command: say("git brew start"),
		},
		{
			when: "a text could not be merged", fits: inConflict,
			step: task.StepResolve, reason: reasonConflict, command: commandConflict,
		},
	}
}

// planRoutes are the rows from the first question to the plan.
func planRoutes() []route {
	return []route{
		{
			when: "clarify, questions", fits: both(stageIs(task.StageClarify), owed(owesDiscussion)),
			step: task.StepClarify, pipeline: PipelineMain, reason: reasonQuestions, command: say("git brew question list"),
			skip: skipQuestions, taker: TakerUser, ask: askAnswer,
		},
		{
			when: "to be planned, and nothing says what is to be built", fits: both(beforeWork, owed(owesSpec)),
			step: task.StepClarify, pipeline: PipelineMain, reason: say("nothing says what is to be built"),
			command: say("git brew doc set spec -"), skip: "nothing says what is to be built", taker: TakerUser,
			ask: "What is to be built, and how is it known to be done?",
		},
		{
			when: "clarify", fits: both(planned, owed(owesResearch)),
			step: task.StepResearch, pipeline: PipelineMain, reason: reasonDiscussed, command: say("git brew stage research"),
			skip: "there is no research",
		},
		{
			when: "research, no research document", fits: both(stageIs(task.StageResearch), owed(owesResearch)),
			step: task.StepResearch, pipeline: PipelineMain, reason: say("there is no research document"),
			command: say("git brew doc set research -"), skip: "there is no research",
		},
		{
			when: "research is done or skipped, and the board on the spec is not READY", fits: both(toPlan, planningHeld),
			step: task.StepReview, pipeline: PipelineMain, reason: reasonBoard(planningGate),
			command: commandBoard(planningGate), takerOf: takerBoard(planningGate),
		},
		{
			when: "research is done or skipped", fits: toPlan,
			step: task.StepPlan, pipeline: PipelineMain, reason: reasonResearched, command: say("git brew stage plan"),
		},
		{
			when: "plan, no roadmap", fits: both(stageIs(task.StagePlan), owed(owesRoadmap)),
			step: task.StepPlan, pipeline: PipelineMain, reason: say("there is no roadmap"),
			command: say("git brew doc set roadmap -"), skip: "there is no roadmap",
		},
		{
			when: "plan, no phases", fits: both(stageIs(task.StagePlan), noPhases),
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonRoadmap, command: commandAdd, adds: true,
		},
		{
			// Where every ready phase has its plan, what begins is execution, by
			// the rows below: to start a phase enters that stage.
			when: "plan, a phase is ready without a plan", fits: stageIs(task.StagePlan), choose: readyUnplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonUnplanned, command: commandPlan, skip: skipPlan,
		},
	}
}

// phaseRoutes are the rows of a phase that is under way, or ready.
func phaseRoutes() []route { //nolint:funlen // a table
	return []route{
		{
			// Which one is meant, only those who work on them know; see WorkOn.
			when: severalWorkedOn, fits: func(s situation) bool { return len(s.workedOn()) > 1 },
			step: task.StepExecute, pipeline: PipelinePhase, reason: reasonSeveral, command: commandSeveral,
			takerOf: takerSeveral,
		},
		{
			when: "a phase is being worked on", choose: underWay,
			pipeline: PipelinePhase, reason: reasonResume, command: commandOn("phase done"), taker: TakerWorker,
		},
		{
			when: "a phase was tried too often", choose: spent,
			step: task.StepEscalate, pipeline: PipelinePhase, reason: reasonSpent, command: commandOn("escalate"),
			taker: TakerUser, ask: askEscalate,
		},
		{
			when: planUnready, fits: workHeld,
			step: task.StepPlan, pipeline: PipelineMain, reason: func(s situation) string { return s.Unready.String() },
			command: say("git brew doc check"), skip: "work begins on a plan that is not ready", taker: TakerUser,
			ask: "'git brew doc check' shows it. Is it mended first, or does work begin all the same?",
		},
		{
			when: "work is to begin, and the board on spec or plan is not READY", fits: boardHeld,
			step: task.StepReview, pipeline: PipelineMain, reason: reasonBoard(workGate), command: commandBoard(workGate),
			takerOf: takerBoard(workGate),
		},
		{
			when: "a fix phase is ready, without a plan", choose: readyOf(task.KindFix), fits: unplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonFix, command: commandPlan, skip: skipPlan,
		},
		{
			when: "a fix phase is ready", choose: readyOf(task.KindFix),
			step: task.StepExecute, pipeline: PipelinePhase, reason: reasonFix, command: commandStart, begins: true,
		},
		{
			when: "research for a phase is ready", choose: readyResearch,
			step: task.StepResearch, pipeline: PipelinePhase, reason: reasonReady, command: commandStart, begins: true,
		},
		{
			when: "a review wants changes", choose: wantsChanges,
			step: task.StepRevise, pipeline: PipelinePhase, reason: reasonRejected, command: commandRevise, begins: true,
			ask: askRevise,
		},
		{
			when: "a verification is ready", choose: readyOf(task.KindVerification),
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonVerify, command: commandStart, begins: true,
		},
		{
			when: "a phase is in review, and failed its verification", choose: inReviewThat(failedAndFree),
			step: task.StepRevise, pipeline: PipelinePhase, reason: reasonUnverified, command: commandRevise, begins: true,
			ask: askRevise,
		},
		{
			when: "a phase is in review, and owes its verification", choose: inReviewThat(rules.OwesVerification),
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonUnverified, command: commandOn("verify"),
			taker: TakerWorker,
		},
		{
			when: "the final review is in review, and its board is not READY", choose: finalReviewHeld,
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonBoard(finalGate), command: commandBoard(finalGate),
			takerOf: takerBoard(finalGate),
		},
		{
			when: "a phase is in review", choose: inReviewThat(rules.UpForReview),
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonReview, command: commandReview, takerOf: takerReview,
		},
		{
			when: "a phase is ready, without a plan", choose: firstReady, fits: unplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonUnplanned, command: commandPlan, skip: skipPlan,
		},
		{
			when: "a phase is ready", choose: firstReady,
			pipeline: PipelinePhase, reason: reasonReady, command: commandStart, begins: true,
		},
	}
}

// endRoutes are the rows of a task in which no phase is under way or ready.
func endRoutes() []route {
	return []route{
		{
			when: "a phase failed, and was tried too often", choose: failedSpent,
			step: task.StepEscalate, pipeline: PipelinePhase, reason: reasonSpent, command: commandOn("escalate"),
			taker: TakerUser, ask: askEscalate,
		},
		{
			when: "a phase failed", choose: failedItself,
			step: task.StepRetry, pipeline: PipelinePhase, reason: reasonFailed, command: commandStart, begins: true,
			ask: "Try again?",
		},
		{
			when: "phases wait for each other", choose: waiting,
			step: task.StepWait, pipeline: PipelinePhase, reason: reasonWaits, command: say("git brew phase list"),
			idle: true, taker: TakerUser, ask: "What goes first, or is dropped?",
		},
		{
			when: "all is done, and questions are open", fits: owed(owesDiscussion),
			step: task.StepClarify, pipeline: PipelineMain, reason: reasonQuestions, command: say("git brew question list"),
			skip: skipQuestions, taker: TakerUser, ask: askAnswer,
		},
		{
			when: "no phases, and no plan is made",
			fits: func(s situation) bool { return noPhases(s) && s.Stage != task.StageComplete && !Plans(s.Task) },
			step: task.StepExecute, pipeline: PipelineMain,
			reason: say("the task has no phases, and is finished when its work is done"), command: say("git brew finish"),
			taker: TakerWorker, ask: "Begin?", idle: true,
		},
		{
			when: "no phases", fits: func(s situation) bool { return noPhases(s) && s.Stage != task.StageComplete },
			step: task.StepPlan, pipeline: PipelineMain, reason: say("there are no phases yet"), command: commandAdd,
			adds: true, idle: true,
		},
		{
			when: "all phases are completed or dropped",
			step: task.StepComplete, pipeline: PipelineMain, reason: reasonCompleted, command: say("git brew finish"),
			idle: true, takerOf: takerCompleted, ask: "Finish the task?",
		},
	}
}

// routeOf is the first row that fits what v shows, and what it looks at.
func routeOf(v view) (route, situation) {
	for _, r := range routes() {
		s, ok := situation{view: v}, true
		if r.choose != nil {
			s.focus, ok = r.choose(v)
		}
		if ok && (r.fits == nil || r.fits(s)) {
			if r.step == "" {
				r.step = takes(s.focus)
			}
			return r, s
		}
	}
	return route{}, situation{} // never: the last row always fits
}
