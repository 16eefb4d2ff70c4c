package view

import (
	"github.com/git-brew/git-brew/internal/task"
)

// Skip is a step that was passed over, in JSON.
type Skip struct {
	ID     task.UID `json:"id"` // the operation that recorded it
	Step   string   `json:"step"`
	Phase  string   `json:"phase,omitempty"`
	What   string   `json:"what"`
	Reason string   `json:"reason"` // "" where another command passed it
	At     string   `json:"at"`
	// Due: the step is due again since.
	Due bool `json:"due"`
}

func NewSkips(t task.Task) []Skip {
	all := make([]Skip, len(t.Skips))
	for i, k := range t.Skips {
		all[i] = Skip{
			ID: k.UID, Step: k.Step, Phase: PhaseID(t, k.Phase), What: k.Shown(t), Reason: k.Reason, At: k.At,
			Due: k.Over,
		}
	}
	return all
}
