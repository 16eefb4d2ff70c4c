package rules

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

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
	case t.Status != task.InProgress && p.Status != task.PhaseInReview:
		return "'git brew start' first"
	case p.Status == task.PhaseInProgress && DoneBlocked(t, p) == nil:
		return "git brew phase done " + p.ID + " when the work is done"
	}
	return "see 'git brew next'"
}

// wrongStatus refuses what a phase is not ready for where it stands.
func wrongStatus(t task.Task, p task.Phase, why string) error {
	return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s: %s", p.ID, p.Status, why), nextHint(t, p))
}

// full refuses more of what there is as much as fits.
func full(have, most int, what, hint string) error {
	if have < most {
		return nil
	}
	return task.Refuse(task.CodeTaskState, fmt.Sprintf("there are %d %s, no more fit", have, what), hint)
}

// noReason refuses what nobody says why of.
func noReason(what, reason string) error {
	if strings.TrimSpace(reason) != "" {
		return nil
	}
	return task.Refuse(task.CodeInvalid, what+" needs a reason", "say why, with -m")
}

// errNoID refuses an operation whose id is another one's.
func errNoID() error { return task.Refuse(task.CodeInvalid, "the operation has no id of its own", "") }
