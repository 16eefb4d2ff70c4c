package taskview

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// SayPhases prints a task's phases, and the commands that verify them and wait for trust.
func SayPhases(c *cli.Call, t task.Task, waiting map[task.UID][]string) {
	v := Status{Env: c.Env, Style: c.Style(), Now: c.Now()}
	v.Task = &t
	v.printPhases()
	for _, p := range t.Phases {
		for _, command := range waiting[p.UID] {
			c.Say("  ! %s: %s is not trusted; see 'git brew trust list'", ui.Safe(p.ID),
				ui.Truncate(ui.Safe(command), maxCommandShown))
		}
	}
}

// maxCommandShown is how much of a command stands in a line, in columns.
const maxCommandShown = 60

// printPhases prints a line for each phase: marker, id, title, where it stands, time worked,
// commits. The commits go first where the room is scarce.
func (v Status) printPhases() {
	const title, state, worked, commits = 2, 3, 4, 5
	table := v.Env.Table("  ")
	if table.Width != cli.Endless {
		table.Width = min(table.Width, MaxStatusWidth)
	}
	table.Right, table.Leave, table.Give = map[int]bool{worked: true}, []int{commits, worked}, []int{title, state}
	for _, p := range v.Task.Phases {
		table.Add(v.Style.PhaseMark(p), v.Style.Bright(ui.Safe(p.ID)), ui.Safe(p.Title), PhaseState(v.Task, p), v.worked(p),
			phaseCommits(p))
	}
	v.Env.WriteTable(table)
}

// PhaseState tells a phase's standing in a few words.
func PhaseState(t *task.Task, p task.Phase) string {
	kind := ui.Either(p.Kind == task.KindExecution || p.Kind == task.KindSplit, "", ui.Words(string(p.Kind)))
	escalate := ui.Either(p.MustEscalate && p.Status != task.PhaseDropped, "to be escalated", "")
	return ui.Joined(", ", kind, statusWords(t, p), escalate)
}

// statusWords tell a phase's status, and what it waits for.
func statusWords(t *task.Task, p task.Phase) string {
	switch p.Status {
	case task.PhasePending:
		split := len(t.Children(p.UID, task.KindSplit)) > 0 // it is done by its parts
		waits := waitsFor(t, p)
		return ui.Joined(", ", ui.Either(split, "split", ""), ui.Either(waits == "", "", "after "+waits))
	case task.PhaseInProgress:
		if t.WithWorkers(p) {
			tier := ui.Either(p.Tier == task.TierAuto, "", string(p.Tier)+" ")
			return ui.Joined(", ", "in progress", tier+"worker", ui.Some(len(p.Turns), "turn"), ui.Dollars(p.Spent))
		}
		return fmt.Sprintf("in progress, iteration %d", p.Iteration)
	case task.PhaseInReview:
		switch {
		case p.Review == task.ReviewChanges:
			return "changes wanted"
		case rules.VerificationFailed(*t, p):
			return "verification failed"
		case rules.OwesVerification(*t, p):
			return "awaits verification"
		}
		return "awaits review"
	case task.PhaseCompleted:
		how := "reviewed"
		if p.Claim.Worker == task.RunWorker && !p.Reviewed() { // nobody but the run approved it
			how = "merged, " + ui.Either(p.Verified != nil, "verified", "not reviewed")
		}
		return ui.Joined(", ", ui.Either(p.Iteration > 1, fmt.Sprintf("%d iterations", p.Iteration), ""), how)
	case task.PhaseFailed:
		if by, ok := t.Phase(p.FailedBy); ok && p.Iteration == 0 {
			return "not begun: " + ui.Safe(by.ID) + " failed"
		}
	case task.PhaseDropped:
	}
	return string(p.Status)
}

// waitsFor names the phases that have to be over first.
func waitsFor(t *task.Task, p task.Phase) string {
	var ids []string
	for _, uid := range t.DependenciesOf(p) {
		if dep, ok := t.Phase(uid); ok && !dep.Status.Over() {
			ids = append(ids, ui.Safe(dep.ID))
		}
	}
	return strings.Join(ids, ", ")
}

// phaseCommits is the span of a phase's code.
func phaseCommits(p task.Phase) string {
	switch {
	case p.StartCommit == "":
		return ""
	case p.EndCommit == "" || p.Status == task.PhaseInProgress:
		return "since " + ui.Short(p.StartCommit)
	case p.EndCommit == p.StartCommit:
		return ui.Short(p.StartCommit)
	}
	return ui.Short(p.StartCommit) + ".." + ui.Short(p.EndCommit)
}

func (v Status) worked(p task.Phase) string {
	seconds := WorkedSeconds(p, v.Now)
	never := seconds == 0 && p.WorkSince == ""
	return ui.Either(never, "", ui.Duration(time.Duration(seconds)*time.Second))
}

// WorkedSeconds is how long a phase was worked on, with the stretch under way.
func WorkedSeconds(p task.Phase, now time.Time) int64 {
	seconds := p.WorkedSeconds
	if since, err := time.Parse(time.RFC3339, p.WorkSince); err == nil {
		seconds += max(0, int64(now.Sub(since)/time.Second))
	}
	return seconds
}
