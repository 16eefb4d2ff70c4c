package rules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// samples are operations that are allowed, one of each kind, with everything in them
// that a payload of the kind can hold. Each makes the state that it needs.
var samples = map[operation.Kind]func(s *story) any{
	task.OpEdit: func(*story) any {
		return task.EditPayload{
			Title: "Sign in", Branch: "feature/login", Type: "fix", Priority: task.PriorityHigh,
			AddServices:  []task.Service{{Path: "api", Base: "main", BaseCommit: commitA}},
			DropServices: []string{"web"}, AddIssues: []string{"#1"}, DropIssues: []string{"#2"},
		}
	},
	task.OpStart: func(*story) any { return task.StartPayload{Restart: true, TookFrom: "bob@laptop"} },
	task.OpPause: func(*story) any { return task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"} },
	task.OpResume: func(s *story) any {
		s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
		return task.EmptyPayload{}
	},
	task.OpFinish: func(s *story) any {
		s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
		return task.FinishPayload{
			Status: task.Failed, Cause: task.CauseError, Reason: "no way",
			Passed: []task.Passed{{Step: task.StepPlan, Phase: s.add(task.PhaseAddPayload{}), Lacks: 1}},
		}
	},
	task.OpDelete: func(*story) any { return task.EmptyPayload{} },
	task.OpStage: func(s *story) any {
		return task.StagePayload{
			Stage:  task.StagePlan,
			Passed: []task.Passed{{Step: task.StepPlan, Phase: s.add(task.PhaseAddPayload{}), Lacks: 1}},
		}
	},
	task.OpStepSkip: func(s *story) any {
		s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify})
		s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n")
		return task.SkipPayload{Passed: task.Passed{Step: task.StepClarify}, Reason: "simple", Questions: []string{"q"}}
	},
	task.OpPhaseAdd: func(s *story) any {
		one, two := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
		return task.PhaseAddPayload{
			Title: "Part", Kind: task.KindSplit, ShownID: "9", Parent: one, After: one, DependsOn: []task.UID{two},
			Acceptance: []string{"it works"}, Verification: []string{"make test"}, Tier: task.TierSenior,
			Agents: []string{"dev"},
		}
	},
	task.OpPhaseStart: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		return task.PhasePayload{
			Phase: p, Commit: commitA, Services: task.Commits{"api": commitA},
			Passed: []task.Passed{{Step: task.StepPlan, Phase: p, Lacks: 1}}, Claimed: true, Worker: "ann", Clean: true,
			Starts: map[task.UID]string{p: commitB},
		}
	},
	task.OpPhaseClaim: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.do(task.OpPhaseStart, task.PhasePayload{Phase: p, Claimed: true, Worker: "ann"})
		return task.ClaimPayload{Phase: p, Worker: "bob", From: s.phase(p).Claim.UID}
	},
	task.OpPhaseDone: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		return task.PhasePayload{
			Phase: p, Commit: commitB, Services: task.Commits{"api": commitB}, Clean: true,
			Starts: map[task.UID]string{p: commitB}, Passed: []task.Passed{{Step: task.StepPlan, Phase: p, Lacks: 1}},
			Claimed: true, Worker: "ann",
		}
	},
	task.OpPhaseReview: func(s *story) any {
		p := s.addExecuted(task.PhaseAddPayload{Verification: []string{"make test"}})
		s.verify(p, 0)
		return task.PhaseReviewPayload{
			Phase: p, Verdict: task.ReviewChanges, Iteration: 1, Reason: "wrong", Commit: commitB,
			Services: task.Commits{"api": commitB}, Starts: map[task.UID]string{p: commitB},
			Verified:   PassedRun(s.t, s.phase(p)),
			Deviations: []task.Deviation{{What: "a.go", Impact: task.ImpactHigh, Reason: "why"}}, User: true, MustEscalate: true,
			Heard: "s1",
		}
	},
	task.OpPhaseFail: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		return task.PhaseReasonPayload{Phase: p, Reason: "no way", MustEscalate: true}
	},
	task.OpPhaseDrop: func(s *story) any {
		return task.PhaseReasonPayload{Phase: s.addExecuted(task.PhaseAddPayload{}), Reason: "not wanted", MustEscalate: true}
	},
	task.OpPhaseReset: func(s *story) any {
		return task.PhaseReasonPayload{Phase: s.addExecuted(task.PhaseAddPayload{}), Reason: "again", MustEscalate: true}
	},
	task.OpPhaseEdit: func(s *story) any {
		one, two := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
		return task.PhaseEditPayload{
			Phase: s.add(task.PhaseAddPayload{
				Acceptance: []string{"a"}, Verification: []string{"make"}, Agents: []string{"ops"},
				DependsOn: []task.UID{two},
			}), Title: "Work", Tier: task.TierSenior, AddAcceptance: []string{"it works"},
			DropAcceptance:  []string{"a"},
			AddVerification: []string{"make test"}, DropVerification: []string{"make"}, AddAgents: []string{"dev"},
			DropAgents: []string{"ops"}, AddDependsOn: []task.UID{one}, DropDependsOn: []task.UID{two},
		}
	},
	task.OpPhaseVerify: func(s *story) any {
		p := s.addExecuted(task.PhaseAddPayload{Verification: []string{"make test"}})
		return task.VerifyPayload{
			Phase: p, Iteration: 1, Commit: commitB, Services: task.Commits{"api": commitB},
			Clean: true, Commands: []task.CommandRun{{Text: "make test", Exit: 1, TimedOut: true, MS: 5}}, MustEscalate: true,
		}
	},
	task.OpPhaseEscalate: func(s *story) any {
		p := s.addExecuted(task.PhaseAddPayload{})
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p, Verdict: task.ReviewChanges, Reason: "wrong",
			MustEscalate: true,
		})
		return task.EscalatePayload{
			Phase: p, Action: task.ActionResearch, Ladder: task.LadderBrew, Reason: "stuck",
			Agreed: []string{"a", "b"},
		}
	},
	task.OpPhaseError: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		return task.AgentErrorPayload{Phase: p, Iteration: 1, Agent: "dev", Text: "out of memory"}
	},
	task.OpPhaseTurn: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		return task.TurnPayload{Phase: p, Iteration: 1, Turn: task.Turn{
			By: task.ByJunior, Client: "claude", Outcome: task.TurnLimited, Reason: "usage limit", Commit: commitA,
			Until: "2026-01-01T00:00:00Z", Cost: task.Cost{MS: 1, Input: 2, Output: 3, MicroUSD: 4},
		}}
	},
	task.OpPhaseLaunch: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		return task.PhaseLaunchPayload{Phase: p, Agent: "dev"}
	},
	task.OpDocSet: func(s *story) any {
		s.write(task.DocPlan, "one\n")
		return task.DocSetPayload{Name: task.DocPlan, Base: s.t.Docs[task.DocPlan].OID, OID: s.texts.put("two\n")}
	},
	task.OpDocResolve: func(s *story) any {
		s.write(task.DocPlan, "one\n")
		s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocPlan, OID: s.texts.put("other\n")})
		return task.DocResolvePayload{Conflict: s.t.Conflicts[0].UID, OID: s.texts.put("both\n")}
	},
	task.OpReport: func(s *story) any {
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		return task.ReportPayload{
			Phase: p, Iteration: 1, Verify: true, Agent: "dev", Base: s.texts.put("was\n"),
			OID: s.texts.put("done\n"),
		}
	},
	task.OpKnowledgeAdd: func(*story) any {
		return task.KnowledgeAddPayload{
			TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "tokens are strings", Src: "dev",
			Paths: []string{"*.go"},
		}
	},
	task.OpKnowledgeRemove: func(s *story) any {
		return task.KnowledgeRemovePayload{IDs: []operation.ID{s.do(task.OpKnowledgeAdd,
			task.KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "x"})}, Reason: "wrong"}
	},
	task.OpRemarkAdd: func(s *story) any {
		s.write(task.DocPlan, "text\n")
		return task.RemarkAddPayload{
			On: task.BoardName(task.DocPlan), Reviewer: "ann", Voter: "s1/ann", Severity: task.Major,
			Text: "a gap", File: "a.go", Line: 7, Seen: s.t.Docs[task.DocPlan].OID,
		}
	},
	task.OpRemarkVote: func(s *story) any {
		s.gap(task.DocPlan)
		return task.RemarkVotePayload{
			Remark: s.t.Remarks[0].UID, Reviewer: "cid", Voter: "s2",
			Seen: s.t.Docs[task.DocPlan].OID, Against: true, Reason: "no",
		}
	},
	task.OpRemarkResolve: func(s *story) any {
		s.gap(task.DocPlan)
		return task.RemarkResolvePayload{Remark: s.t.Remarks[0].UID, Reason: "done"}
	},
	task.OpBoardReady: func(s *story) any {
		s.write(task.DocPlan, "text\n")
		return task.BoardReadyPayload{
			On: task.BoardName(task.DocPlan), Reviewer: "ann", Voter: "s1",
			Seen: s.t.Docs[task.DocPlan].OID, Reason: "read",
		}
	},
	task.OpDecisionAdd: func(s *story) any {
		d := s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: "Use maps"})
		return task.DecisionAddPayload{
			Title: "Use tables", Why: "they read",
			Rejected: []task.Alternative{{What: "maps", Why: "no order"}}, Phase: s.add(task.PhaseAddPayload{}), Supersedes: d,
		}
	},
	task.OpDecisionRevoke: func(s *story) any {
		return task.DecisionRevokePayload{
			Decision: s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: "Use maps"}),
			Reason:   "no",
		}
	},
	task.OpStepHook: func(s *story) any {
		p := task.StepHookPayload{
			Step: task.StepExecute, Phase: s.add(task.PhaseAddPayload{}), When: task.HookPost,
			Runs: []task.HookRun{hookRun("ops/x", task.HookDue, true)},
		}
		p.Record, p.Runs[0].Outcome = s.do(task.OpStepHook, p), task.HookFailed
		return p
	},
	task.OpHookSkip: func(s *story) any {
		record := s.do(task.OpStepHook, task.StepHookPayload{
			Step: task.StepExecute, When: task.HookPost,
			Runs: []task.HookRun{hookRun("ops/x", task.HookFailed, false)},
		})
		return task.HookSkipPayload{Record: record, Reason: "it is down"}
	},
	task.OpLockLost: func(*story) any {
		return task.LockLostPayload{Fence: 1, Claim: commitA, To: commitB, ToFence: 1, Holder: "bob@laptop"}
	},
	task.OpCreate: func(s *story) any {
		s.t = task.Task{}
		return task.CreatePayload{
			ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth", Base: "main",
			BaseCommit: commitA, Stage: task.StageExecute,
			Services: []task.Service{{Path: "api", Base: "main", BaseCommit: commitA}}, Issues: []string{"#1"},
			Priority: task.PriorityHigh,
		}
	},
}

// hostileTexts are put in every place of a payload that has a text, hostileNumbers
// where it has a number.
var (
	hostileTexts = []string{
		"", "a\nb", "\x1b[2Jx", "\u202ex", "../../x", commitA, string(testUID(77)), strings.Repeat("x", 600),
		strings.Repeat("x", 20_000),
	}
	hostileNumbers = []float64{-1, 0, 1 << 50}
)

// Every field of every kind, with what nobody means to put there: what is refused says
// so in a line, what is allowed is not left out by the fold, and whatever the fold makes
// of it can be written and read again (each clone folds what any other one sends).
func TestApply_everyField_hostile(t *testing.T) {
	t.Parallel()
	for _, k := range kindsDeclared(t) {
		if k == task.OpUndo || k == task.OpUndoOpen {
			continue // what they take back is read from the history: TestUndo_forged
		}
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			make, listed := samples[k]
			if !listed {
				t.Fatal("there is no sample of it")
			}
			s := started(t)
			sample := make(s)
			if of := reflect.ValueOf(sample); of.NumField() > 0 {
				for i := range of.NumField() {
					if f := of.Type().Field(i); of.Field(i).IsZero() && !f.Anonymous {
						t.Errorf("the sample has no %s", f.Name)
					}
				}
			}
			if op := s.next(k, sample); Check(s.t, op) != nil {
				t.Fatalf("the sample: %v", Check(s.t, op))
			} else if _, applied := Apply(s.t, op, s.texts); !applied {
				t.Fatal("the sample changes nothing")
			}
			var whole any
			if err := json.Unmarshal(encodePayload(t, sample), &whole); err != nil {
				t.Fatal(err)
			}
			mutated(whole, func(v any) { whole = v }, func() { hostileTo(t, s, k, whole) })
		})
	}
}

// hostileTo looks what becomes of an operation.
func hostileTo(t *testing.T, s *story, k operation.Kind, payload any) {
	t.Helper()
	op := s.next(k, payload)
	s.minute-- // it is made at the same time as the others
	shown := string(op.Payload[:min(len(op.Payload), 400)])
	refused := Check(s.t, op)
	after, applied := Apply(s.t, op, s.texts)
	if refused == nil && !applied {
		t.Errorf("allowed, and changes nothing: %s", shown)
	}
	if refused != nil {
		known := slices.ContainsFunc([]error{task.ErrNoTask, task.ErrNoPhase, task.ErrNoDocument, task.ErrNoEntry},
			func(e error) bool {
				return errors.Is(refused, e)
			})
		if _, ok := errors.AsType[*task.RefusedError](refused); !ok && !known {
			t.Errorf("refused with %T %v: %s", refused, refused, shown)
		}
		if said := refused.Error(); said == "" || len(said) > 2000 || strings.ContainsAny(said, "\n\x1b") {
			t.Errorf("refused with %q: %s", said[:min(len(said), 200)], shown)
		}
	}
	if !applied {
		return // TestApply_hostile looks at that
	}
	files := stored(t, after)
	back, err := task.Decode(files)
	if err != nil {
		t.Errorf("the fold takes what nobody reads: %v: %s", err, shown)
		return
	}
	if a, b := string(files[task.TaskFile].Data), string(must(task.Encode(back))[task.TaskFile].Data); a != b {
		t.Errorf("read back differently: %s\n%s\n%s", shown, a, b)
	}
	report.Subject(op, s.t, after)
	route.Next(after)
}

// mutated puts hostile values in every place of a decoded payload, one after another;
// set puts a value where v is.
func mutated(v any, set func(any), try func()) {
	put := func(all ...any) {
		for _, other := range all {
			set(other)
			try()
		}
		set(v)
	}
	put(nil, true)
	switch v := v.(type) {
	case string:
		for _, text := range hostileTexts {
			put(text)
		}
	case float64:
		for _, n := range hostileNumbers {
			put(n)
		}
	case []any:
		many := make([]any, 0, 2000)
		for i := range 2000 {
			if text, ok := v[0].(string); ok {
				many = append(many, fmt.Sprintf("%s%d", text, i))
			} else {
				many = append(many, v[0])
			}
		}
		put([]any{}, many, append(slices.Clone(v), v...))
		for i := range v {
			mutated(v[i], func(x any) { v[i] = x }, try)
		}
	case map[string]any:
		for key, value := range v {
			mutated(value, func(x any) { v[key] = x }, try)
			if _, field := value.(string); !field {
				continue
			}
			delete(v, key)
			for _, other := range hostileTexts[:5] {
				v[other] = value
				try()
				delete(v, other)
			}
			v[key] = value
		}
	}
}
