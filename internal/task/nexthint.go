package task

// wayOn is what takes p on from where it stands, said where something else was
// refused: a command that would not be refused in its turn, or where that is told
// which comes first.
func nextHint(t Task, p Phase) string {
	above := droppedAbove(t, p)
	switch {
	case t.Status.Terminal():
	case above != nil:
		return takeUp(*above)
	case p.Status == PhaseCompleted:
		return "'git brew phase reset " + p.ID + "' does it again"
	case p.Status == PhaseDropped:
		return takeUp(p)
	case p.Status == PhaseInProgress && t.Status != InProgress:
		return "'git brew start' goes on with it"
	case t.Status != InProgress && p.Status != PhaseInReview:
		return "'git brew start' first"
	case p.Status == PhaseInProgress && DoneBlocked(t, p) == nil:
		return "git brew phase done " + p.ID + " when the work is done"
	case p.Status == PhaseInReview && UpForReview(t, p) && checkCompletion(t, p, PassedRun(t, p)) == nil:
		return "'git brew phase review " + p.ID + "' shows what there is to judge"
	case (p.Status == PhasePending || p.Status == PhaseFailed) && checkBegin(t, p) == nil:
		return "git brew phase start " + p.ID
	}
	return "see 'git brew next'"
}
