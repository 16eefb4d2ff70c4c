package ui

import "github.com/git-brew/git-brew/internal/task"

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
