package workflow

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
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

// untrim gives a view the phases as they are.
func (s *Service) untrim(ctx context.Context, v *View) error {
	tip, err := gitstore.ParseOID(v.Tip)
	if err != nil {
		return err
	}
	whole, err := ledger.Load(ctx, s.ledger, taskLaw{}, tip)
	if err != nil {
		return fmt.Errorf("read task %s: %w", v.Task.ID, err)
	}
	v.Task.Phases = whole.Phases
	return nil
}
