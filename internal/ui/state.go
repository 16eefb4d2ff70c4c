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
	var busy []task.Phase
	for _, p := range t.Phases {
		if p.Status == task.PhaseInProgress {
			busy = append(busy, p)
		}
	}
	n := task.CountPhases(t)
	current, ok := t.CurrentPhase()
	switch {
	case n.Wanted() == 0:
		return ""
	case len(busy) > 1:
		ids := make([]string, len(busy))
		for i, p := range busy {
			ids[i] = Safe(p.ID)
		}
		return "phases " + strings.Join(ids, ", ")
	case len(busy) == 1:
		return "phase " + ofAll(t, busy[0], n)
	case ok && (current.Status == task.PhaseInReview || current.Status == task.PhaseFailed):
		return "phase " + ofAll(t, current, n) + " " + Words(string(current.Status))
	case n.Completed == n.Wanted():
		return "every phase completed"
	case n.Completed == 0:
		return Plural(n.Wanted(), "phase")
	}
	return n.Done()
}

// ofAll is a phase's id, and of how many, where the id is its place among those that
// are wanted.
func ofAll(t task.Task, p task.Phase, n task.PhaseCounts) string {
	if p.ID == strconv.Itoa(t.Place(p.UID)) {
		return fmt.Sprintf("%s of %d", p.ID, n.Wanted())
	}
	return Safe(p.ID)
}

// Marker is the sign in front of a phase.
type Marker string

// The markers; colour comes beside them, never instead.
const (
	MarkDone      Marker = "✓" // reviewed and done
	MarkBusy      Marker = "→" // in progress
	MarkReview    Marker = "◐" // worked on, awaits its review
	MarkOpen      Marker = "○" // not started
	MarkFailed    Marker = "✗"
	MarkDropped   Marker = "–" // not wanted any more
	MarkEscalated Marker = "⬆" // stands beside another one
)

// MarkOf is the marker of a phase.
func MarkOf(status task.PhaseStatus) Marker {
	switch status {
	case task.PhaseCompleted:
		return MarkDone
	case task.PhaseInProgress:
		return MarkBusy
	case task.PhaseInReview:
		return MarkReview
	case task.PhaseFailed:
		return MarkFailed
	case task.PhaseDropped:
		return MarkDropped
	case task.PhasePending:
		return MarkOpen
	}
	return MarkOpen
}

// Mark prints a marker in the colour of its state.
func (s Style) Mark(m Marker) string {
	switch m {
	case MarkDone:
		return s.Good(string(m))
	case MarkBusy:
		return s.Busy(string(m))
	case MarkReview, MarkEscalated:
		return s.Warn(string(m))
	case MarkFailed:
		return s.Bad(string(m))
	case MarkOpen, MarkDropped:
		return s.Dim(string(m))
	}
	return string(m)
}

// PhaseMark is the marker of a phase, with one beside it where the phase was escalated.
func (s Style) PhaseMark(p task.Phase) string {
	mark := s.Mark(MarkOf(p.Status))
	if len(p.Escalations) > 0 {
		mark += s.Mark(MarkEscalated)
	}
	return mark
}
