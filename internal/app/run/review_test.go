package run

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// BR-18: a review counts for the commit that it was about, and for no other: what passed is not
// reviewed again, what was refused neither, until something is committed. What a worker said of
// itself, or a look at the whole, is no review.
func TestReview_BR18_countsForItsCommit(t *testing.T) {
	pass := func(by task.TurnBy) task.Turn { return task.Turn{By: by, Outcome: task.TurnPassed, Commit: "a"} }
	refuse := func(by task.TurnBy, why string) task.Turn {
		return task.Turn{By: by, Outcome: task.TurnRejected, Commit: "a", Reason: why}
	}
	for name, c := range map[string]struct {
		turns           []task.Turn
		passes          bool
		refused, passed string // why the work at a was refused; the commit that may have passed
	}{
		"nothing":           {passed: "a"},
		"passed":            {turns: []task.Turn{pass(task.ByReview)}, passed: "a", passes: true},
		"another commit":    {turns: []task.Turn{pass(task.ByReview)}, passed: "b"},
		"by its commands":   {turns: []task.Turn{pass(task.ByChecks)}, passed: "a"},
		"refused":           {turns: []task.Turn{refuse(task.ByReview, "no")}, passed: "a", refused: "no"},
		"refused by checks": {turns: []task.Turn{refuse(task.ByChecks, "no")}, passed: "a", refused: "no"},
		"refused twice":     {turns: []task.Turn{refuse(task.ByReview, unchanged+"no")}, passed: "a", refused: "no"},
		"without a reason": {
			turns: []task.Turn{refuse(task.ByReview, "")}, passed: "a", refused: "its reason is in the log",
		},
		"said wrongly": {turns: []task.Turn{refuse(task.ByJunior, "phase 2 did it")}, passed: "a"},
		"said wrongly since": {
			turns: []task.Turn{refuse(task.ByReview, "no"), refuse(task.ByJunior, "phase 2 did it")}, passed: "a", refused: "no",
		},
		"refused elsewhere since": {
			turns:  []task.Turn{refuse(task.ByReview, "no"), {By: task.ByChecks, Outcome: task.TurnRejected, Commit: "b"}},
			passed: "a",
		},
	} {
		p := task.Phase{Turns: c.turns}
		if got := passed(p, c.passed); got != c.passes {
			t.Errorf("%s: passed %t", name, got)
		}
		if got := refusedAt(p, "a"); got != c.refused {
			t.Errorf("%s: refused for %q", name, got)
		}
	}
}

// BR-18: a review is owed until one passed, whoever goes on with what a junior did, or with what
// was refused.
func TestReview_BR18_isOwedUntilOnePasses(t *testing.T) {
	turn := func(by task.TurnBy, how task.TurnOutcome) task.Turn {
		return task.Turn{By: by, Outcome: how, Commit: "b"}
	}
	junior, senior := turn(task.ByJunior, task.TurnComplete), turn(task.BySenior, task.TurnComplete)
	refused, passed := turn(task.ByReview, task.TurnRejected), turn(task.ByReview, task.TurnPassed)
	for name, c := range map[string]struct {
		turns []task.Turn
		owed  bool
	}{
		"nothing":                       {},
		"a senior":                      {turns: []task.Turn{senior}},
		"a senior's that checks refuse": {turns: []task.Turn{senior, turn(task.ByChecks, task.TurnRejected)}},
		"a junior":                      {turns: []task.Turn{junior}, owed: true},
		"refused, and a senior":         {turns: []task.Turn{junior, refused, senior}, owed: true},
		"a junior that failed":          {turns: []task.Turn{turn(task.ByJunior, task.TurnFailed), senior}, owed: true},
		"a senior's that was refused":   {turns: []task.Turn{senior, refused, senior}, owed: true},
		"a junior that left nothing":    {turns: []task.Turn{{By: task.ByJunior, Commit: "a"}, senior}},
		"a review at a limit":           {turns: []task.Turn{junior, turn(task.ByReview, "limited"), senior}, owed: true},
		"passed, and a senior":          {turns: []task.Turn{junior, passed, senior}},
		"passed, and a junior":          {turns: []task.Turn{junior, passed, junior}, owed: true},
	} {
		if got := owesReview(task.Phase{StartCommit: "a", Turns: c.turns}); got != c.owed {
			t.Errorf("%s: a review is owed: %t", name, got)
		}
	}
}
