package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

func hookRun(hook string, outcome task.HookOutcome, optional bool) task.HookRun {
	return task.HookRun{Hook: hook, Kind: "program", Optional: optional, Outcome: outcome, Detail: "exit status 1\nmore"}
}

// A required hook that failed after its step is what comes next until it passes,
// or somebody passes it over with a reason; one that failed before its step, and
// an optional one, hold nothing up.
func TestStepHook_SP6_whatHoldsThePipelineUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		when string
		run  task.HookRun
		open bool
	}{
		{"required, failed after it", task.HookPost, hookRun("ops/after", task.HookFailed, false), true},
		{"required, not trusted", task.HookPost, hookRun("ops/after", task.HookUntrusted, false), true},
		{"required, not there", task.HookPost, hookRun("ops/after", task.HookMissing, false), true},
		{"required, passed", task.HookPost, hookRun("ops/after", task.HookPassed, false), false},
		{"required, cut off", task.HookPost, hookRun("ops/after", task.HookDue, false), true},
		{"optional, cut off", task.HookPost, hookRun("ops/after", task.HookDue, true), false},
		{"a text to follow", task.HookPost, hookRun("ops/after.md", task.HookTold, false), false},
		{"optional, failed", task.HookPost, hookRun("ops/after", task.HookFailed, true), false},
		{"required, failed before it", task.HookPre, hookRun("ops/before", task.HookFailed, false), false},
	} {
		s := started(t)
		p := s.add(task.PhaseAddPayload{})
		s.do(task.OpStepHook, task.StepHookPayload{
			Step: task.StepExecute, Phase: p, When: tt.when,
			Runs: []task.HookRun{tt.run},
		})
		next := route.Next(s.t)
		if got := next.Step == task.StepHook; got != tt.open || got && next.Command != "git brew pipeline retry" {
			t.Errorf("%s: next is %+v", tt.name, next)
		}
		if tt.open != (len(s.t.OpenHooks()) == 1) {
			t.Errorf("%s: open are %+v", tt.name, s.t.OpenHooks())
		}
	}
}

func TestStepHook_SP6_settled(t *testing.T) {
	t.Parallel()
	fail := func(s *story, p task.UID) task.UID {
		return s.do(task.OpStepHook, task.StepHookPayload{
			Step: task.StepExecute, Phase: p, When: task.HookPost,
			Runs: []task.HookRun{
				hookRun("ops/first", task.HookPassed, false), hookRun("ops/after", task.HookFailed, false),
			},
		})
	}
	s := started(t)
	one, two := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	first := fail(s, one)
	if next := route.Next(s.t); next.Reason != "phase 1: post-execute: ops/after failed: exit status 1" {
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
	s.do(task.OpStepHook, task.StepHookPayload{
		Step: task.StepExecute, Phase: one, When: task.HookPost,
		Runs: []task.HookRun{hookRun("ops/after", task.HookPassed, false)},
	})
	if open := s.t.OpenHooks(); len(open) != 1 || open[0].UID != other {
		t.Errorf("open are %+v", open)
	}
	for _, p := range []task.HookSkipPayload{
		{Record: other},
		{Record: first, Reason: "why"},
		{Record: testUID(99), Reason: "why"},
	} {
		var refused *task.RefusedError
		if err := Check(s.t, s.next(task.OpHookSkip, p)); !errors.As(err, &refused) {
			t.Errorf("skip %+v: %v", p, err)
		}
	}
	s.do(task.OpHookSkip, task.HookSkipPayload{Record: other, Reason: "the linter is down"})
	if len(s.t.OpenHooks()) != 0 || route.Next(s.t).Step == task.StepHook {
		t.Errorf("open are %+v", s.t.OpenHooks())
	}
	told := report.FinalReport(s.t, report.Story{}, "")
	if !strings.Contains(told, "- phase 2: post-execute: ops/after failed: exit status 1; passed over: the linter "+
		"is down\n") ||
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
	outcome := func(p, record task.UID, outcome task.HookOutcome) task.StepHookPayload {
		return task.StepHookPayload{
			Step: task.StepExecute, Phase: p, When: task.HookPost, Record: record,
			Runs: []task.HookRun{{Hook: "ops/after", Kind: "program", Outcome: outcome}},
		}
	}
	for _, tt := range []struct {
		name string
		then func(s *story, p, due task.UID)
		open string // the hooks that are waited for
	}{
		{"nothing more", func(*story, task.UID, task.UID) {}, "ops/after"},
		{"it passed", func(s *story, p, due task.UID) { s.do(task.OpStepHook, outcome(p, due, task.HookPassed)) }, ""},
		{"it failed", func(s *story, p, due task.UID) {
			s.do(task.OpStepHook, outcome(p, due, task.HookFailed))
		}, "ops/after"},
		{"it failed, and passed when it ran again", func(s *story, p, due task.UID) {
			s.do(task.OpStepHook, outcome(p, due, task.HookFailed))
			s.do(task.OpStepHook, outcome(p, due, task.HookPassed))
		}, ""},
		{"it failed, and what comes behind it is due still", func(s *story, p, due task.UID) {
			two := outcome(p, due, task.HookFailed)
			two.Runs = append(two.Runs, task.HookRun{Hook: "ops/then", Kind: "program", Outcome: task.HookDue})
			s.do(task.OpStepHook, two)
			s.do(task.OpStepHook, outcome(p, due, task.HookPassed)) // and says nothing of that
		}, "ops/then"},
		{"what is told is another hook", func(s *story, p, due task.UID) {
			other := outcome(p, due, task.HookPassed)
			other.Runs[0].Hook = "ops/other"
			s.do(task.OpStepHook, other)
		}, "ops/after"},
		{"the step ends again, with nothing after it", func(s *story, p, _ task.UID) {
			other := outcome(p, "", task.HookTold)
			other.Runs[0].Hook = "ops/other.md"
			s.do(task.OpStepHook, other)
		}, "ops/after"},
		{"it failed as if it were optional", func(s *story, p, due task.UID) {
			other := outcome(p, due, task.HookFailed)
			other.Runs[0].Optional = true
			s.do(task.OpStepHook, other)
		}, "ops/after"},
		{"it is optional by now, and passed", func(s *story, p, due task.UID) {
			other := outcome(p, due, task.HookPassed)
			other.Runs[0].Optional = true
			s.do(task.OpStepHook, other)
		}, ""},
		{"somebody passed it over while it ran, and it failed", func(s *story, p, due task.UID) {
			s.do(task.OpHookSkip, task.HookSkipPayload{Record: due, Reason: "it hangs"})
			s.do(task.OpStepHook, outcome(p, due, task.HookFailed))
		}, ""},
		{"another step's outcome", func(s *story, p, due task.UID) {
			other := outcome(p, due, task.HookPassed)
			other.Step = task.StepReview
			s.do(task.OpStepHook, other)
		}, "ops/after"},
		{"the phase is worked on again", func(s *story, p, _ task.UID) {
			s.do(task.OpPhaseStart, task.PhasePayload{Phase: p})
		}, ""},
		{"the task was given up", func(s *story, _, _ task.UID) {
			s.do(task.OpFinish, task.FinishPayload{Status: task.Cancelled, Reason: "nobody wants it"})
		}, ""},
	} {
		s := started(t)
		p := s.add(task.PhaseAddPayload{})
		due := s.do(task.OpStepHook, outcome(p, "", task.HookDue))
		const asked = "phase 1: post-execute: ops/after is due: it runs just now, or was cut off"
		if next := route.Next(s.t); next.Reason != asked {
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
		if err := validate(s.t); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// SP-6: a step that was taken back has not ended, and what follows it is not waited for.
func TestStepHook_SP6_takenBack(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	for _, tt := range []struct {
		step string
		of   task.UID
		was  func(*task.Task) // the state once it is taken back
		ends func(*task.Task)
	}{
		{task.StepClarify, "", func(t *task.Task) { t.Questions.Open = 1 }, func(t *task.Task) { t.Questions.Open = 0 }},
		{task.StepResearch, "", func(*task.Task) {}, func(t *task.Task) {
			t.Docs = map[task.DocName]task.Doc{task.DocResearch: {OID: commitA}}
		}},
		{task.StepPlan, "", func(*task.Task) {}, func(t *task.Task) {
			t.Docs = map[task.DocName]task.Doc{task.DocRoadmap: {OID: commitA}}
		}},
		{task.StepPlan, p, func(*task.Task) {}, func(t *task.Task) {
			t.Docs = map[task.DocName]task.Doc{task.PlanOf(p): {OID: commitA}}
		}},
		{task.StepExecute, p, func(t *task.Task) {
			t.Phases[0].Status = task.PhaseInProgress
		}, func(t *task.Task) { t.Phases[0].Status = task.PhaseInReview }},
		{task.StepReview, p, func(t *task.Task) {
			t.Phases[0].Status = task.PhaseInReview
		}, func(t *task.Task) { t.Phases[0].Review = task.ReviewChanges }},
		{task.StepRevise, p, func(*task.Task) {}, func(t *task.Task) {
			t.Phases = append(t.Phases, task.Phase{UID: testUID(7), Parent: p, Kind: task.KindFix})
		}},
		{task.StepComplete, "", func(*task.Task) {}, func(t *task.Task) { t.Status = task.Finished }},
	} {
		is := s.t
		is.Phases = slices.Clone(s.t.Phases)
		is.StepHooks = []task.StepHooks{{
			UID: testUID(5), Step: tt.step, Phase: tt.of, When: task.HookPost,
			Runs: []task.HookRun{hookRun("ops/x", task.HookFailed, false)},
		}}
		for open, state := range []func(*task.Task){tt.was, tt.ends} {
			if state(&is); len(is.OpenHooks()) != open {
				t.Errorf("%s: %d are open, want %d", tt.step, len(is.OpenHooks()), open)
			}
		}
	}
}

// F10: what fails again as it did says nothing new; all else does.
func TestStepHook_SP6_tellsNew(t *testing.T) {
	t.Parallel()
	pre := func(outcome task.HookOutcome) task.StepHookPayload {
		return task.StepHookPayload{
			Step: task.StepExecute, When: task.HookPre,
			Runs: []task.HookRun{hookRun("ops/before", outcome, false)},
		}
	}
	other := pre(task.HookUntrusted)
	other.Step = task.StepReview
	for _, tt := range []struct {
		name       string
		have, come task.StepHookPayload
		want       bool
	}{
		{"the same failure", pre(task.HookUntrusted), pre(task.HookUntrusted), false},
		{"another failure", pre(task.HookUntrusted), pre(task.HookFailed), true},
		{"it passes", pre(task.HookUntrusted), pre(task.HookPassed), true},
		{"it passes again", pre(task.HookPassed), pre(task.HookPassed), true},
		{"another step", pre(task.HookUntrusted), other, true},
	} {
		s := started(t)
		if !tt.have.TellsNew(s.t) {
			t.Errorf("%s: the first one tells nothing", tt.name)
		}
		s.do(task.OpStepHook, tt.have)
		if got := tt.come.TellsNew(s.t); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// maxHookRuns is how many hooks a record tells of.
const maxHookRuns = 16

var hookOutcomes = []task.HookOutcome{
	task.HookDue, task.HookPassed, task.HookFailed, task.HookUntrusted, task.HookMissing, task.HookTold,
}

// What a history from elsewhere may hold is bounded.
func TestStepHook_bounds(t *testing.T) {
	t.Parallel()
	good := task.StepHookPayload{
		Step: task.StepExecute, When: task.HookPost,
		Runs: []task.HookRun{hookRun("ops/after", task.HookPassed, false)},
	}
	for name, change := range map[string]func(*task.StepHookPayload){
		"no step":           func(p *task.StepHookPayload) { p.Step = "" },
		"a step that hides": func(p *task.StepHookPayload) { p.Step = "a\nb" },
		"no side":           func(p *task.StepHookPayload) { p.When = "during" },
		"no phase":          func(p *task.StepHookPayload) { p.Phase = testUID(77) },
		"no runs":           func(p *task.StepHookPayload) { p.Runs = nil },
		"many runs":         func(p *task.StepHookPayload) { p.Runs = make([]task.HookRun, maxHookRuns+1) },
		"an outcome":        func(p *task.StepHookPayload) { p.Runs = []task.HookRun{hookRun("a", "maybe", false)} },
		"a path": func(p *task.StepHookPayload) {
			p.Runs = []task.HookRun{hookRun("a\x1bb", task.HookPassed, false)}
		},
		"a long detail": func(p *task.StepHookPayload) {
			p.Runs = []task.HookRun{{
				Hook: "a", Kind: "program", Outcome: task.HookFailed,
				Detail: strings.Repeat("x", task.MaxItem+1),
			}}
		},
	} {
		s := started(t)
		p := good
		change(&p)
		op := s.next(task.OpStepHook, p)
		if err := Check(s.t, op); err == nil {
			t.Errorf("%s: may be made", name)
		}
		if after, applied := Apply(s.t, op, s.texts); applied || len(after.StepHooks) > 0 {
			t.Errorf("%s: counts", name)
		}
	}
	s := started(t)
	failed := good
	failed.Runs = []task.HookRun{hookRun("ops/after", task.HookFailed, false)}
	s.do(task.OpStepHook, failed)
	for i := range task.MaxStepHooks + 5 {
		good.Step = fmt.Sprint("step", i)
		s.do(task.OpStepHook, good)
	}
	if n := len(s.t.StepHooks); n != task.MaxStepHooks || len(s.t.OpenHooks()) != 1 {
		t.Errorf("%d records, open %+v", n, s.t.OpenHooks())
	}
	for i := range s.t.StepHooks { // and where all wait, no more is taken
		s.t.StepHooks[i].Runs = []task.HookRun{hookRun(fmt.Sprint("ops/", i), task.HookFailed, false)}
	}
	good.Step = task.StepReview
	if _, applied := Apply(s.t, s.next(task.OpStepHook, good), s.texts); applied {
		t.Error("it takes one more")
	}
	failed.Step = s.t.StepHooks[3].Step // nor more of one step than a record holds
	for i := range maxHookRuns + 1 {
		failed.Runs[0].Hook = fmt.Sprint("more/", i)
		after, applied := Apply(s.t, s.next(task.OpStepHook, failed), s.texts)
		if s.t = after; applied != (i < maxHookRuns-1) {
			t.Errorf("hook %d: %t", i, applied)
		}
	}
	if err := validate(s.t); err != nil {
		t.Error(err)
	}
	s.t.StepHooks[3].When = "x"
	if err := validate(s.t); !errors.Is(err, task.ErrCorrupt) {
		t.Error(err)
	}
}

// stepHook runs what is around a step on a clone, or passes a failure over.
func (w *world) stepHook(t *rapid.T, c *clone, uid task.UID) {
	if open := c.state.OpenHooks(); len(open) > 0 && rapid.Bool().Draw(t, "pass over") {
		w.do(t, c, task.OpHookSkip, task.HookSkipPayload{Record: open[0].UID, Reason: "not now"})
		return
	}
	p := task.StepHookPayload{
		Step: rapid.SampledFrom([]string{task.StepExecute, task.StepReview}).Draw(t, "step"), Phase: uid,
		When: rapid.SampledFrom([]string{task.HookPre, task.HookPost, task.HookPost}).Draw(t, "side"),
	}
	for range rapid.IntRange(1, 3).Draw(t, "hooks") {
		p.Runs = append(p.Runs, hookRun("ops/x", rapid.SampledFrom(hookOutcomes).Draw(t, "outcome"),
			rapid.Bool().Draw(t, "optional")))
	}
	if n := len(c.state.StepHooks); n > 0 && rapid.Bool().Draw(t, "of a record") {
		of := c.state.StepHooks[rapid.IntRange(0, n-1).Draw(t, "record")]
		p.Step, p.Phase, p.When, p.Record = of.Step, of.Phase, of.When, of.UID
	}
	w.do(t, c, task.OpStepHook, p)
}
