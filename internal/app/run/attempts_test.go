package run

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// BR-11: a phase whose turns all say that it is done, and are all refused, comes to a higher tier,
// whatever the settings are: of its turns the last ones alone are known.
func TestAttempts_BR11_asManyAsAreKnown(t *testing.T) {
	w := &workers{limits: limits{junior: 1000, senior: 1000}}
	var p task.Phase
	for range 1000 {
		p.Turns = append(p.Turns, task.Turn{Outcome: task.TurnComplete}, task.Turn{Outcome: task.TurnRejected})
		p.Turns = p.Turns[max(0, len(p.Turns)-task.MaxTurns):]
	}
	for _, tier := range []task.Tier{task.TierJunior, task.TierSenior, task.TierExecutive} {
		if p.Attempts() < w.attempts(tier) {
			t.Errorf("%s: %d attempts are known, and %d are waited for", tier, p.Attempts(), w.attempts(tier))
		}
	}
}
