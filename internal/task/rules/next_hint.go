package rules

import "github.com/git-brew/git-brew/internal/task"

// nextHint is what takes p on from where it stands, said where something else was
// refused: a command that would not be refused in its turn, or where that is told
// which comes first.
func nextHint(t task.Task, p task.Phase) string {
	above := droppedAbove(t, p)
	switch {
	case t.Status.Terminal():
	case above != nil:
		return takeUp(*above)
	case p.Status == task.PhaseCompleted:
		return "'git brew phase reset " + p.ID + "' does it again"
	case p.Status == task.PhaseDropped:
		return takeUp(p)
	case p.Status == task.PhaseInProgress && t.Status != task.InProgress:
		return "'git brew start' goes on with it"
	case t.Status != task.InProgress && p.Status != task.PhaseInReview:
		return "'git brew start' first"
	case p.Status == task.PhaseInProgress && DoneBlocked(t, p) == nil:
		return "git brew phase done " + p.ID + " when the work is done"
	case p.Status == task.PhaseInReview && UpForReview(t, p) && checkCompletion(t, p, PassedRun(t, p)) == nil:
		return "'git brew phase review " + p.ID + "' shows what there is to judge"
	case (p.Status == task.PhasePending || p.Status == task.PhaseFailed) && checkBegin(t, p) == nil:
		return "git brew phase start " + p.ID
	}
	return "see 'git brew next'"
}
