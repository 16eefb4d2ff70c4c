package task_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
	"pgregory.net/rapid"
)

func hookRun(hook string, outcome HookOutcome, optional bool) HookRun {
	return HookRun{Hook: hook, Kind: "program", Optional: optional, Outcome: outcome, Detail: "exit status 1\nmore"}
}

// A required hook that failed after its step is what comes next until it passes,
// or somebody passes it over with a reason; one that failed before its step, and
// an optional one, hold nothing up.
func TestStepHook_SP6_whatHoldsThePipelineUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		when string
		run  HookRun
		open bool
	}{
		{"required, failed after it", HookPost, hookRun("ops/after", HookFailed, false), true},
		{"required, not trusted", HookPost, hookRun("ops/after", HookUntrusted, false), true},
		{"required, not there", HookPost, hookRun("ops/after", HookMissing, false), true},
		{"required, passed", HookPost, hookRun("ops/after", HookPassed, false), false},
		{"required, cut off", HookPost, hookRun("ops/after", HookDue, false), true},
		{"optional, cut off", HookPost, hookRun("ops/after", HookDue, true), false},
		{"a text to follow", HookPost, hookRun("ops/after.md", HookTold, false), false},
		{"optional, failed", HookPost, hookRun("ops/after", HookFailed, true), false},
		{"required, failed before it", HookPre, hookRun("ops/before", HookFailed, false), false},
	} {
		s := started(t)
		p := s.add(PhaseAddPayload{})
		s.do(OpStepHook, StepHookPayload{Step: StepExecute, Phase: p, When: tt.when, Runs: []HookRun{tt.run}})
		next := route.Next(s.t)
		if got := next.Step == StepHook; got != tt.open || got && next.Command != "git brew pipeline retry" {
			t.Errorf("%s: next is %+v", tt.name, next)
		}
		if tt.open != (len(s.t.OpenHooks()) == 1) {
			t.Errorf("%s: open are %+v", tt.name, s.t.OpenHooks())
		}
		if told := report.FinalReport(s.t, report.Story{}, ""); strings.Contains(told, "## Hooks around steps") == (tt.run.Outcome == HookPassed || tt.run.Outcome == HookTold) {
			t.Errorf("%s: %s", tt.name, told)
		}
	}
}

func TestStepHook_SP6_settled(t *testing.T) {
	t.Parallel()
	fail := func(s *story, p UID) UID {
		return s.do(OpStepHook, StepHookPayload{Step: StepExecute, Phase: p, When: HookPost, Runs: []HookRun{
			hookRun("ops/first", HookPassed, false), hookRun("ops/after", HookFailed, false),
		}})
	}
	s := started(t)
	one, two := s.add(PhaseAddPayload{}), s.add(PhaseAddPayload{})
	first := fail(s, one)
	if next := route.Next(s.t); next.Reason != "phase 1: post-execute: ops/after failed: exit status 1, ops/first passed" {
		t.Errorf("reason %q", next.Reason)
	}
	// Again, and it fails again: one record is open. Another phase's is another.
	second := fail(s, one)
	if open := s.t.OpenHooks(); len(open) != 1 || open[0].UID != second {
		t.Errorf("open are %+v", open)
	}
	other := fail(s, two)
	if open := s.t.OpenHooks(); len(open) != 2 {
		t.Errorf("open are %+v", open)
	}
	s.do(OpStepHook, StepHookPayload{Step: StepExecute, Phase: one, When: HookPost, Runs: []HookRun{hookRun("ops/after", HookPassed, false)}})
	if open := s.t.OpenHooks(); len(open) != 1 || open[0].UID != other {
		t.Errorf("open are %+v", open)
	}
	for _, p := range []HookSkipPayload{{Record: other}, {Record: first, Reason: "why"}, {Record: testUID(99), Reason: "why"}} {
		var refused *RefusedError
		if err := Check(s.t, s.next(OpHookSkip, p)); !errors.As(err, &refused) {
			t.Errorf("skip %+v: %v", p, err)
		}
	}
	s.do(OpHookSkip, HookSkipPayload{Record: other, Reason: "the linter is down"})
	if len(s.t.OpenHooks()) != 0 || route.Next(s.t).Step == StepHook {
		t.Errorf("open are %+v", s.t.OpenHooks())
	}
	told := report.FinalReport(s.t, report.Story{}, "")
	if !strings.Contains(told, "- phase 2: post-execute: ops/after failed: exit status 1; passed over: the linter is down\n") ||
		strings.Contains(told, "phase 1: post-execute") {
		t.Error(told)
	}
	// What was passed over at one end of the step is not at the next.
	fail(s, two)
	if len(s.t.OpenHooks()) != 1 {
		t.Error("it is passed over for ever")
	}
}

// What is due after a step is on record before it runs, and holds the pipeline up
// until the record says how it came out.
func TestStepHook_SP6_dueUntilItRan(t *testing.T) {
	t.Parallel()
	outcome := func(p, record UID, outcome HookOutcome) StepHookPayload {
		return StepHookPayload{Step: StepExecute, Phase: p, When: HookPost, Record: record, Runs: []HookRun{{Hook: "ops/after", Kind: "program", Outcome: outcome}}}
	}
	for _, tt := range []struct {
		name string
		then func(s *story, p, due UID)
		open string // the hooks that are waited for
	}{
		{"nothing more", func(*story, UID, UID) {}, "ops/after"},
		{"it passed", func(s *story, p, due UID) { s.do(OpStepHook, outcome(p, due, HookPassed)) }, ""},
		{"it failed", func(s *story, p, due UID) { s.do(OpStepHook, outcome(p, due, HookFailed)) }, "ops/after"},
		{"it failed, and passed when it ran again", func(s *story, p, due UID) {
			s.do(OpStepHook, outcome(p, due, HookFailed))
			s.do(OpStepHook, outcome(p, due, HookPassed))
		}, ""},
		{"it failed, and what comes behind it is due still", func(s *story, p, due UID) {
			two := outcome(p, due, HookFailed)
			two.Runs = append(two.Runs, HookRun{Hook: "ops/then", Kind: "program", Outcome: HookDue})
			s.do(OpStepHook, two)
			s.do(OpStepHook, outcome(p, due, HookPassed)) // and says nothing of that
		}, "ops/then"},
		{"what is told is another hook", func(s *story, p, due UID) {
			other := outcome(p, due, HookPassed)
			other.Runs[0].Hook = "ops/other"
			s.do(OpStepHook, other)
		}, "ops/after"},
		{"the step ends again, with nothing after it", func(s *story, p, _ UID) {
			other := outcome(p, "", HookTold)
			other.Runs[0].Hook = "ops/other.md"
			s.do(OpStepHook, other)
		}, "ops/after"},
		{"it failed as if it were optional", func(s *story, p, due UID) {
			other := outcome(p, due, HookFailed)
			other.Runs[0].Optional = true
			s.do(OpStepHook, other)
		}, "ops/after"},
		{"it is optional by now, and passed", func(s *story, p, due UID) {
			other := outcome(p, due, HookPassed)
			other.Runs[0].Optional = true
			s.do(OpStepHook, other)
		}, ""},
		{"somebody passed it over while it ran, and it failed", func(s *story, p, due UID) {
			s.do(OpHookSkip, HookSkipPayload{Record: due, Reason: "it hangs"})
			s.do(OpStepHook, outcome(p, due, HookFailed))
		}, ""},
		{"another step's outcome", func(s *story, p, due UID) {
			other := outcome(p, due, HookPassed)
			other.Step = StepReview
			s.do(OpStepHook, other)
		}, "ops/after"},
		{"the phase is worked on again", func(s *story, p, _ UID) { s.do(OpPhaseStart, PhasePayload{Phase: p}) }, ""},
		{"the task was given up", func(s *story, _, _ UID) { s.do(OpFinish, FinishPayload{Status: Cancelled, Reason: "nobody wants it"}) }, ""},
	} {
		s := started(t)
		p := s.add(PhaseAddPayload{})
		due := s.do(OpStepHook, outcome(p, "", HookDue))
		if next := route.Next(s.t); next.Reason != "phase 1: post-execute: ops/after is due: it runs just now, or was cut off" {
			t.Errorf("%s: %q", tt.name, next.Reason)
		}
		tt.then(s, p, due)
		var open []string
		for _, h := range s.t.OpenHooks() {
			for _, r := range h.Runs {
				if r.Stops() {
					open = append(open, r.Hook)
				}
			}
		}
		if strings.Join(open, " ") != tt.open {
			t.Errorf("%s: open are %v of %+v", tt.name, open, s.t.StepHooks)
		}
		if err := Validate(s.t); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// SP-6: a step that was taken back has not ended, and what follows it is not waited for.
func TestStepHook_SP6_takenBack(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	for _, tt := range []struct {
		step string
		of   UID
		was  func(*Task) // the state once it is taken back
		ends func(*Task)
	}{
		{StepClarify, "", func(t *Task) { t.Questions.Open = 1 }, func(t *Task) { t.Questions.Open = 0 }},
		{StepResearch, "", func(*Task) {}, func(t *Task) { t.Docs = map[DocName]Doc{DocResearch: {OID: commitA}} }},
		{StepPlan, "", func(*Task) {}, func(t *Task) { t.Docs = map[DocName]Doc{DocRoadmap: {OID: commitA}} }},
		{StepPlan, p, func(*Task) {}, func(t *Task) { t.Docs = map[DocName]Doc{PlanOf(p): {OID: commitA}} }},
		{StepExecute, p, func(t *Task) { t.Phases[0].Status = PhaseInProgress }, func(t *Task) { t.Phases[0].Status = PhaseInReview }},
		{StepReview, p, func(t *Task) { t.Phases[0].Status = PhaseInReview }, func(t *Task) { t.Phases[0].Review = ReviewChanges }},
		{StepRevise, p, func(*Task) {}, func(t *Task) { t.Phases = append(t.Phases, Phase{UID: testUID(7), Parent: p, Kind: KindFix}) }},
		{StepComplete, "", func(*Task) {}, func(t *Task) { t.Status = Finished }},
	} {
		is := s.t
		is.Phases = slices.Clone(s.t.Phases)
		is.StepHooks = []StepHooks{{UID: testUID(5), Step: tt.step, Phase: tt.of, When: HookPost, Runs: []HookRun{hookRun("ops/x", HookFailed, false)}}}
		for open, state := range []func(*Task){tt.was, tt.ends} {
			if state(&is); len(is.OpenHooks()) != open {
				t.Errorf("%s: %d are open, want %d", tt.step, len(is.OpenHooks()), open)
			}
		}
	}
}

// F10: what fails again as it did says nothing new; all else does.
func TestStepHook_SP6_tellsNew(t *testing.T) {
	t.Parallel()
	pre := func(outcome HookOutcome) StepHookPayload {
		return StepHookPayload{Step: StepExecute, When: HookPre, Runs: []HookRun{hookRun("ops/before", outcome, false)}}
	}
	other := pre(HookUntrusted)
	other.Step = StepReview
	for _, tt := range []struct {
		name       string
		have, come StepHookPayload
		want       bool
	}{
		{"the same failure", pre(HookUntrusted), pre(HookUntrusted), false},
		{"another failure", pre(HookUntrusted), pre(HookFailed), true},
		{"it passes", pre(HookUntrusted), pre(HookPassed), true},
		{"it passes again", pre(HookPassed), pre(HookPassed), true},
		{"another step", pre(HookUntrusted), other, true},
	} {
		s := started(t)
		if !tt.have.TellsNew(s.t) {
			t.Errorf("%s: the first one tells nothing", tt.name)
		}
		s.do(OpStepHook, tt.have)
		if got := tt.come.TellsNew(s.t); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// What a history from elsewhere may hold is bounded.
func TestStepHook_bounds(t *testing.T) {
	t.Parallel()
	good := StepHookPayload{Step: StepExecute, When: HookPost, Runs: []HookRun{hookRun("ops/after", HookPassed, false)}}
	for name, change := range map[string]func(*StepHookPayload){
		"no step":           func(p *StepHookPayload) { p.Step = "" },
		"a step that hides": func(p *StepHookPayload) { p.Step = "a\nb" },
		"no side":           func(p *StepHookPayload) { p.When = "during" },
		"no phase":          func(p *StepHookPayload) { p.Phase = testUID(77) },
		"no runs":           func(p *StepHookPayload) { p.Runs = nil },
		"many runs":         func(p *StepHookPayload) { p.Runs = make([]HookRun, MaxHookRuns+1) },
		"an outcome":        func(p *StepHookPayload) { p.Runs = []HookRun{hookRun("a", "maybe", false)} },
		"a path":            func(p *StepHookPayload) { p.Runs = []HookRun{hookRun("a\x1bb", HookPassed, false)} },
		"a long detail": func(p *StepHookPayload) {
			p.Runs = []HookRun{{Hook: "a", Kind: "program", Outcome: HookFailed, Detail: strings.Repeat("x", MaxHookDetail+1)}}
		},
	} {
		s := started(t)
		p := good
		change(&p)
		op := s.next(OpStepHook, p)
		if err := Check(s.t, op); err == nil {
			t.Errorf("%s: may be made", name)
		}
		if after, applied := Apply(s.t, op, s.texts); applied || len(after.StepHooks) > 0 {
			t.Errorf("%s: counts", name)
		}
	}
	s := started(t)
	failed := good
	failed.Runs = []HookRun{hookRun("ops/after", HookFailed, false)}
	s.do(OpStepHook, failed)
	for i := range MaxStepHooks + 5 {
		good.Step = fmt.Sprint("step", i)
		s.do(OpStepHook, good)
	}
	if n := len(s.t.StepHooks); n != MaxStepHooks || len(s.t.OpenHooks()) != 1 {
		t.Errorf("%d records, open %+v", n, s.t.OpenHooks())
	}
	for i := range s.t.StepHooks { // and where all wait, no more is taken
		s.t.StepHooks[i].Runs = []HookRun{hookRun(fmt.Sprint("ops/", i), HookFailed, false)}
	}
	good.Step = StepReview
	if _, applied := Apply(s.t, s.next(OpStepHook, good), s.texts); applied {
		t.Error("it takes one more")
	}
	failed.Step = s.t.StepHooks[3].Step // nor more of one step than a record holds
	for i := range MaxHookRuns + 1 {
		failed.Runs[0].Hook = fmt.Sprint("more/", i)
		after, applied := Apply(s.t, s.next(OpStepHook, failed), s.texts)
		if s.t = after; applied != (i < MaxHookRuns-1) {
			t.Errorf("hook %d: %t", i, applied)
		}
	}
	if err := Validate(s.t); err != nil {
		t.Error(err)
	}
	s.t.StepHooks[3].When = "x"
	if err := Validate(s.t); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

// stepHook runs what is around a step on a clone, or passes a failure over.
func (w *world) stepHook(t *rapid.T, c *clone, uid UID) {
	if open := c.state.OpenHooks(); len(open) > 0 && rapid.Bool().Draw(t, "pass over") {
		w.do(t, c, OpHookSkip, HookSkipPayload{Record: open[0].UID, Reason: "not now"})
		return
	}
	p := StepHookPayload{
		Step: rapid.SampledFrom([]string{StepExecute, StepReview}).Draw(t, "step"), Phase: uid,
		When: rapid.SampledFrom([]string{HookPre, HookPost, HookPost}).Draw(t, "side"),
	}
	for range rapid.IntRange(1, 3).Draw(t, "hooks") {
		p.Runs = append(p.Runs, hookRun("ops/x", rapid.SampledFrom(HookOutcomes).Draw(t, "outcome"), rapid.Bool().Draw(t, "optional")))
	}
	if n := len(c.state.StepHooks); n > 0 && rapid.Bool().Draw(t, "of a record") {
		of := c.state.StepHooks[rapid.IntRange(0, n-1).Draw(t, "record")]
		p.Step, p.Phase, p.When, p.Record = of.Step, of.Phase, of.When, of.UID
	}
	w.do(t, c, OpStepHook, p)
}
