package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/task"
)

// workers tells the turns of workers that 'git brew run' started, phase by phase, and what
// they cost.
func workers(t task.Task) section {
	all := section{heading: "Who worked"}
	var total, whole task.Cost
	var looks []string
	for _, p := range t.Phases {
		if len(p.Turns) == 0 {
			continue
		}
		total = total.Plus(p.Spent)
		var turns []string
		for _, turn := range p.Turns {
			how := strings.ReplaceAll(string(turn.Outcome), "_", " ")
			if turn.By == task.ByLook {
				looks, whole = append(looks, how), whole.Plus(turn.Cost)
				continue
			}
			turns = append(turns, string(turn.By)+" "+how)
		}
		all.add("%s %s: %s; %s", p.ID, task.Inline(p.Title), strings.Join(turns, ", "), CostWords(p.Spent))
	}
	if len(looks) > 0 {
		all.add("looks at the whole: %s; %s", strings.Join(looks, ", "), CostWords(whole))
	}
	if len(all.lines) > 1 {
		all.add("altogether: %s", CostWords(total.Plus(whole)))
	}
	return all
}

// workersLooks tells what a reviewer looks at of a phase that workers had: that it took several
// tiers, what came to the branch beside it, that nothing shows it, what an executive said of the
// whole.
func workersLooks(p task.Phase) (all section) {
	turns, tiers, shown := 0, map[task.TurnBy]int{}, len(p.Verification) > 0 || p.Reviewed()
	for _, turn := range p.Turns {
		switch {
		case turn.By.Worker():
			turns++
			tiers[turn.By]++
		case turn.Outcome == task.TurnPassed && turn.Reason != "":
			all.add("%s: %s", shownPhase(p), task.Inline(turn.Reason))
		case turn.Outcome == task.TurnConcerns:
			all.add("An executive's look at the whole has concerns%s", because(turn.Reason))
		}
	}
	var by []string
	for _, tier := range []task.TurnBy{task.ByJunior, task.BySenior, task.ByExecutive} {
		if tiers[tier] > 0 {
			by = append(by, fmt.Sprintf("%d %s", tiers[tier], tier))
		}
	}
	if last := len(p.Escalations) - 1; last >= 0 && turns > 0 {
		all.add("%s, took %s, %s: %s", shownPhase(p), task.Counted(turns, "turn"), strings.Join(by, ", "),
			task.Inline(p.Escalations[last].Reason))
	}
	if p.Status == task.PhaseCompleted && p.Claim.Worker == task.RunWorker && !shown {
		all.add("%s, has no command that verifies it, and no review", shownPhase(p))
	}
	return all
}

// CostWords is a cost in words: time, and tokens and money where clients told them.
func CostWords(c task.Cost) string {
	text := (time.Duration(c.MS) * time.Millisecond).Round(time.Second).String() + " of work"
	if c.Input+c.Output > 0 {
		text += fmt.Sprintf(", %d tokens in, %d out", c.Input, c.Output)
	}
	if c.MicroUSD > 0 {
		text += fmt.Sprintf(", $%.2f", float64(c.MicroUSD)/1e6)
	}
	return text
}
