package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// What each command of a phase does where the phase stands, in the order of
// phaseCommands: the status that follows, = where it stays; "-" is refused (exit
// 5), with what to do instead, and changes nothing where it was made elsewhere; what
// is in brackets is refused, too, and counts where it was made before somebody heard
// that it is not allowed. A phase that review sent back is "changes".
const phaseCommands = "start done approve reject fail reset revise split drop"

var phaseTable = []struct{ at, then string }{
	//               start         done      approve   reject  fail   reset   revise  split   drop
	{"pending", "     in_progress   -         -         -       failed -       (=)     =       dropped"},
	{"in_progress", " -             in_review -         -       failed pending (=)     pending dropped"},
	{"in_review", "   -             -         completed changes failed pending changes pending dropped"},
	{"changes", "     in_progress   -         completed =       failed pending =       pending dropped"},
	{"completed", "   -             -         -         -       -      pending (changes) -       -"},
	{"failed", "      in_progress   -         -         -       -      pending (=)     pending dropped"},
	{"dropped", "     -             -         -         -       -      pending -       -       -"},
	{"paused", "      -             -         -         -       failed pending (=)     pending dropped"},
}

// standsAt makes a phase that stands there.
func standsAt(t *testing.T, at string) (*story, task.UID) {
	t.Helper()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	if at == "pending" {
		return s, p
	}
	switch at {
	case "failed":
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no way"})
		return s, p
	case "dropped":
		s.do(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p, Reason: "not wanted"})
		return s, p
	}
	s.start(p)
	switch at {
	case "paused":
		s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
		return s, p
	case "in_progress":
		return s, p
	}
	s.executed(p)
	switch at {
	case "changes":
		s.reject(p, "wrong")
	case "completed":
		s.approve(p)
	}
	return s, p
}

func stands(p task.Phase) string {
	if p.Status == task.PhaseInReview && p.Review == task.ReviewChanges {
		return "changes"
	}
	return string(p.Status)
}

// BC-32, SP-1, SP-11: every command in every state, allowed or refused.
func TestPhaseCommands_BC32_everyPair(t *testing.T) {
	t.Parallel()
	for _, row := range phaseTable {
		want := strings.Fields(row.then)
		for i, name := range strings.Fields(phaseCommands) {
			s, p := standsAt(t, row.at)
			kind, payload, _ := phaseCommand(name, p)
			then := strings.Trim(want[i], "()")
			switch {
			case want[i] == "-":
				s.refusedWithAdvice(row.at+", "+name, kind, payload)
				s.superseded(kind, payload)
				continue
			case then != want[i]:
				s.refusedWithAdvice(row.at+", "+name, kind, payload)
				s.force(s.next(kind, payload))
			default:
				s.do(kind, payload)
			}
			if then == "=" {
				then = strings.Replace(row.at, "paused", "in_progress", 1)
			}
			if got := stands(s.phase(p)); got != then {
				t.Errorf("%s, %s: %s, want %s", row.at, name, got, then)
			}
		}
	}
}
