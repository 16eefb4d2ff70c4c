package taskview

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/view"
)

// skipWords names what was skipped, for people: each once, and nothing that is
// due again.
func skipWords(t task.Task) string {
	var words, plans []string
	for i, k := range view.NewSkips(t) {
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
