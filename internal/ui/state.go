package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// State says in one sentence where a task stands: "in progress, phase 2 of 4 in
// review". The stage is said where no phase says more.
func State(t task.Task) string {
	words := Words(string(t.Status))
	if t.Status.Terminal() || t.Deleted {
		return words
	}
	if t.Stage == task.StageExecute {
		if where := phaseState(t); where != "" {
			return words + ", " + where
		}
	}
	return words + ", stage " + string(t.Stage)
}

// phaseState says which phases somebody works on, or which one waits; else how many are
// completed; "" where there is none.
func phaseState(t task.Task) string {
	var busy []string
	all, completed, planned := 0, 0, 0
	for _, p := range t.Phases {
		switch p.Status {
		case task.PhaseInProgress:
			busy = append(busy, Safe(p.ID))
		case task.PhaseCompleted:
			completed++
		case task.PhaseDropped:
			continue // nobody wants it
		case task.PhasePending, task.PhaseInReview, task.PhaseFailed:
		}
		all++
		if p.Kind == task.KindExecution {
			planned++
		}
	}
	current, ok := t.CurrentPhase()
	switch {
	case all == 0:
		return ""
	case len(busy) > 1:
		return "phases " + strings.Join(busy, ", ")
	case len(busy) == 1:
		return "phase " + ofAll(busy[0], planned)
	case ok && (current.Status == task.PhaseInReview || current.Status == task.PhaseFailed):
		return "phase " + ofAll(Safe(current.ID), planned) + " " + Words(string(current.Status))
	case completed == all:
		return "every phase completed"
	}
	if completed == 0 {
		return Plural(all, "phase")
	}
	return fmt.Sprintf("%d of %s completed", completed, Plural(all, "phase"))
}

// ofAll is a phase's id, and of how many, where the id is its place among them.
func ofAll(id string, planned int) string {
	if n, err := strconv.Atoi(id); err == nil && n <= planned {
		return fmt.Sprintf("%s of %d", id, planned)
	}
	return id
}
