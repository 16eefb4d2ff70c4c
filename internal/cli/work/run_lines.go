package work

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// linesOf tells an event of a run as it happens, in a line, most of the time.
func linesOf(c *cli.Call, e run.Event) []string {
	name, line := cmp.Or(e.Phase.ID, "run"), ""
	switch e.Kind {
	case run.Working:
		line = worker(e) + " is at work: " + e.Phase.Title
	case run.Resting:
		line = "its last turn ended at once: " + worker(e) + " begins at " + ui.Clock(e.Until, c.Now())
	case run.Turned:
		line = turnWords(e.Turn)
	case run.Escalated:
		if e.Phase.LastTurn().Outcome == task.TurnBlocked { // which was told, and who goes on is
			return nil
		}
		line = worker(e) + " goes on: " + e.Text
	case run.Completed:
		line = "completed, merged as " + ui.Short(e.Text)
	case run.Failed:
		line = "failed: " + strings.TrimSuffix(e.Text, ".") + "; its work is in " + e.Dir
	case run.Parked:
		line = "all workers wait for their client's limit, until " + ui.Until(e.Until, c.Now())
	case run.Beat:
		line = "at work: " + atWork(e.Rows, c.Now())
	case run.Slow:
		line = worker(e) + " is at work for " + ui.Elapsed(e.For) + ", which is long" + lastEvent("; ", e.Text)
	case run.Proving, run.Noted, run.Moved:
		line = e.Text
	case run.Asked:
		line = "it would fail: " + strings.TrimSuffix(e.Text, ".") + "; a decision is waited for"
	case run.Began, run.Started, run.Ended, run.Decided: // others tell it
		return nil
	}
	at := ui.Clock(c.Now(), c.Now())
	lines := []string{fmt.Sprintf("%s  %-8s %s", at, ui.Safe(name), ui.Safe(line))}
	if out := e.Turn.Outcome; e.Log != "" && (out == task.TurnFailed || out == task.TurnSilent) {
		lines = append(lines, fmt.Sprintf("%s  %-8s what it printed is in %s", at, ui.Safe(name), ui.Safe(e.Log)))
	}
	return lines
}

// atWork tells workers in a line: "1 (a junior for 30s; last event: Edit), 2 (a senior for 4s)".
func atWork(rows []run.Row, now time.Time) string {
	var all []string
	for _, r := range rows {
		who := worker(run.Event{Tier: r.Tier}) + " for " + ui.Elapsed(now.Sub(r.Since))
		all = append(all, r.Phase+" ("+who+lastEvent("; ", r.Said)+")")
	}
	return strings.Join(all, ", ")
}

func lastEvent(and, said string) string { return ui.Either(said == "", "", and+"last event: "+said) }

// worker names who is at work: "a junior (claude)".
func worker(e run.Event) string {
	return ui.Either(e.Tier == task.TierExecutive, "an ", "a ") + string(e.Tier) +
		ui.Either(e.Client == "", "", " ("+e.Client+")")
}

// turnWords tell how a turn came out, or a look at one: in the record's words, but where they
// would not say of whom.
func turnWords(t task.Turn) string {
	words, and := ui.Words(string(t.Outcome)), ": "
	switch t.Outcome {
	case task.TurnComplete:
		words = "its worker says that it is done"
	case task.TurnAlreadyDone:
		words = "its worker says that earlier work did it"
	case task.TurnAbsorbed:
		words, and = "its worker says that it was done", " "
	case task.TurnBlocked:
		words = "its worker is blocked"
	case task.TurnFailed:
		words = "its turn failed"
	case task.TurnPassed:
		words, and = ui.Either(t.By == task.ByReview, "its review passed", "its check passed"), ". "
	case task.TurnSilent, task.TurnLimited, task.TurnStopped, task.TurnRejected, task.TurnConflict,
		task.TurnRetried, task.TurnPaused, task.TurnSkipped, task.TurnOnTrack, task.TurnConcerns, task.TurnRemediated:
	}
	if t.By == task.ByLook {
		words = "look at the whole: " + ui.Words(string(t.Outcome))
	}
	return ui.Joined(and, words, task.Clip(cli.OneLine(t.Reason), task.MaxTitle))
}
