package task_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
)

// samples are operations that are allowed, one of each kind, with everything in them
// that a payload of the kind can hold. Each makes the state that it needs.
var samples = map[operation.Kind]func(s *story) any{
	OpEdit: func(*story) any {
		return EditPayload{
			Title: "Sign in", Branch: "feature/login", Type: "fix", Priority: PriorityHigh, AddServices: []Service{{Path: "api", Base: "main", BaseCommit: commitA}},
			DropServices: []string{"web"}, AddIssues: []string{"#1"}, DropIssues: []string{"#2"},
		}
	},
	OpStart:  func(*story) any { return StartPayload{Restart: true, TookFrom: "bob@laptop"} },
	OpPause:  func(*story) any { return PausePayload{Cause: CauseWaiting, Reason: "waits"} },
	OpResume: func(s *story) any { s.do(OpPause, PausePayload{Cause: CauseHandoff}); return EmptyPayload{} },
	OpFinish: func(s *story) any {
		s.do(OpStage, StagePayload{Stage: StageResearch})
		return FinishPayload{Status: Failed, Cause: CauseError, Reason: "no way", Passed: []Passed{{Step: StepPlan, Phase: s.add(PhaseAddPayload{}), Lacks: 1}}}
	},
	OpDelete: func(*story) any { return EmptyPayload{} },
	OpStage: func(s *story) any {
		return StagePayload{Stage: StagePlan, Passed: []Passed{{Step: StepPlan, Phase: s.add(PhaseAddPayload{}), Lacks: 1}}}
	},
	OpStepSkip: func(s *story) any {
		s.do(OpStage, StagePayload{Stage: StageClarify})
		s.write(DocContext, "# Gray Areas Remaining\n- [ ] q\n")
		return SkipPayload{Passed: Passed{Step: StepClarify}, Reason: "simple", Questions: []string{"q"}}
	},
	OpPhaseAdd: func(s *story) any {
		one, two := s.add(PhaseAddPayload{}), s.add(PhaseAddPayload{})
		return PhaseAddPayload{
			Title: "Part", Kind: KindSplit, ShownID: "9", Parent: one, After: one, DependsOn: []UID{two},
			Acceptance: []string{"it works"}, Verification: []string{"make test"}, Tier: TierSenior, Agents: []string{"dev"},
		}
	},
	OpPhaseStart: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		return PhasePayload{Phase: p, Commit: commitA, Services: Commits{"api": commitA}, Passed: []Passed{{Step: StepPlan, Phase: p, Lacks: 1}}, Claimed: true, Worker: "ann", Clean: true, Starts: map[UID]string{p: commitB}}
	},
	OpPhaseClaim: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		s.do(OpPhaseStart, PhasePayload{Phase: p, Claimed: true, Worker: "ann"})
		return ClaimPayload{Phase: p, Worker: "bob", From: s.phase(p).Claim.UID}
	},
	OpPhaseDone: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		s.start(p)
		return PhasePayload{Phase: p, Commit: commitB, Services: Commits{"api": commitB}, Clean: true, Starts: map[UID]string{p: commitB}, Passed: []Passed{{Step: StepPlan, Phase: p, Lacks: 1}}, Claimed: true, Worker: "ann"}
	},
	OpPhaseReview: func(s *story) any {
		p := s.addExecuted(PhaseAddPayload{Verification: []string{"make test"}})
		s.verify(p, 0)
		return PhaseReviewPayload{
			Phase: p, Verdict: ReviewChanges, Iteration: 1, Reason: "wrong", Commit: commitB, Services: Commits{"api": commitB}, Starts: map[UID]string{p: commitB},
			Verified: PassedRun(s.t, s.phase(p)), Deviations: []Deviation{{What: "a.go", Impact: ImpactHigh, Reason: "why"}}, User: true, MustEscalate: true, Heard: "s1",
		}
	},
	OpPhaseFail: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		s.start(p)
		return PhaseReasonPayload{Phase: p, Reason: "no way", MustEscalate: true}
	},
	OpPhaseDrop: func(s *story) any {
		return PhaseReasonPayload{Phase: s.addExecuted(PhaseAddPayload{}), Reason: "not wanted", MustEscalate: true}
	},
	OpPhaseReset: func(s *story) any {
		return PhaseReasonPayload{Phase: s.addExecuted(PhaseAddPayload{}), Reason: "again", MustEscalate: true}
	},
	OpPhaseEdit: func(s *story) any {
		one, two := s.add(PhaseAddPayload{}), s.add(PhaseAddPayload{})
		return PhaseEditPayload{
			Phase: s.add(PhaseAddPayload{Acceptance: []string{"a"}, Verification: []string{"make"}, Agents: []string{"ops"}, DependsOn: []UID{two}}), Title: "Work", Tier: TierSenior, AddAcceptance: []string{"it works"}, DropAcceptance: []string{"a"},
			AddVerification: []string{"make test"}, DropVerification: []string{"make"}, AddAgents: []string{"dev"}, DropAgents: []string{"ops"}, AddDependsOn: []UID{one}, DropDependsOn: []UID{two},
		}
	},
	OpPhaseVerify: func(s *story) any {
		p := s.addExecuted(PhaseAddPayload{Verification: []string{"make test"}})
		return VerifyPayload{Phase: p, Iteration: 1, Commit: commitB, Services: Commits{"api": commitB}, Clean: true, Commands: []CommandRun{{Text: "make test", Exit: 1, TimedOut: true, MS: 5}}, MustEscalate: true}
	},
	OpPhaseEscalate: func(s *story) any {
		p := s.addExecuted(PhaseAddPayload{})
		s.do(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "wrong", MustEscalate: true})
		return EscalatePayload{Phase: p, Action: ActionResearch, Ladder: LadderBrew, Reason: "stuck", Agreed: []string{"a", "b"}}
	},
	OpPhaseError: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		s.start(p)
		return AgentErrorPayload{Phase: p, Iteration: 1, Agent: "dev", Text: "out of memory"}
	},
	OpPhaseLaunch: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		s.start(p)
		return PhaseLaunchPayload{Phase: p, Agent: "dev"}
	},
	OpDocSet: func(s *story) any {
		s.write(DocPlan, "one\n")
		return DocSetPayload{Name: DocPlan, Base: s.t.Docs[DocPlan].OID, OID: s.texts.put("two\n")}
	},
	OpDocResolve: func(s *story) any {
		s.write(DocPlan, "one\n")
		s.do(OpDocSet, DocSetPayload{Name: DocPlan, OID: s.texts.put("other\n")})
		return DocResolvePayload{Conflict: s.t.Conflicts[0].UID, OID: s.texts.put("both\n")}
	},
	OpReport: func(s *story) any {
		p := s.add(PhaseAddPayload{})
		s.start(p)
		return ReportPayload{Phase: p, Iteration: 1, Verify: true, Agent: "dev", Base: s.texts.put("was\n"), OID: s.texts.put("done\n")}
	},
	OpKnowledgeAdd: func(*story) any {
		return KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "tokens are strings", Src: "dev", Paths: []string{"*.go"}}
	},
	OpKnowledgeRemove: func(s *story) any {
		return KnowledgeRemovePayload{IDs: []operation.ID{s.do(OpKnowledgeAdd, KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "fact", Txt: "x"})}, Reason: "wrong"}
	},
	OpRemarkAdd: func(s *story) any {
		s.write(DocPlan, "text\n")
		return RemarkAddPayload{On: BoardName(DocPlan), Reviewer: "ann", Voter: "s1/ann", Severity: Major, Text: "a gap", File: "a.go", Line: 7, Seen: s.t.Docs[DocPlan].OID}
	},
	OpRemarkVote: func(s *story) any {
		s.gap(DocPlan)
		return RemarkVotePayload{Remark: s.t.Remarks[0].UID, Reviewer: "cid", Voter: "s2", Seen: s.t.Docs[DocPlan].OID, Against: true, Reason: "no"}
	},
	OpRemarkResolve: func(s *story) any {
		s.gap(DocPlan)
		return RemarkResolvePayload{Remark: s.t.Remarks[0].UID, Reason: "done"}
	},
	OpBoardReady: func(s *story) any {
		s.write(DocPlan, "text\n")
		return BoardReadyPayload{On: BoardName(DocPlan), Reviewer: "ann", Voter: "s1", Seen: s.t.Docs[DocPlan].OID, Reason: "read"}
	},
	OpDecisionAdd: func(s *story) any {
		d := s.do(OpDecisionAdd, DecisionAddPayload{Title: "Use maps"})
		return DecisionAddPayload{Title: "Use tables", Why: "they read", Rejected: []Alternative{{What: "maps", Why: "no order"}}, Phase: s.add(PhaseAddPayload{}), Supersedes: d}
	},
	OpDecisionRevoke: func(s *story) any {
		return DecisionRevokePayload{Decision: s.do(OpDecisionAdd, DecisionAddPayload{Title: "Use maps"}), Reason: "no"}
	},
	OpStepHook: func(s *story) any {
		p := StepHookPayload{Step: StepExecute, Phase: s.add(PhaseAddPayload{}), When: HookPost, Runs: []HookRun{hookRun("ops/x", HookDue, true)}}
		p.Record, p.Runs[0].Outcome = s.do(OpStepHook, p), HookFailed
		return p
	},
	OpHookSkip: func(s *story) any {
		record := s.do(OpStepHook, StepHookPayload{Step: StepExecute, When: HookPost, Runs: []HookRun{hookRun("ops/x", HookFailed, false)}})
		return HookSkipPayload{Record: record, Reason: "it is down"}
	},
	OpLockLost: func(*story) any {
		return LockLostPayload{Fence: 1, Claim: commitA, To: commitB, ToFence: 1, Holder: "bob@laptop"}
	},
	OpCreate: func(s *story) any {
		s.t = Task{}
		return CreatePayload{
			ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth", Base: "main", BaseCommit: commitA, Stage: StageExecute,
			Services: []Service{{Path: "api", Base: "main", BaseCommit: commitA}}, Issues: []string{"#1"}, Priority: PriorityHigh,
		}
	},
}

// hostileTexts are put in every place of a payload that has a text, hostileNumbers
// where it has a number.
var (
	hostileTexts = []string{
		"", "a\nb", "\x1b[2Jx", "\u202ex", "../../x", commitA, string(testUID(77)), strings.Repeat("x", 600), strings.Repeat("x", 20_000),
	}
	hostileNumbers = []float64{-1, 0, 1 << 50}
)

// Every field of every kind, with what nobody means to put there: what is refused says
// so in a line, what is allowed is not left out by the fold, and whatever the fold makes
// of it can be written and read again (each clone folds what any other one sends).
func TestApply_everyField_hostile(t *testing.T) {
	t.Parallel()
	for _, k := range kindsDeclared(t) {
		if k == OpUndo || k == OpUndoOpen {
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
		known := slices.ContainsFunc([]error{ErrNoTask, ErrNoPhase, ErrNoDocument, ErrNoEntry}, func(e error) bool { return errors.Is(refused, e) })
		if _, ok := errors.AsType[*RefusedError](refused); !ok && !known {
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
	back, err := Decode(files)
	if err != nil {
		t.Errorf("the fold takes what nobody reads: %v: %s", err, shown)
		return
	}
	if a, b := string(files[TaskFile].Data), string(must(Encode(back))[TaskFile].Data); a != b {
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
