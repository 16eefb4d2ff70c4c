package review

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/task"
)

// unchanged notes that a phase which is approved changed no file since it was
// started: that may be as it should, and nobody should learn it from the diff alone.
// What looks or finds out changes none; where nobody can tell, nothing is said.
func (s *Reviews) unchanged(ctx context.Context, t task.Task, p task.Phase) []string {
	if p.StartCommit == "" || !slices.Contains(task.WorkKinds, p.Kind) {
		return nil
	}
	r, err := s.Code.ReviewRange(ctx, t, p)
	if err != nil || len(r.Missing) > 0 || slices.ContainsFunc(r.Files,
		func(f codediff.ReviewFile) bool { return f.Status != "" }) {
		return nil
	}
	return []string{"phase " + p.ID + " changed no file since it was started"}
}
