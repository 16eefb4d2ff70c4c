package task

// wayOn is what takes p on from where it stands, said where something else was
// refused: a command that would not be refused in its turn, or where that is told
// which comes first.
func (t Task) wayOn(p Phase) string {
	switch {
	case t.Status.Terminal():
	case p.Status == PhaseCompleted:
		return "'git brew phase reset " + p.ID + "' does it again"
	case p.Status == PhaseHandoff:
		return "'git brew start' goes on with it"
	case t.Status != InProgress && p.Status != PhaseExecuting && p.Status != PhaseExecuted:
		return "'git brew start' first"
	case p.Status == PhaseExecuting && t.doneBlocked(p) == nil:
		return "git brew phase executed " + p.ID + " when the work is done"
	case p.Status == PhaseExecuted && upForReview(t, p) && checkCompletion(t, p, PassedRun(t, p)) == nil:
		return "git brew phase review " + p.ID + " --approve, or --reject WHY"
	case (p.Status == PhasePending || p.Status == PhaseFailed) && checkBegin(t, p) == nil:
		return "git brew phase start " + p.ID
	}
	return "see 'git brew next'"
}
