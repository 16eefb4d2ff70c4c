package task_test

import (
	"errors"
	"fmt"
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
		s.do(OpStepHook, StepHookPayload{Step: StepExecute, Phase: p, When: HookPost, Runs: []HookRun{
			hookRun("ops/first", HookPassed, false), hookRun("ops/after", HookFailed, false),
		}})
		return s.nodes[len(s.nodes)-1].Op.ID
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
	if told := report.FinalReport(s.t, report.Story{}, ""); !strings.Contains(told, "- phase 2: post-execute: ops/after failed: exit status 1; passed over: the linter is down\n") ||
		!strings.Contains(told, "- phase 1: post-execute: ops/after failed: exit status 1; ran again (2 times)\n") {
		t.Error(told)
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
		name    string
		then    func(s *story, p, due UID)
		open    int
		records int
	}{
		{"nothing more", func(*story, UID, UID) {}, 1, 1},
		{"it passed", func(s *story, p, due UID) { s.do(OpStepHook, outcome(p, due, HookPassed)) }, 0, 1},
		{"it failed", func(s *story, p, due UID) { s.do(OpStepHook, outcome(p, due, HookFailed)) }, 1, 1},
		{"it failed, and passed when it ran again", func(s *story, p, due UID) {
			s.do(OpStepHook, outcome(p, due, HookFailed))
			s.do(OpStepHook, outcome(p, due, HookPassed))
		}, 0, 2},
		{"it failed, and what comes behind it is due still", func(s *story, p, due UID) {
			two := outcome(p, due, HookFailed)
			two.Runs = append(two.Runs, HookRun{Hook: "ops/then", Kind: "program", Outcome: HookDue})
			s.do(OpStepHook, two)
			s.do(OpStepHook, outcome(p, due, HookPassed)) // and says nothing of that
		}, 1, 2},
		{"what is told is another hook", func(s *story, p, due UID) {
			other := outcome(p, due, HookPassed)
			other.Runs[0].Hook = "ops/other"
			s.do(OpStepHook, other)
		}, 1, 2},
		{"it failed as if it were optional", func(s *story, p, due UID) {
			other := outcome(p, due, HookFailed)
			other.Runs[0].Optional = true
			s.do(OpStepHook, other)
		}, 1, 2},
		{"it is optional by now, and passed", func(s *story, p, due UID) {
			other := outcome(p, due, HookPassed)
			other.Runs[0].Optional = true
			s.do(OpStepHook, other)
		}, 0, 1},
		{"somebody passed it over while it ran, and it failed", func(s *story, p, due UID) {
			s.do(OpHookSkip, HookSkipPayload{Record: due, Reason: "it hangs"})
			s.do(OpStepHook, outcome(p, due, HookFailed))
		}, 0, 1},
		{"another step's outcome", func(s *story, p, due UID) {
			other := outcome(p, due, HookPassed)
			other.Step = StepReview
			s.do(OpStepHook, other)
		}, 1, 2},
		{"the task was given up", func(s *story, _, _ UID) { s.do(OpFinish, FinishPayload{Status: Cancelled, Reason: "nobody wants it"}) }, 0, 1},
	} {
		s := started(t)
		p := s.add(PhaseAddPayload{})
		due := s.do(OpStepHook, outcome(p, "", HookDue))
		if next := route.Next(s.t); next.Reason != "phase 1: post-execute: ops/after is due: it runs just now, or was cut off" {
			t.Errorf("%s: %q", tt.name, next.Reason)
		}
		tt.then(s, p, due)
		if open := s.t.OpenHooks(); len(open) != tt.open || len(s.t.StepHooks) != tt.records {
			t.Errorf("%s: open are %+v of %+v", tt.name, open, s.t.StepHooks)
		}
		if err := Validate(s.t); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// SP-6: what fails behind another one, or was to run behind it, is not forgotten with
// the record that told of it; what is told of later is.
func TestUnmet_SP6_byWhatIsSaidLast(t *testing.T) {
	t.Parallel()
	record := func(runs ...HookRun) StepHooks { return StepHooks{Runs: runs} }
	failed, passed := func(hook string) HookRun { return hookRun(hook, HookFailed, false) }, func(hook string) HookRun { return hookRun(hook, HookPassed, false) }
	for name, tt := range map[string]struct {
		newestFirst []StepHooks
		want        string
	}{
		"nothing ran":                     {nil, ""},
		"one failed":                      {[]StepHooks{record(passed("a"), failed("b"))}, "b"},
		"one is due":                      {[]StepHooks{record(hookRun("a", HookDue, false))}, "a"},
		"an optional one":                 {[]StepHooks{record(hookRun("a", HookFailed, true))}, ""},
		"it passed since":                 {[]StepHooks{record(passed("a")), record(failed("a"))}, ""},
		"another one failed since":        {[]StepHooks{record(failed("b")), record(failed("a"))}, "b a"},
		"the same one, twice in a record": {[]StepHooks{record(passed("a"), failed("a"))}, "a"},
	} {
		var got []string
		for _, r := range Unmet(tt.newestFirst) {
			got = append(got, r.Hook)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// BC-34: a final report tells of hooks what became of them at last, and is
// otherwise left as whoever wrote in it left it.
func TestRetellHooks_BC34(t *testing.T) {
	t.Parallel()
	s := started(t)
	due := s.do(OpStepHook, StepHookPayload{Step: StepComplete, When: HookPost, Runs: []HookRun{hookRun("ops/tell", HookDue, false)}})
	was := s.t
	report := strings.Replace(report.FinalReport(was, report.Story{}, ""), "\n## The task\n", "\nMara was here.\n\n## The task\n", 1)
	s.do(OpDecisionAdd, DecisionAddPayload{Title: "Tell nobody"})
	other := s.t
	s.do(OpStepHook, StepHookPayload{Step: StepComplete, When: HookPost, Record: due, Runs: []HookRun{hookRun("ops/tell", HookFailed, false)}})
	failed := s.t
	s.do(OpStepHook, StepHookPayload{Step: StepComplete, When: HookPost, Record: due, Runs: []HookRun{hookRun("ops/tell", HookPassed, false)}})
	const line = "- post-complete: ops/tell failed: exit status 1; nothing became of that yet\n"
	told, ok := RetellHooks(report, other, failed)
	if want := strings.Replace(report, HooksSection(was), HooksHeading+line, 1); !ok || told != want {
		t.Errorf("%t\n%s\nwant\n%s", ok, told, want)
	}
	again, ok := RetellHooks(told, failed, s.t)
	if want := strings.Replace(told, "nothing became of that yet", "ran again", 1); !ok || again != want {
		t.Errorf("%t\n%s\nwant\n%s", ok, again, want)
	}
	none := started(t).t
	if bare, ok := RetellHooks(report, was, none); !ok || strings.Contains(bare, "Hooks around") || !strings.Contains(bare, "\n\nMara was here.\n") {
		t.Errorf("%t\n%s", ok, bare)
	} else if back, ok := RetellHooks(bare, none, was); !ok || !strings.Contains(back, HooksSection(was)+"\n## The task\n") {
		t.Errorf("%t\n%s", ok, back)
	}
	for name, mine := range map[string]string{
		"another text":           "# It is done\n",
		"a section of one's own": strings.Replace(report, "- post-complete", "- all went well\n- post-complete", 1),
		"a line more":            strings.Replace(report, HooksSection(was), HooksSection(was)+"- all went well\n", 1),
	} {
		if told, ok := RetellHooks(mine, was, failed); ok || told != mine {
			t.Errorf("%s: told as %q", name, told)
		}
	}
	if told, ok := RetellHooks("# It is done\n", none, failed); ok {
		t.Errorf("told as %q", told)
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
	failed.When = HookPre
	s.do(OpStepHook, failed)
	good.Step = StepReview
	for range MaxStepHooks + 5 {
		s.do(OpStepHook, good)
	}
	if n := len(s.t.StepHooks); n != MaxStepHooks || len(s.t.OpenHooks()) != 1 || s.t.StepHooks[1].When != HookPre {
		t.Errorf("%d records, open %+v, the second one is %+v", n, s.t.OpenHooks(), s.t.StepHooks[1])
	}
	failed.When = HookPost // and where all wait, no more is taken
	for i := range s.t.StepHooks {
		s.t.StepHooks[i] = failed.AsRecord(s.t.StepHooks[i].UID)
		s.t.StepHooks[i].Runs = []HookRun{hookRun(fmt.Sprint("ops/", i), HookFailed, false)}
	}
	if _, applied := Apply(s.t, s.next(OpStepHook, good), s.texts); applied {
		t.Error("it takes one more")
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
