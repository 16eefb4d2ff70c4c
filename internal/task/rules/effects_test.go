package rules_test

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// What each effect in the tables does: a state before, and what is to be seen after a
// row that has it. A row that has not leaves that as it was, so every row of the
// tables is walked with every effect.

const effectAt = "2026-03-01T12:00:00Z"

var taskEffects = map[TaskEffect]func(before, after task.Task) bool{
	MarkStarted:  func(_, t task.Task) bool { return t.StartedAt == effectAt },
	MarkPaused:   func(_, t task.Task) bool { return t.PausedAt == effectAt },
	MarkEnded:    func(_, t task.Task) bool { return t.FinishedAt == effectAt },
	MarkReason:   func(_, t task.Task) bool { return t.Reason == "why" },
	ClearEnd:     func(_, t task.Task) bool { return t.Reason == "" && t.FinishedAt == "" },
	PausePhases:  func(_, t task.Task) bool { return t.Phases[0].WorkSince == "" },
	ResumePhases: func(_, t task.Task) bool { return t.Phases[1].WorkSince == effectAt },
	CloseStage: func(before, t task.Task) bool {
		return before.Stage == task.StagePlan && t.Stage == task.StageComplete
	},
	ReopenStage: func(before, t task.Task) bool {
		return before.Stage == task.StageComplete && t.Stage == task.StageExecute
	},
}

func TestTaskTransitions_effects(t *testing.T) {
	t.Parallel()
	for _, row := range taskPairs() {
		for _, stage := range []task.Stage{task.StagePlan, task.StageComplete} {
			before := task.Task{
				Root: testUID(1), Status: row.from, Stage: stage, Reason: "was", FinishedAt: "2026-03-01T10:00:00Z",
				Phases: []task.Phase{
					{
						UID: testUID(1), ID: "1", Kind: task.KindExecution, Status: task.PhaseInProgress, Review: task.ReviewNone,
						WorkSince: "2026-03-01T10:00:00Z",
					},
					{UID: testUID(2), ID: "2", Kind: task.KindExecution, Status: task.PhaseInProgress, Review: task.ReviewNone},
				},
			}
			got, ok := FireTask(before, row.Event, effectAt, "why")
			if !ok || got.Status != row.To {
				t.Errorf("%s + %s is %s", row.from, row.Event, got.Status)
			}
			for effect, seen := range taskEffects {
				want := slices.Contains(row.Effects, effect)
				if effect == CloseStage && stage != task.StagePlan || effect == ReopenStage && stage != task.StageComplete {
					want = false
				}
				if got := seen(before, got); got != want {
					t.Errorf("%s + %s in %s: %q is %t", row.from, row.Event, stage, effect, got)
				}
			}
			again := before
			again.StartedAt = "2026-03-01T09:00:00Z"
			if again, _ = FireTask(again, row.Event, effectAt, ""); again.StartedAt != "2026-03-01T09:00:00Z" {
				t.Errorf("%s + %s: it started at %s once more", row.from, row.Event, again.StartedAt)
			}
		}
	}
}

// The phases around the one that a row is about.
var (
	effectParent   = testUID(1) // it is a fix of this
	effectPhase    = testUID(2)
	effectVerifies = testUID(3) // verifies it, and passed
	effectWaits    = testUID(4) // depends on it
	effectFell     = testUID(5) // failed with it
	effectOther    = testUID(6) // is worked on beside it
	// effectElsewhere is another phase's verification that passed.
	effectElsewhere = testUID(7)
	effectBelow     = testUID(8)  // belongs to it, and is to be done
	effectFix       = testUID(10) // a fix of it, which failed
)

var phaseEffects = map[PhaseEffect]func(before, after task.Phase, t task.Task) bool{
	KeepReason: func(_, p task.Phase, _ task.Task) bool { return p.Reason == "why" },
	CountIteration: func(was, p task.Phase, _ task.Task) bool {
		return p.Iteration == was.Iteration+1 && p.StartCommit == commitA && p.EndCommit == "" && p.ServiceEnds == nil &&
			p.Launched == nil && p.CompletedAt == "" && p.Claim == task.PhaseClaim{} && p.Errors == 0 && p.SeenRejection == 2
	},
	MakeCurrent: func(_, p task.Phase, t task.Task) bool { return t.Current == p.UID },
	ClockOn:     func(_, p task.Phase, _ task.Task) bool { return p.WorkSince == effectAt },
	ClockOff: func(was, p task.Phase, _ task.Task) bool {
		return p.WorkSince == "" && p.WorkedSeconds == was.WorkedSeconds+3600
	},
	MarkDone: func(_, p task.Phase, _ task.Task) bool {
		return p.EndCommit == commitB && p.ServiceEnds["api"] == commitB && p.MustEscalate
	},
	MarkCompleted: func(_, p task.Phase, _ task.Task) bool {
		return p.CompletedAt == effectAt && !p.MustEscalate && p.EndCommit == commitB && p.ServiceEnds["api"] == commitB
	},
	ClearReason:    func(_, p task.Phase, _ task.Task) bool { return p.Reason == "" && p.FailedBy == "" },
	EnterExecution: func(_, _ task.Phase, t task.Task) bool { return t.Stage == task.StageExecute },
	ClearRun: func(was, p task.Phase, _ task.Task) bool {
		return p.StartCommit == "" && p.EndCommit == "" && p.CompletedAt == "" && p.FailedBy == "" && p.Launched == nil &&
			p.ServiceStarts == nil && p.ServiceEnds == nil &&
			p.Claim == task.PhaseClaim{} && p.Deviations == nil && p.Iteration == was.Iteration
	},
	ClearDone: func(was, p task.Phase, _ task.Task) bool { return p.CompletedAt == "" && p.EndCommit == was.EndCommit },
	Cascade: func(_, p task.Phase, t task.Task) bool {
		d, _ := t.Phase(effectWaits)
		return d.Status == task.PhaseFailed && d.FailedBy == p.UID && d.Reason == "depends on "+p.ID
	},
	DropBelow: func(_, p task.Phase, t task.Task) bool {
		d, _ := t.Phase(effectBelow)
		return p.FailedBy == "" && d.Status == task.PhaseDropped && d.FailedBy == p.UID && d.Reason == "dropped with 1.1"
	},
	DropFailed: func(_, _ task.Phase, t task.Task) bool {
		d, _ := t.Phase(effectFix)
		return d.Status == task.PhaseDropped && d.Reason == "1.1 was completed without it"
	},
	Revive: func(_, _ task.Phase, t task.Task) bool {
		d, _ := t.Phase(effectFell)
		return d.Status == task.PhasePending && d.FailedBy == "" && d.Reason == ""
	},
	Reopen: func(_, _ task.Phase, t task.Task) bool {
		v, _ := t.Phase(effectVerifies)
		of, _ := t.Phase(effectElsewhere) // another phase's stays
		return v.Status == task.PhasePending && of.Status == task.PhaseCompleted
	},
	TellParent: func(_, _ task.Phase, t task.Task) bool {
		parent, _ := t.Phase(effectParent)
		return parent.Status == task.PhaseInReview && parent.Review == task.ReviewNone ||
			parent.Reason == "verification 1.1: why"
	},
	Unverify: func(_, p task.Phase, _ task.Task) bool { return p.Verified.Stale },
}

func TestPhaseTransitions_effects(t *testing.T) {
	t.Parallel()
	for _, row := range phasePairs() {
		for _, verdict := range verdictsOf(row.from) {
			if row.Of != AnyVerdict && row.Of != verdict {
				continue
			}
			before := aroundPhase(row.from, verdict, row.Event)
			i := slices.IndexFunc(before.Phases, func(p task.Phase) bool { return p.UID == effectPhase })
			name := string(row.from) + "/" + string(verdict) + " + " + string(row.Event)
			got, ok := FirePhase(before, effectPhase, row.Event, effectAt, "why", commitB, task.Commits{"api": commitB})
			if !ok {
				t.Errorf("%s does not happen", name)
				continue
			}
			after := got.Phases[i]
			if after.Status != row.To || after.Review != cmp.Or(row.Verdict, verdict) {
				t.Errorf("%s is %s/%s", name, after.Status, after.Review)
			}
			for effect, seen := range phaseEffects {
				want := slices.Contains(row.Effects, effect)
				// These have nothing to do elsewhere: nobody works, or the parent was done without it.
				if effect == ClockOff && row.from != task.PhaseInProgress ||
					effect == TellParent && row.from == task.PhaseFailed && row.To != task.PhaseDropped {
					want = false
				}
				if got := seen(before.Phases[i], after, got); got != want {
					t.Errorf("%s: %q is %t: %+v", name, effect, got, after)
				}
			}
			if now := aroundPhase(row.from, verdict, row.Event); !reflect.DeepEqual(before, now) {
				t.Errorf("%s changed the state it was given", name)
			}
		}
	}
	for effect := range phaseEffects {
		if !slices.ContainsFunc(PhaseTransitions, func(r PhaseTransition) bool {
			return slices.Contains(r.Effects, effect)
		}) {
			t.Errorf("no row has %q", effect)
		}
	}
}

// taskPair is a row of the table at one of the statuses that it is for; phasePair, too.
type taskPair struct {
	TaskTransition
	from task.Status
}

type phasePair struct {
	PhaseTransition
	from task.PhaseStatus
}

func taskPairs() []taskPair {
	var all []taskPair
	for _, row := range TaskTransitions {
		for _, from := range row.From {
			all = append(all, taskPair{row, from})
		}
	}
	return all
}

func phasePairs() []phasePair {
	var all []phasePair
	for _, row := range PhaseTransitions {
		for _, from := range row.From {
			all = append(all, phasePair{row, from})
		}
	}
	return all
}

// aroundPhase is a task with a phase that stands so, before an event, and with phases
// that each effect would be seen at.
func aroundPhase(status task.PhaseStatus, review task.Review, event PhaseEvent) task.Task {
	parent := task.Phase{
		UID: effectParent, ID: "1", Kind: task.KindExecution, Status: task.PhaseInReview,
		Review: task.ReviewChanges,
	}
	ends := event == EventReset || event == EventUndone || event == EventParted || event == EventRevise
	if ends && status != task.PhaseFailed { // of what completed it, and not of what it was completed without
		parent.Status, parent.Review = task.PhaseCompleted, task.ReviewApproved
	}
	p := task.Phase{
		UID: effectPhase, ID: "1.1", Kind: task.KindFix, Parent: effectParent, Fixes: effectParent, Status: status,
		Review: review, Reason: "was", FailedBy: effectOther,
		Iteration: 1, Launched: []string{"dev"}, Claim: task.PhaseClaim{UID: testUID(9)}, StartCommit: commitA,
		EndCommit: commitA, ServiceStarts: task.Commits{"api": commitA}, ServiceEnds: task.Commits{"api": commitA},
		StartedAt: "2026-03-01T08:00:00Z", CompletedAt: "2026-03-01T09:00:00Z", WorkedSeconds: 60,
		Verified: &task.Verified{Commit: commitA}, Errors: 1, MustEscalate: true,
		Deviations: []task.Deviation{{What: "a.go", Impact: task.ImpactHigh}},
	}
	if status == task.PhaseInProgress && event != EventResume {
		p.WorkSince = "2026-03-01T11:00:00Z"
	}
	return task.Task{
		Root: testUID(1), Status: task.InProgress, Stage: task.StagePlan, Current: effectOther,
		Phases: []task.Phase{
			parent, p,
			{
				UID: effectVerifies, ID: "1.1V", Kind: task.KindVerification, Parent: effectPhase, Status: task.PhaseCompleted,
				Review: task.ReviewApproved,
			},
			{
				UID: effectBelow, ID: "1.1R", Kind: task.KindResearch, Parent: effectPhase, Status: task.PhasePending,
				Review: task.ReviewNone,
			},
			{
				UID: effectFix, ID: "1.2", Kind: task.KindFix, Parent: effectParent, Fixes: effectPhase, Status: task.PhaseFailed,
				Review: task.ReviewNone,
			},
			{
				UID: effectWaits, ID: "4", Kind: task.KindExecution, Status: task.PhasePending, Review: task.ReviewNone,
				DependsOn: []task.UID{effectPhase},
			},
			{
				UID: effectFell, ID: "5", Kind: task.KindExecution, Status: task.PhaseFailed, Review: task.ReviewNone,
				FailedBy: effectPhase, Reason: "depends on 1.1",
			},
			{
				UID: effectOther, ID: "6", Kind: task.KindExecution, Status: task.PhaseInProgress, Review: task.ReviewNone,
				Rejection: &task.Rejection{N: 2, Of: effectOther, Reason: "no"},
			},
			{
				UID: effectElsewhere, ID: "6V", Kind: task.KindVerification, Parent: effectOther, Status: task.PhaseCompleted,
				Review: task.ReviewApproved,
			},
		},
	}
}

// BC-51: what falls with a phase that failed: what depends on it, what repairs or
// verifies it, and the whole that it is a part of. What it is only near to goes on.
func TestFallsWith_BC51(t *testing.T) {
	t.Parallel()
	work := task.Phase{UID: testUID(1), ID: "1", Kind: task.KindExecution}
	part := task.Phase{UID: testUID(2), ID: "1a", Kind: task.KindSplit, Parent: work.UID}
	fix := task.Phase{UID: testUID(3), ID: "1.1", Kind: task.KindFix, Parent: work.UID, Fixes: work.UID}
	again := task.Phase{UID: testUID(4), ID: "1.2", Kind: task.KindFix, Parent: work.UID, Fixes: fix.UID}
	verification := task.Phase{UID: testUID(5), ID: "1V", Kind: task.KindVerification, Parent: work.UID}
	research := task.Phase{UID: testUID(6), ID: "1R", Kind: task.KindResearch, Parent: work.UID}
	waits := task.Phase{UID: testUID(7), ID: "2", Kind: task.KindExecution, DependsOn: []task.UID{testUID(9), work.UID}}
	beside := task.Phase{UID: testUID(8), ID: "3", Kind: task.KindExecution}
	for _, tt := range []struct {
		p, failed task.Phase
		want      string
	}{
		{waits, work, "depends on 1"},
		{work, waits, ""},
		{beside, work, ""},
		{fix, work, "repairs 1"},
		{again, work, "repairs 1"},
		{again, fix, "repairs 1.1"},
		{fix, again, ""},
		{work, fix, ""},
		{verification, work, "verifies 1"},
		{work, verification, ""},
		{fix, verification, ""},
		{work, part, "depends on 1a"},
		{part, work, ""}, // one is done by its parts
		{research, work, ""},
		{work, research, ""},
		{waits, part, ""}, // it falls with the whole
	} {
		if got := FallsWith(tt.p, tt.failed); got != tt.want {
			t.Errorf("%s when %s fails: %q, want %q", tt.p.ID, tt.failed.ID, got, tt.want)
		}
	}
}

// A phase that is verified twice is completed by the last of both, and one in parts
// by the last part.
func TestTellParent_BC50_byTheLast(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	one, two := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p}),
		s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	s.complete(two)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.complete(one)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)

	whole := s.add(task.PhaseAddPayload{})
	a, b := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: whole}),
		s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: whole})
	s.complete(b)
	s.want(whole, task.PhasePending, task.ReviewNone)
	s.complete(a)
	s.want(whole, task.PhaseInReview, task.ReviewNone)
}

// The current phase is the one that was begun last; when that is done, what it belongs
// to, else the first that is under way.
func TestCurrent_S39(t *testing.T) {
	t.Parallel()
	s := started(t)
	current := func(want task.UID) {
		t.Helper()
		if s.t.Current != want {
			t.Errorf("current is %q, want %q", s.t.Current, want)
		}
	}
	one, two, three := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	current("")
	s.start(one)
	s.start(two)
	s.executed(two)
	s.start(three)
	current(three)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: three})
	current(one)
	s.reject(two, "wrong")
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: two})
	s.start(fix)
	current(fix)
	s.executed(fix)
	s.approve(fix)
	current(two)
	s.approve(two)
	current(one)
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: one, Reason: "no way"})
	current(one) // to be tried again
}
