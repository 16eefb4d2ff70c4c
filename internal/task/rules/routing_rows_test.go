package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// What the seed's table forgot: tasks that are not in progress, texts and
// reviews that wait, fixes, verifications, boards, hooks, failures. In the order
// of the table; each row makes its state from a task in progress.
var rowsBeside = []struct {
	when string
	make func(s *story)
	next string // step, pipeline and phase
	does string // the command
}{
	{"deleted", func(s *story) { s.do(task.OpDelete, task.EmptyPayload{}) }, "done", ""},
	{"a required hook failed after its step", func(s *story) {
		s.do(task.OpStepHook, task.StepHookPayload{
			Step: task.StepExecute, When: task.HookPost,
			Runs: []task.HookRun{hookRun("ops/x", task.HookFailed, false)},
		})
	}, "hook", "git brew pipeline retry"},
	{"ended", func(s *story) {
		s.do(task.OpFinish, task.FinishPayload{Status: task.Cancelled, Reason: "no need"})
	}, "done", ""},
	{"paused, and waits", func(s *story) {
		s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
	}, "start", "git brew start"},
	{"paused, and waits, with phases for workers", func(s *story) {
		s.do(task.OpPhaseStart, task.PhasePayload{Phase: s.planned(), Claimed: true, Worker: task.RunWorker})
		s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
	}, "start", "git brew run"},
	{"pending, with stories for workers", func(s *story) {
		*s = *newStory(s.TB)
		s.add(task.PhaseAddPayload{Acceptance: []string{"it answers"}, Verification: []string{"make test"}})
	}, "start", "git brew run"},
	{"a text could not be merged", func(s *story) {
		s.write(task.DocPlan, "one\n")
		s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, OID: s.texts.put("other\n")})
	}, "resolve", "git brew doc resolve plan -"},

	{"research is done or skipped, and the board on the spec is not READY", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify})
		s.skip(task.StepResearch, "")
		s.gap(task.DocSpec)
	}, "review main", "git brew remark resolve 1"},
	{"research is done or skipped", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify})
		s.skip(task.StepResearch, "")
	}, "plan main", "git brew stage plan"},
	{"research is done or skipped, and the board on the spec is not READY", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
		s.write(task.DocResearch, "found\n")
		s.gap(task.DocSpec)
	}, "review main", "git brew remark resolve 1"},
	{"plan, no phases", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
		s.skip(task.StepPlan, "")
	}, "plan phase-execution", "git brew phase add TITLE"},
	{"plan, no phases", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
		s.write(task.DocRoadmap, "## Phase 1: a\n")
		s.t.Unready.Plans = task.DocRoadmap // as the texts say
	}, "plan phase-execution", "git brew phase add --from roadmap"},
	{"plan, a phase is ready without a plan", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
		s.write(task.DocRoadmap, "1. a\n")
		s.planned()
		s.add(task.PhaseAddPayload{})
	}, "plan phase-execution 2", "git brew doc set phases/2/plan -"},

	{"a phase is with the workers", func(s *story) {
		s.do(task.OpPhaseStart, task.PhasePayload{Phase: s.planned(), Claimed: true, Worker: task.RunWorker})
	}, "execute phase-execution 1", "git brew run"},
	{"a verification is ready", func(s *story) { // which a person added meanwhile
		p := s.planned()
		s.do(task.OpPhaseStart, task.PhasePayload{Phase: p, Claimed: true, Worker: task.RunWorker})
		s.executed(p)
		s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	}, "review phase-execution 1V", "git brew phase start 1V"},
	{"several phases are being worked on", func(s *story) {
		a, b := s.planned(), s.planned()
		s.start(a)
		s.start(b)
	}, "execute phase-execution", "git brew phase done 1"},
	{"a phase is being worked on", func(s *story) {
		p := s.planned()
		v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
		s.start(p)
		s.executed(p)
		s.start(v)
	}, "review phase-execution 1V", "git brew phase done 1V"},
	{"a phase is being worked on", func(s *story) {
		s.start(s.add(task.PhaseAddPayload{Kind: task.KindResearch}))
	}, "research phase-execution R", "git brew phase done R"},
	{"a phase was tried too often", func(s *story) {
		p := s.planned()
		s.start(p)
		s.executed(p)
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p, Verdict: task.ReviewChanges, Reason: "again",
			MustEscalate: true,
		})
	}, "escalate phase-execution 1", "git brew escalate 1"},
	{"a phase was tried too often", func(s *story) {
		p := s.addExecuted(task.PhaseAddPayload{Verification: []string{"make test"}})
		s.do(task.OpPhaseVerify, task.VerifyPayload{
			Phase: p, Iteration: 1, Commit: commitB, Clean: true,
			Commands: []task.CommandRun{{Text: "make test", Exit: 1}}, MustEscalate: true,
		})
	}, "escalate phase-execution 1", "git brew escalate 1"},
	{"work is to begin, and the plan is not ready", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
		s.write(task.DocRoadmap, "1. {GOAL}\n")
		s.planned()
		s.t.Unready = task.NewUnready([]string{"roadmap:1: {GOAL} is not filled in"})
	}, "plan main", "git brew doc check"},
	{
		"a fix phase is ready, without a plan", func(s *story) { s.fix() }, "plan phase-execution 1.1",
		"git brew doc set phases/1.1/plan -",
	},
	{"a fix phase is ready", func(s *story) {
		s.write(task.PlanOf(s.fix()), "mend it\n")
	}, "execute phase-execution 1.1", "git brew phase start 1.1"},
	{"research for a phase is ready", func(s *story) {
		s.add(task.PhaseAddPayload{Kind: task.KindResearch, Parent: s.planned()})
	}, "research phase-execution 1R", "git brew phase start 1R"},
	{"a review wants changes", func(s *story) {
		p := s.planned()
		s.start(p)
		s.executed(p)
		s.reject(p, "wrong")
		s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff}) // also after a restart
		s.do(task.OpStart, task.StartPayload{})
	}, "revise phase-execution 1", "git brew phase revise 1"},
	{"a verification is ready", func(s *story) {
		p := s.planned()
		s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
		s.start(p)
		s.executed(p)
	}, "review phase-execution 1V", "git brew phase start 1V"},
	{
		"a phase is in review, and failed its verification", func(s *story) { s.verified(1) }, "revise phase-execution 1",
		"git brew phase revise 1",
	},
	{"a phase is in review, and owes its verification", func(s *story) {
		s.addExecuted(task.PhaseAddPayload{Verification: []string{"make test"}})
	}, "review phase-execution 1", "git brew verify 1"},
	{"the final review is in review, and its board is not READY", func(s *story) {
		s.addExecuted(task.PhaseAddPayload{Kind: task.KindFinalReview})
	}, "review phase-execution FR", "git brew remark confirm FR --reviewer reviewer"},
	{"a phase is in review", func(s *story) { s.verified(0) }, "review phase-execution 1", "git brew phase approve 1"},
	{"a phase is in review", func(s *story) {
		s.addExecuted(task.PhaseAddPayload{Agents: []string{"developer"}})
	}, "review phase-execution 1", "git brew report 1 --agent developer -"},
	{"work is to begin, and the board on spec or plan is not READY", func(s *story) {
		s.gap(task.DocPlan)
		s.planned()
	}, "review main", "git brew remark resolve 1"},
	{"a phase is ready", func(s *story) {
		s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	}, "review phase-execution FR", "git brew phase start FR"},
	{"a phase is ready", func(s *story) {
		s.add(task.PhaseAddPayload{Kind: task.KindResearch})
	}, "research phase-execution R", "git brew phase start R"},
	{"a phase failed, and was tried too often", func(s *story) {
		p := s.planned()
		s.start(p)
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no way", MustEscalate: true})
	}, "escalate phase-execution 1", "git brew escalate 1"},
	{"a phase is ready for its workers", func(s *story) {
		p := s.planned()
		s.start(p)
		s.do(task.OpPhaseTurn, task.TurnPayload{Phase: p, Iteration: 1, Turn: task.Turn{
			By: task.ByExecutive, Outcome: task.TurnBlocked, Reason: "no way",
		}})
		s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
	}, "execute phase-execution 1", "git brew run"},
	{"a phase failed with its workers", func(s *story) {
		p := s.planned()
		s.start(p)
		s.do(task.OpPhaseTurn, task.TurnPayload{Phase: p, Iteration: 1, Turn: task.Turn{
			By: task.ByExecutive, Outcome: task.TurnBlocked, Reason: "no way",
		}})
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no way"})
	}, "retry phase-execution 1", "git brew phase reset 1 -m ANSWER"},
	{"a phase failed with its workers", func(s *story) {
		p := s.planned()
		s.start(p)
		s.do(task.OpPhaseTurn, task.TurnPayload{Phase: p, Iteration: 1, Turn: task.Turn{
			By: task.ByExecutive, Outcome: task.TurnSilent, Reason: "no word",
		}})
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no way"})
	}, "retry phase-execution 1", "git brew phase reset 1"},
	{"a phase failed", func(s *story) {
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: s.planned(), Reason: "no way"})
	}, "retry phase-execution 1", "git brew phase start 1"},
	{"phases wait for each other", func(s *story) {
		one, two := s.planned(), s.planned()
		s.t.Phases[0].DependsOn, s.t.Phases[1].DependsOn = []task.UID{two}, []task.UID{one} // as two clones make it
	}, "wait phase-execution 1", "git brew phase list"},
	{"all is done, and questions are open", func(s *story) {
		s.complete(s.planned())
		s.write(task.DocContext, "# Open Questions\n- [ ] which?\n")
	}, "clarify main", "git brew question list"},
	{"no phases, and no plan is made", func(s *story) { s.bare() }, "execute main", "git brew finish"},
	{"to be planned, and nothing says what is to be built", func(s *story) {
		s.bare()
		s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
	}, "clarify main", "git brew doc set spec -"},
	{"no phases", func(*story) {}, "plan main", "git brew phase add TITLE"},
	{"all phases are completed or dropped", func(s *story) {
		s.do(task.OpStage, task.StagePayload{Stage: task.StageComplete})
	}, "complete main", "git brew finish"},
}

// specified is a task in progress that is planned before work begins.
func specified(tb testing.TB) *story {
	tb.Helper()
	s := started(tb)
	s.write(task.DocSpec, "what is to be built\n")
	return s
}

// bare makes it a task that nobody plans.
func (s *story) bare() {
	s.Helper()
	*s = *started(s.TB)
	s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify})
}

// gap writes a document in which two reviewers miss something.
func (s *story) gap(on task.DocName) {
	s.Helper()
	s.write(on, "text\n")
	s.do(task.OpRemarkAdd, task.RemarkAddPayload{
		On: task.BoardName(on), Reviewer: "ann", Severity: task.Critical,
		Text: "a gap",
	})
	s.do(task.OpRemarkVote, task.RemarkVotePayload{Remark: s.t.Remarks[0].UID, Reviewer: "bob", Reason: "yes"})
}

// fix is the fix phase of a phase that a review sent back.
func (s *story) fix() task.UID {
	p := s.planned()
	s.planned()
	s.start(p)
	s.executed(p)
	s.reject(p, "wrong")
	return s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
}

// verified adds a phase that was executed, and whose command ended so.
func (s *story) verified(exit int) {
	p := s.addExecuted(task.PhaseAddPayload{Verification: []string{"make test"}})
	s.do(task.OpPhaseVerify, task.VerifyPayload{
		Phase: p, Iteration: 1, Commit: commitB, Clean: true,
		Commands: []task.CommandRun{{Text: "make test", Exit: exit}},
	})
}

// SP-3, SP-10, SP-11, BC-36, BC-50: the rows beside the seed's.
func TestNext_SP3_rowsBeside(t *testing.T) {
	t.Parallel()
	for _, row := range rowsBeside {
		t.Run(row.when+": "+row.next, func(t *testing.T) {
			t.Parallel()
			s := specified(t)
			row.make(s)
			got := route.Next(s.t)
			if next := strings.Join(strings.Fields(got.Step+" "+got.Pipeline+" "+got.Phase), " "); got.Row != row.when ||
				next != row.next || got.Command != row.does || got.Reason == "" {
				t.Errorf("by the row %q: %+v; want by %q: %s, %s", got.Row, got, row.when, row.next, row.does)
			}
		})
	}
}

// Every row of the table is one that some state comes to, in one test or the
// other: a row that none reaches is shadowed by those above it.
func TestRoutes_everyRowIsReached(t *testing.T) {
	t.Parallel()
	reached := map[string]bool{}
	by := func(s *story) {
		next := route.Next(s.t)
		reached[next.Row+" "+next.Step] = true
	}
	for _, row := range seedTable {
		s := inStage(t, row.stage)
		seedStates[row.state](s)
		by(s)
	}
	for _, row := range rowsBeside {
		s := specified(t)
		row.make(s)
		by(s)
	}
	by(newStory(t))
	var never []string
	for _, r := range route.Rows() {
		if !reached[r.When+" "+r.Step] {
			never = append(never, r.When+" "+r.Step)
		}
	}
	if slices.Sort(never); len(never) > 0 {
		t.Errorf("no test comes to %q", never)
	}
}

// BR-24: what a run took up last goes on with a run: a phase that it did not come to, and after
// a pause. Where somebody took it up since, they go on by hand.
func TestNext_BR24_aRunGoesOn(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageExecute)
	s.planned()
	begins := s.next(task.OpStart, task.StartPayload{})
	begins.Session = task.RunPrefix + "1"
	s.force(begins)
	next := func(when, want string) {
		t.Helper()
		if got := route.Next(s.t); got.Command != want {
			t.Errorf("%s: next is %+v", when, got)
		}
	}
	next("a run took it up", route.CommandRun)
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	next("it was handed over", route.CommandRun)
	s.do(task.OpResume, task.EmptyPayload{})
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
	next("it waits", route.CommandRun)
	s.do(task.OpStart, task.StartPayload{})
	next("somebody took it up", "git brew phase start 1")
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
	next("it waits for them", "git brew start")
}

// A tier sends the first phase to workers; where a person began one, they go on by hand.
func TestNext_BR9_aTierIsForWorkers(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageExecute)
	first := s.add(task.PhaseAddPayload{Tier: task.TierJunior})
	s.write(task.PlanOf(first), "do it\n")
	if got := route.Next(s.t); got.Command != route.CommandRun {
		t.Errorf("next is %+v", got)
	}
	second := s.add(task.PhaseAddPayload{Tier: task.TierJunior})
	s.write(task.PlanOf(second), "do it\n")
	s.complete(first)
	if got := route.Next(s.t); got.Command != "git brew phase start 2" {
		t.Errorf("next is %+v", got)
	}
}

// BR-10: a tier of one phase has workers do that one alone; a task that was begun by hand goes on
// by hand after a pause.
func TestNext_BR10_aTierOfOnePhase(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageExecute)
	s.planned()
	third := s.add(task.PhaseAddPayload{Tier: task.TierJunior})
	s.write(task.PlanOf(third), "do it\n")
	if got := route.Next(s.t); got.Command != "git brew run --only 2" {
		t.Errorf("next is %+v", got)
	}
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	if got := route.Next(s.t); got.Command != "git brew run --only 2" {
		t.Errorf("after a pause, next is %+v", got)
	}
	s.do(task.OpResume, task.EmptyPayload{})
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
	if got := route.Next(s.t); got.Command != "git brew start" {
		t.Errorf("while it waits, next is %+v", got)
	}
}
