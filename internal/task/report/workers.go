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
