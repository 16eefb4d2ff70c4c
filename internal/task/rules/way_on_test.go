package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// mayFollow: what a refusal says to do about a phase is not refused in its turn.
func (s *story) mayFollow(name, hint string) {
	s.Helper()
	_, command, said := strings.Cut(hint, "git brew ")
	words := strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("',;", r) {
			return ' '
		}
		return r
	}, command))
	if said && words[0] == "start" && (len(words) == 1 || words[1] != "--restart") {
		s.allowed(name+": "+hint, task.OpStart, task.StartPayload{})
	}
	// a review only looks
	if !said || words[0] != "phase" || len(words) < 3 || words[1] == "review" || strings.Contains(hint, " once ") {
		return
	}
	p, err := s.t.FindPhase(words[2])
	if err != nil {
		s.Errorf("%s: %q names no phase", name, hint)
		return
	}
	kind, payload, known := phaseCommand(words[1], p.UID)
	if review, ok := payload.(task.PhaseReviewPayload); ok {
		review.Verified = PassedRun(s.t, p)
		payload = review
	}
	if !known {
		s.Fatalf("%s: %q is not known here", name, hint)
	}
	s.allowed(name+": "+hint, kind, payload)
}

func (s *story) allowed(name string, kind operation.Kind, payload any) {
	s.Helper()
	if err := Check(s.t, s.next(kind, payload)); err != nil {
		s.Errorf("%s; which is refused: %v", name, err)
	}
}

// phaseCommand is what a command of a phase makes.
func phaseCommand(name string, p task.UID) (kind operation.Kind, payload any, known bool) {
	switch name {
	case "start":
		return task.OpPhaseStart, task.PhasePayload{Phase: p}, true
	case "done":
		return task.OpPhaseDone, task.PhasePayload{Phase: p}, true
	case "approve":
		return task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved}, true
	case "reject":
		return task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewChanges, Reason: "wrong"}, true
	case "fail":
		return task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no way"}, true
	case "drop":
		return task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p, Reason: "not wanted"}, true
	case "reset":
		return task.OpPhaseReset, task.PhaseReasonPayload{Phase: p}, true
	case "revise":
		return task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p}, true
	case "split":
		return task.OpPhaseAdd, task.PhaseAddPayload{Title: "Part", Kind: task.KindSplit, Parent: p}, true
	case "launch":
		return task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: p, Agent: "dev"}, true
	case "error":
		return task.OpPhaseError, task.AgentErrorPayload{Phase: p, Agent: "dev", Iteration: 7, Text: "no"}, true
	case "report":
		return task.OpReport, task.ReportPayload{Phase: p, Agent: "dev", OID: commitA}, true
	case "verify":
		return task.OpPhaseVerify, task.VerifyPayload{
			Phase: p, Iteration: 1, Clean: true,
			Commands: []task.CommandRun{{Text: "true"}},
		}, true
	case "remark":
		return task.OpRemarkAdd, task.RemarkAddPayload{On: task.BoardOf(p), Severity: task.Critical, Text: "wrong"}, true
	}
	return "", nil, false
}

// Where a phase waits for others, has to be escalated, was given up, or is judged by
// others, what a refusal says to do is something that can be done.
func TestRefusals_SP11_BC51_whatTheySayCanBeDone(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(s *story) task.UID{
		"parts are open": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
			return p
		},
		"split elsewhere, worked on": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
			s.force(s.next(task.OpPhaseStart, task.PhasePayload{Phase: p, Commit: commitA}))
			return p
		},
		"it depends on another one": func(s *story) task.UID {
			return s.add(task.PhaseAddPayload{DependsOn: []task.UID{s.add(task.PhaseAddPayload{})}})
		},
		"it failed, and depends on another one": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{DependsOn: []task.UID{s.add(task.PhaseAddPayload{})}})
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no"})
			return p
		},
		"research comes first": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.add(task.PhaseAddPayload{Kind: task.KindResearch, Parent: p})
			return p
		},
		"spent": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.start(p)
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no", MustEscalate: true})
			return p
		},
		"a fix that was given up": func(s *story) task.UID {
			p := s.addExecuted(task.PhaseAddPayload{})
			f := s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: f, Reason: "no"})
			s.approve(p)
			return f
		},
		"a verification judges it": func(s *story) task.UID {
			p := s.addExecuted(task.PhaseAddPayload{})
			s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
			return p
		},
		"a verification waits": func(s *story) task.UID {
			return s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: s.add(task.PhaseAddPayload{})})
		},
		"a report is owed": func(s *story) task.UID {
			return s.addExecuted(task.PhaseAddPayload{Agents: []string{"dev"}})
		},
		"commands are to be run": func(s *story) task.UID {
			return s.addExecuted(task.PhaseAddPayload{Verification: []string{"true"}})
		},
		"a fix of it is open": func(s *story) task.UID {
			p := s.addExecuted(task.PhaseAddPayload{})
			s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
			return p
		},
		"the final review waits": func(s *story) task.UID {
			s.add(task.PhaseAddPayload{})
			return s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
		},
		"the final review is under way, and more is to be done": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
			s.start(p)
			s.add(task.PhaseAddPayload{})
			return p
		},
		"the final review's board is not READY": func(s *story) task.UID {
			return s.addExecuted(task.PhaseAddPayload{Kind: task.KindFinalReview})
		},
		"completed": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.complete(p)
			return p
		},
		"dropped": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.do(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p, Reason: "no"})
			return p
		},
		"dropped with what it is a part of": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			v := s.add(task.PhaseAddPayload{
				Kind:   task.KindVerification,
				Parent: s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p}),
			})
			s.do(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p, Reason: "no"})
			return v
		},
		"completed, and what it is a part of dropped": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
			s.complete(part)
			s.do(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p, Reason: "no"})
			return part
		},
		"the task is blocked": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "money"})
			return p
		},
		"the task is handed off": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.start(p)
			s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
			return p
		},
		"the plan is not ready": func(s *story) task.UID {
			p := s.add(task.PhaseAddPayload{})
			s.t.Unready = task.Unready{N: 1}
			return p
		},
	} {
		refused := 0
		for command := range strings.FieldsSeq(phaseCommands + " review launch error report verify remark") {
			s := started(t)
			p := make(s)
			kind, payload, known := phaseCommand(command, p)
			if !known {
				continue // approve is review
			}
			err := Check(s.t, s.next(kind, payload))
			if why, ok := err.(*task.RefusedError); ok { //nolint:errorlint // as Check says
				refused++
				s.mayFollow(name+", "+command+": "+why.Msg, why.Hint)
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing is refused", name)
		}
	}
}
