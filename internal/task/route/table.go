package route

import (
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// noPlan is when the row fits that a task without phases is worked on as it is.
const noPlan = "no phases, and no plan is made"

// boardWaits is when the row fits that waits for the final review's board.
const boardWaits = "the final review is in review, and its board is not READY"

// specUnsaid is when the row fits that asks what is to be built.
const specUnsaid = "to be planned, and nothing says what is to be built"

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

// route is a row of the routing table. The phase that choose returns, if it is
// set, is in focus.
type route struct {
	when     string
	fits     func(situation) bool
	choose   func(view) (task.Phase, bool)
	step     string
	pipeline string
	reason   func(situation) string
	command  func(situation) string
	// skip says what is done without where the step is skipped; "" where it
	// never is. The row does not fit what was skipped.
	skip string
	// taker says who may take the step; nil: who works, where the step begins work, else
	// anybody.
	taker func(situation) Taker
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
	return []route{
		{
			when: "deleted", fits: func(s situation) bool { return s.Root == "" || s.Deleted },
			step: task.StepDone, reason: say("the task was deleted"), command: say(""),
		},
		{
			when: "a required hook failed after its step", choose: hookFailed, fits: anyFocus,
			step: task.StepHook, reason: reasonHook, command: say("git brew pipeline retry"),
			taker: takerHook,
		},
		{
			when: "ended", fits: func(s situation) bool { return s.Status.Terminal() },
			step: task.StepDone, reason: reasonEnded, command: commandEnded,
		},
		{
			when: "paused, and waits", fits: func(s situation) bool {
				return s.Status == task.Paused && s.Cause == task.CauseWaiting
			},
			step: task.StepStart, reason: reasonWaiting, command: say("git brew start"),
			taker: always(TakerUser),
		},
		{
			when: "pending", fits: statusIs(task.Pending),
			step: task.StepStart, reason: say("the task is not started"), command: say("git brew start"),
		},
		{
			when: "a text could not be merged", fits: inConflict,
			step: task.StepResolve, reason: reasonConflict, command: commandConflict,
		},

		{
			when: "clarify, questions", fits: both(stageIs(task.StageClarify), questionsOpen),
			step: task.StepClarify, pipeline: PipelineMain, reason: reasonQuestions, command: say("git brew question list"),
			skip:  "the questions stay open",
			taker: always(TakerUser),
		},
		{
			when: specUnsaid, fits: both(beforeWork, specOwed),
			step: task.StepClarify, pipeline: PipelineMain, reason: say("nothing says what is to be built"),
			command: say("git brew doc set spec -"),
			skip:    "nothing says what is to be built", taker: always(TakerUser),
		},
		{
			when: "clarify", fits: both(planned, researchOwed),
			step: task.StepResearch, pipeline: PipelineMain, reason: reasonDiscussed, command: say("git brew stage research"),
			skip: "there is no research",
		},
		{
			when: "clarify, research skipped, the board on the spec is not READY", fits: both(planned, planningHeld),
			step: task.StepReview, pipeline: PipelineMain, reason: reasonBoard(planningGate),
			command: commandBoard(planningGate), taker: takerBoard(planningGate),
		},
		{
			when: "clarify, research skipped", fits: planned,
			step: task.StepPlan, pipeline: PipelineMain, reason: reasonResearched, command: say("git brew stage plan"),
		},
		{
			when: "research, no research document", fits: both(stageIs(task.StageResearch), researchOwed),
			step: task.StepResearch, pipeline: PipelineMain, reason: say("there is no research document"),
			command: say("git brew doc set research -"),
			skip:    "there is no research",
		},
		{
			when: "research, the board on the spec is not READY", fits: both(stageIs(task.StageResearch), planningHeld),
			step: task.StepReview, pipeline: PipelineMain, reason: reasonBoard(planningGate),
			command: commandBoard(planningGate), taker: takerBoard(planningGate),
		},
		{
			when: "research", fits: stageIs(task.StageResearch),
			step: task.StepPlan, pipeline: PipelineMain, reason: reasonResearched, command: say("git brew stage plan"),
		},
		{
			when: "plan, no roadmap", fits: both(stageIs(task.StagePlan), roadmapOwed),
			step: task.StepPlan, pipeline: PipelineMain, reason: say("there is no roadmap"),
			command: say("git brew doc set roadmap -"),
			skip:    "there is no roadmap",
		},
		{
			when: "plan, no phases", fits: both(stageIs(task.StagePlan), noPhases),
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonRoadmap, command: commandAdd,
			adds: true,
		},
		{
			// Where every ready phase has its plan, what begins is execution, by
			// the rows below: to start a phase enters that stage.
			when: "plan, a phase is ready without a plan", fits: stageIs(task.StagePlan), choose: readyUnplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonUnplanned, command: commandPlan,
			skip: "the phase begins without a plan",
		},

		{
			// Which one is meant, only those who work on them know; see WorkOn.
			when: severalWorkedOn, fits: func(s situation) bool { return len(s.workedOn()) > 1 },
			step: task.StepExecute, pipeline: PipelinePhase, reason: reasonSeveral, command: commandSeveral,
			taker: takerSeveral,
		},
		{
			when: "a phase is being worked on", choose: underWay, fits: focusIs(isReviewing),
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonResume, command: commandDone,
			taker: always(TakerWorker),
		},
		{
			when: "a phase is being worked on", choose: underWay, fits: focusIs(isResearch),
			step: task.StepResearch, pipeline: PipelinePhase, reason: reasonResume, command: commandDone,
			taker: always(TakerWorker),
		},
		{
			when: "a phase is being worked on", choose: underWay, fits: anyFocus,
			step: task.StepExecute, pipeline: PipelinePhase, reason: reasonResume, command: commandDone,
			taker: always(TakerWorker),
		},
		{
			when: "a phase was tried too often", choose: spent, fits: anyFocus,
			step: task.StepEscalate, pipeline: PipelinePhase, reason: reasonSpent, command: commandEscalate,
			taker: always(TakerUser),
		},
		{
			when: planUnready, fits: workHeld,
			step: task.StepPlan, pipeline: PipelineMain, reason: reasonUnready, command: say("git brew doc check"),
			skip: "work begins on a plan that is not ready", taker: always(TakerUser),
		},
		{
			when: "work is to begin, and the board on spec or plan is not READY", fits: boardHeld,
			step: task.StepReview, pipeline: PipelineMain, reason: reasonBoard(workGate), command: commandBoard(workGate),
			taker: takerBoard(workGate),
		},
		{
			when: "a fix phase is ready, without a plan", choose: readyFix, fits: unplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonFix, command: commandPlan,
			skip: "the phase begins without a plan",
		},
		{
			when: "a fix phase is ready", choose: readyFix, fits: anyFocus,
			step: task.StepExecute, pipeline: PipelinePhase, reason: reasonFix, command: commandStart,
			begins: true,
		},
		{
			when: "research for a phase is ready", choose: readyResearch, fits: anyFocus,
			step: task.StepResearch, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
			begins: true,
		},
		{
			when: "a review wants changes", choose: wantsChanges, fits: anyFocus,
			step: task.StepRevise, pipeline: PipelinePhase, reason: reasonRejected, command: commandRevise,
			begins: true,
		},
		{
			when: "a verification is ready", choose: readyVerification, fits: anyFocus,
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonVerify, command: commandStart,
			begins: true,
		},
		{
			when: "a phase is in review, and failed its verification", choose: inReviewThat(failedAndFree), fits: anyFocus,
			step: task.StepRevise, pipeline: PipelinePhase, reason: reasonUnverified, command: commandRevise,
			begins: true,
		},
		{
			when: "a phase is in review, and owes its verification", choose: inReviewThat(rules.OwesVerification),
			fits: anyFocus,
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonUnverified, command: commandVerify,
			taker: always(TakerWorker),
		},
		{
			when: boardWaits, choose: finalReviewHeld, fits: anyFocus,
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonBoard(finalGate), command: commandBoard(finalGate),
			taker: takerBoard(finalGate),
		},
		{
			when: "a phase is in review", choose: inReviewThat(rules.UpForReview), fits: anyFocus,
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonReview, command: commandReview,
			taker: takerReview,
		},
		{
			when: "the final review is ready", choose: firstReady, fits: focusIs(isReviewing),
			step: task.StepReview, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
			begins: true,
		},
		{
			when: "a research phase is ready", choose: firstReady, fits: focusIs(isResearch),
			step: task.StepResearch, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
			begins: true,
		},
		{
			when: "a phase is ready, without a plan", choose: firstReady, fits: unplanned,
			step: task.StepPlan, pipeline: PipelinePhase, reason: reasonUnplanned, command: commandPlan,
			skip: "the phase begins without a plan",
		},
		{
			when: "a phase is ready", choose: firstReady, fits: anyFocus,
			step: task.StepExecute, pipeline: PipelinePhase, reason: reasonReady, command: commandStart,
			begins: true,
		},
		{
			when: "a phase failed, and was tried too often", choose: failedSpent, fits: anyFocus,
			step: task.StepEscalate, pipeline: PipelinePhase, reason: reasonSpent, command: commandEscalate,
			taker: always(TakerUser),
		},
		{
			when: "a phase failed", choose: failedItself, fits: anyFocus,
			step: task.StepRetry, pipeline: PipelinePhase, reason: reasonFailed, command: commandStart,
			begins: true,
		},
		{
			when: "phases wait for each other", choose: waiting, fits: anyFocus,
			step: task.StepWait, pipeline: PipelinePhase, reason: reasonWaits, command: say("git brew phase list"),
			idle:  true,
			taker: always(TakerUser),
		},
		{
			when: "all is done, and questions are open", fits: questionsOpen,
			step: task.StepClarify, pipeline: PipelineMain, reason: reasonQuestions, command: say("git brew question list"),
			skip: "the questions stay open", taker: always(TakerUser),
		},
		{
			when: noPlan, fits: func(s situation) bool {
				return len(s.Phases) == 0 && s.Stage != task.StageComplete && !Plans(s.Task)
			},
			step: task.StepExecute, pipeline: PipelineMain,
			reason: say("the task has no phases, and is finished when its work is done"), command: say("git brew finish"),
			taker: always(TakerWorker), idle: true,
		},
		{
			when: "no phases", fits: func(s situation) bool { return len(s.Phases) == 0 && s.Stage != task.StageComplete },
			step: task.StepPlan, pipeline: PipelineMain, reason: say("there are no phases yet"), command: commandAdd,
			adds: true,
			idle: true,
		},
		{
			when: "all phases are completed or dropped", fits: func(situation) bool { return true },
			step: task.StepComplete, pipeline: PipelineMain, reason: reasonCompleted, command: say("git brew finish"),
			idle:  true,
			taker: takerCompleted,
		},
	}
}

// routeOf is the first row that fits what v shows, and what it looks at.
func routeOf(v view) (route, situation, bool) {
	for _, r := range routes() {
		s := situation{view: v}
		if r.choose != nil {
			var ok bool
			if s.focus, ok = r.choose(v); !ok {
				continue
			}
		}
		if r.fits(s) {
			return r, s, true
		}
	}
	return route{}, situation{}, false
}
