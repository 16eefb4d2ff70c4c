package records

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// trimmed are phases as a snapshot holds them, and whether that is less than they
// are. What reviews said of a completed one, and how its commands came out, decides
// nothing any more; there may be hundreds of them in each phase, and every hook would
// decode them all.
func trimmed(phases []task.Phase) (brief []task.Phase, less bool) {
	brief = phases
	for i, p := range phases {
		if p.Status != task.PhaseCompleted || len(p.Deviations) == 0 && p.Verified == nil {
			continue
		}
		if !less {
			brief, less = slices.Clone(phases), true
		}
		brief[i].Deviations, brief[i].Verified = nil, nil
	}
	return brief, less
}
