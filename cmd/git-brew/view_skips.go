package main

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// skipDocument is a step that was passed over, in JSON.
type skipDocument struct {
	ID     task.UID `json:"id"` // the operation that recorded it
	Step   string   `json:"step"`
	Phase  string   `json:"phase,omitempty"`
	What   string   `json:"what"`
	Reason string   `json:"reason"` // "" where another command passed it
	At     string   `json:"at"`
	// Due: the step is due again since.
	Due bool `json:"due"`
}

func newSkipDocuments(t task.Task) []skipDocument {
	all := make([]skipDocument, len(t.Skips))
	for i, k := range t.Skips {
		all[i] = skipDocument{ID: k.UID, Step: k.Step, Phase: shownPhase(t, k.Phase), What: k.Shown(t), Reason: k.Reason, At: k.At, Due: k.Over}
	}
	return all
}

// skipWords names what was skipped, for people: each once, and nothing that is
// due again.
func skipWords(t task.Task) string {
	var words, plans []string
	for i, k := range newSkipDocuments(t) {
		switch {
		case k.Due || !t.Skips[i].Told() || slices.Contains(words, k.What) || slices.Contains(plans, k.Phase):
		case k.Phase != "":
			plans = append(plans, k.Phase)
		default:
			words = append(words, k.What)
		}
	}
	switch len(plans) {
	case 0:
	case 1:
		words = append(words, "the plan of phase "+plans[0])
	default:
		words = append(words, "the plans of phases "+strings.Join(plans, ", "))
	}
	return strings.Join(words, "; ")
}
