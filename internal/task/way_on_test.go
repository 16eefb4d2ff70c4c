package task_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
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
		s.allowed(name+": "+hint, OpStart, StartPayload{})
	}
	if !said || words[0] != "phase" || len(words) < 3 || words[1] == "review" || strings.Contains(hint, " once ") { // a review only looks
		return
	}
	p, err := s.t.FindPhase(words[2])
	if err != nil {
		s.Errorf("%s: %q names no phase", name, hint)
		return
	}
	kind, payload, known := phaseCommand(words[1], p.UID)
	if review, ok := payload.(PhaseReviewPayload); ok {
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
func phaseCommand(name string, p UID) (kind operation.Kind, payload any, known bool) {
	switch name {
	case "start":
		return OpPhaseStart, PhasePayload{Phase: p}, true
	case "done":
		return OpPhaseDone, PhasePayload{Phase: p}, true
	case "approve":
		return OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved}, true
	case "reject":
		return OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "wrong"}, true
	case "fail":
		return OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "no way"}, true
	case "drop":
		return OpPhaseDrop, PhaseReasonPayload{Phase: p, Reason: "not wanted"}, true
	case "reset":
		return OpPhaseReset, PhaseReasonPayload{Phase: p}, true
	case "revise":
		return OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p}, true
	case "split":
		return OpPhaseAdd, PhaseAddPayload{Title: "Part", Kind: KindSplit, Parent: p}, true
	case "launch":
		return OpPhaseLaunch, PhaseLaunchPayload{Phase: p, Agent: "dev"}, true
	case "error":
		return OpPhaseError, AgentErrorPayload{Phase: p, Agent: "dev", Iteration: 7, Text: "no"}, true
	case "report":
		return OpReport, ReportPayload{Phase: p, Agent: "dev", OID: commitA}, true
	case "verify":
		return OpPhaseVerify, VerifyPayload{Phase: p, Iteration: 1, Clean: true, Commands: []CommandRun{{Text: "true"}}}, true
	case "remark":
		return OpRemarkAdd, RemarkAddPayload{On: BoardOf(p), Severity: Severities[0], Text: "wrong"}, true
	}
	return "", nil, false
}

// Where a phase waits for others, has to be escalated, was given up, or is judged by
// others, what a refusal says to do is something that can be done.
func TestRefusals_SP11_BC51_whatTheySayCanBeDone(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(s *story) UID{
		"parts are open": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
			return p
		},
		"split elsewhere, worked on": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
			s.force(s.next(OpPhaseStart, PhasePayload{Phase: p, Commit: commitA}))
			return p
		},
		"it depends on another one": func(s *story) UID {
			return s.add(PhaseAddPayload{DependsOn: []UID{s.add(PhaseAddPayload{})}})
		},
		"it failed, and depends on another one": func(s *story) UID {
			p := s.add(PhaseAddPayload{DependsOn: []UID{s.add(PhaseAddPayload{})}})
			s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "no"})
			return p
		},
		"research comes first": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.add(PhaseAddPayload{Kind: KindResearch, Parent: p})
			return p
		},
		"spent": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.start(p)
			s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "no", MustEscalate: true})
			return p
		},
		"a fix that was given up": func(s *story) UID {
			p := s.addExecuted(PhaseAddPayload{})
			f := s.add(PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
			s.do(OpPhaseFail, PhaseReasonPayload{Phase: f, Reason: "no"})
			s.approve(p)
			return f
		},
		"a verification judges it": func(s *story) UID {
			p := s.addExecuted(PhaseAddPayload{})
			s.add(PhaseAddPayload{Kind: KindVerification, Parent: p})
			return p
		},
		"a verification waits": func(s *story) UID {
			return s.add(PhaseAddPayload{Kind: KindVerification, Parent: s.add(PhaseAddPayload{})})
		},
		"a report is owed": func(s *story) UID {
			return s.addExecuted(PhaseAddPayload{Agents: []string{"dev"}})
		},
		"commands are to be run": func(s *story) UID {
			return s.addExecuted(PhaseAddPayload{Verification: []string{"true"}})
		},
		"a fix of it is open": func(s *story) UID {
			p := s.addExecuted(PhaseAddPayload{})
			s.add(PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
			return p
		},
		"the final review waits": func(s *story) UID {
			s.add(PhaseAddPayload{})
			return s.add(PhaseAddPayload{Kind: KindFinalReview})
		},
		"the final review is under way, and more is to be done": func(s *story) UID {
			p := s.add(PhaseAddPayload{Kind: KindFinalReview})
			s.start(p)
			s.add(PhaseAddPayload{})
			return p
		},
		"the final review's board is not READY": func(s *story) UID {
			return s.addExecuted(PhaseAddPayload{Kind: KindFinalReview})
		},
		"completed": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.complete(p)
			return p
		},
		"dropped": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.do(OpPhaseDrop, PhaseReasonPayload{Phase: p, Reason: "no"})
			return p
		},
		"dropped with what it is a part of": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})})
			s.do(OpPhaseDrop, PhaseReasonPayload{Phase: p, Reason: "no"})
			return v
		},
		"completed, and what it is a part of dropped": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			part := s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
			s.complete(part)
			s.do(OpPhaseDrop, PhaseReasonPayload{Phase: p, Reason: "no"})
			return part
		},
		"the task is blocked": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.do(OpPause, PausePayload{Cause: CauseWaiting, Reason: "money"})
			return p
		},
		"the task is handed off": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.start(p)
			s.do(OpPause, PausePayload{Cause: CauseHandoff})
			return p
		},
		"the plan is not ready": func(s *story) UID {
			p := s.add(PhaseAddPayload{})
			s.t.Unready = Unready{N: 1}
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
			if why, ok := err.(*RefusedError); ok { //nolint:errorlint // as Check says
				refused++
				s.mayFollow(name+", "+command+": "+why.Msg, why.Hint)
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing is refused", name)
		}
	}
}
