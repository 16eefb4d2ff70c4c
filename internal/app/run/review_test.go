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
