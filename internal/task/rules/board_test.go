package rules_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

// on writes a document, and returns the board on it.
func (s *story) on(doc task.DocName) task.BoardName {
	s.Helper()
	s.do(task.OpDocSet, task.DocSetPayload{
		Name: doc, Base: s.t.Docs[doc].OID,
		OID: s.texts.put(fmt.Sprintf("%s %d\n", doc, len(s.nodes))),
	})
	return task.BoardName(doc)
}

func (s *story) remark(on task.BoardName, who string, severity task.Severity, text string) task.UID {
	s.Helper()
	return s.do(task.OpRemarkAdd, task.RemarkAddPayload{On: on, Reviewer: who, Severity: severity, Text: text})
}

func (s *story) confirm(r task.UID, who string) {
	s.Helper()
	s.do(task.OpRemarkVote, task.RemarkVotePayload{Remark: r, Reviewer: who})
}

func (s *story) dissent(r task.UID, who string) {
	s.Helper()
	s.do(task.OpRemarkVote, task.RemarkVotePayload{Remark: r, Reviewer: who, Against: true, Reason: "it is not so"})
}

func (s *story) resolve(r task.UID) {
	s.Helper()
	s.do(task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r})
}

func (s *story) ready(on task.BoardName, who ...string) {
	s.Helper()
	for _, w := range who {
		s.do(task.OpBoardReady, task.BoardReadyPayload{On: on, Reviewer: w})
	}
}

// verdict checks what a board comes to, and in which round.
func (s *story) verdict(on task.BoardName, want Verdict, round int) Tally {
	s.Helper()
	got := TallyOf(s.t, on)
	if got.Verdict != want || got.Round != round {
		s.Fatalf("%s: %s in round %d (%s), want %s in round %d", on, got.Verdict, got.Round, got.Why, want, round)
	}
	return got
}

// When a remark counts, and what becomes of the board: each row says who made it,
// who confirmed it, who was heard besides.
func TestTally_quorum(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		board     string
		made      string
		severity  task.Severity
		confirmed string
		heard     string // with nothing to say
		counts    bool
		want      Verdict
	}{
		// BC-7: of a spec, one reviewer is enough.
		{"spec", "ann", task.Critical, "", "", true, VerdictChanges},
		{"spec", "ann", task.Major, "", "", true, VerdictChanges},
		{"spec", "ann", task.Minor, "", "", true, VerdictReady},
		{"spec", "ann", task.Info, "", "", true, VerdictReady},
		// BC-17: of a plan, 2 of 3 have to see it.
		{"plan of a spec", "ann", task.Critical, "", "", false, VerdictReview},
		{"plan of a spec", "ann", task.Critical, "", "bob cid", false, VerdictReady},
		{"plan of a spec", "ann", task.Critical, "ann", "bob", false, VerdictReview}, // twice the same is one
		{"plan of a spec", "ann", task.Critical, "Ann ANN", "bob", false, VerdictReview},
		{"plan of a spec", "ann", task.Critical, "bob", "", true, VerdictChanges},
		{"plan of a spec", "ann", task.Minor, "bob cid", "", true, VerdictReady},
		{"plan of a spec", "ann", task.Major, "bob", "cid", true, VerdictChanges},
		// BC-17: of a plan from plan mode, both.
		{"plan", "ann", task.Critical, "", "bob", false, VerdictReady},
		{"plan", "ann", task.Critical, "bob", "", true, VerdictChanges},
		{"plan", "ann", task.Minor, "", "", false, VerdictReview},
		// BC-53: of the final review, the majority of three or more.
		{"FR", "ann", task.Critical, "", "bob cid", false, VerdictReady},
		{"FR", "ann", task.Critical, "", "bob", false, VerdictReview},
		{"FR", "ann", task.Critical, "bob", "cid", true, VerdictChanges},
		{"FR", "ann", task.Critical, "bob", "cid dan", false, VerdictReview}, // 2 of 4 are none
		{"FR", "ann", task.Critical, "bob cid", "dan", true, VerdictChanges},
		{"FR", "ann", task.Minor, "bob", "cid", true, VerdictReview}, // 1 of 3 says that it is ready
		{"FR", "ann", task.Minor, "", "ann bob", false, VerdictReview},
		{"FR", "ann", task.Minor, "cid", "ann bob", true, VerdictReady},
	} {
		s := started(t)
		on := task.BoardName(tt.board)
		switch tt.board {
		case "spec":
			s.on(task.DocSpec)
		case "plan of a spec":
			s.on(task.DocSpec)
			on = s.on(task.DocPlan)
		case "plan":
			s.on(task.DocPlan)
		case "FR":
			fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
			s.start(fr)
			on = task.BoardOf(fr)
		}
		r := s.remark(on, tt.made, tt.severity, "no limit")
		for _, who := range strings.Fields(tt.confirmed) {
			s.confirm(r, who)
		}
		s.ready(on, strings.Fields(tt.heard)...)
		got := TallyOf(s.t, on)
		if got.Verdict != tt.want || got.Remarks[0].Counts != tt.counts {
			t.Errorf("%s: %s by %s, confirmed by %q, heard %q: %s (%s), counts %t", tt.board, tt.severity, tt.made, tt.confirmed,
				tt.heard, got.Verdict, got.Why, got.Remarks[0].Counts)
		}
		if (got.Verdict == VerdictReady) != (got.Command == "") {
			t.Errorf("%s: %s, and next %q", tt.board, got.Verdict, got.Command)
		}
	}
}

// BC-7: three rounds, then the user decides.
func TestTally_BC7_threeRounds(t *testing.T) {
	t.Parallel()
	s := started(t)
	spec := s.on(task.DocSpec)
	for round := 1; round < task.MaxRounds; round++ {
		first := s.remark(spec, "ann", task.Critical, fmt.Sprint("hole ", round))
		second := s.remark(spec, "ann", task.Major, fmt.Sprint("gap ", round))
		s.verdict(spec, VerdictChanges, round)
		s.resolve(first)
		s.verdict(spec, VerdictChanges, round)
		s.resolve(second)
		s.verdict(spec, VerdictReview, round+1) // whoever reviewed looks again
	}
	r := s.remark(spec, "ann", task.Critical, "hole 3")
	s.verdict(spec, VerdictAsk, task.MaxRounds)
	s.refused(task.CodeBoard, task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r})
	s.superseded(task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r})
	s.confirm(r, "") // the user wants it done
	s.verdict(spec, VerdictChanges, task.MaxRounds)
	s.resolve(r)
	s.verdict(spec, VerdictReady, task.MaxRounds) // there is no fourth
	gone := s.remark(spec, "ann", task.Major, "another")
	s.verdict(spec, VerdictAsk, task.MaxRounds)
	s.dissent(gone, "")
	s.verdict(spec, VerdictReady, task.MaxRounds)
}

// BC-19: the user accepts or rejects each remark, whatever the reviewers said.
func TestRemark_BC19_theUserDecides(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(task.DocSpec)
	plan := s.on(task.DocPlan)
	alone := s.remark(plan, "ann", task.Major, "one sees it")
	both := s.remark(plan, "ann", task.Major, "two see it")
	s.confirm(both, "bob")
	s.ready(plan, "cid")
	s.verdict(plan, VerdictChanges, 1)

	s.dissent(both, "")
	s.verdict(plan, VerdictReady, 1)
	s.refused(task.CodeTaskState, task.OpRemarkVote, task.RemarkVotePayload{Remark: both, Reviewer: "cid"})
	s.superseded(task.OpRemarkVote, task.RemarkVotePayload{Remark: both, Reviewer: "cid"})
	s.refused(task.CodeTaken, task.OpRemarkAdd,
		task.RemarkAddPayload{On: plan, Reviewer: "dan", Severity: task.Major, Text: "two see it"})
	s.superseded(task.OpRemarkResolve, task.RemarkResolvePayload{Remark: both})

	s.confirm(alone, "")
	s.verdict(plan, VerdictChanges, 1)
	s.confirm(both, "") // and may say otherwise
	if got := TallyOf(s.t, plan).Blocking(); len(got) != 2 || got[0].Text != "one sees it" {
		t.Errorf("blocking: %v", got)
	}
	own := s.remark(plan, "", task.Critical, "the user's own counts at once")
	if got := s.t.Remarks[2]; got.UID != own || got.Ruling != task.Accepted || len(got.Votes) > 0 {
		t.Errorf("%+v", got)
	}
	s.refused(task.CodeInvalid, task.OpRemarkVote, task.RemarkVotePayload{Remark: own, Against: true})
	s.superseded(task.OpRemarkVote, task.RemarkVotePayload{Remark: own, Against: true, Reason: " "})

	// No agent speaks as the user.
	for kind, p := range map[operation.Kind]any{
		task.OpRemarkAdd:  task.RemarkAddPayload{On: plan, Severity: task.Minor, Text: "x"},
		task.OpRemarkVote: task.RemarkVotePayload{Remark: own, Against: true, Reason: "no"},
		task.OpBoardReady: task.BoardReadyPayload{On: plan, Reason: "fine"},
	} {
		op := s.next(kind, p)
		op.Session = "7f3a9c01"
		if _, applied := Apply(s.t, op, s.texts); applied {
			t.Errorf("%s: a session spoke as the user", kind)
		}
	}
}

// A vote can be taken back, a remark that is there again is open again, and one that
// says what another one says is refused.
func TestRemark_votes(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(task.DocSpec)
	plan := s.on(task.DocPlan)
	r := s.remark(plan, "ann", task.Major, "No  rollback")
	same := s.refusal(task.CodeTaken, task.OpRemarkAdd,
		task.RemarkAddPayload{On: plan, Reviewer: "bob", Severity: task.Minor, Text: "No  rollback"})
	if same.Error() != "remark 1 says so already; git brew remark confirm 1" {
		t.Error(same)
	}
	s.confirm(r, "bob")
	s.verdict(plan, VerdictChanges, 1)
	s.dissent(r, "Bob")
	s.verdict(plan, VerdictReview, 1)
	if got := s.t.Remarks[0]; strings.Join(got.For(), " ") != "ann" || len(got.Votes) != 2 {
		t.Errorf("%+v", got.Votes)
	}
	s.confirm(r, "bob")
	s.resolve(r)
	s.verdict(plan, VerdictReview, 2)
	s.refused(task.CodeTaskState, task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r})
	s.confirm(r, "bob")
	if got := s.t.Remarks[0]; got.Resolved || strings.Join(got.For(), " ") != "bob" || got.Round != 2 {
		t.Errorf("there again: %+v", got)
	}
	// One that counts only in a later round ends that round.
	s.confirm(r, "ann")
	s.resolve(r)
	s.verdict(plan, VerdictReview, 3)
}

// BC-53, BC-36: a phase that was worked on again is reviewed again.
func TestTally_BC53_workedOnAgain(t *testing.T) {
	t.Parallel()
	s := started(t)
	fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	on := task.BoardOf(fr)
	s.refused(task.CodeTransition, task.OpBoardReady, task.BoardReadyPayload{On: on, Reviewer: "ann"})
	s.start(fr)
	s.ready(on, "ann", "bob", "cid")
	s.executed(fr)
	s.verdict(on, VerdictReady, 1)
	s.reject(fr, "one more thing")
	s.verdict(on, VerdictReady, 1) // the reviewer may take that back
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fr})
	s.start(fix)
	s.verdict(on, VerdictReview, 1) // the round stays: there was nothing to resolve
	s.executed(fix)
	s.approve(fix)
	s.refused(task.CodeBoard, task.OpPhaseReview, task.PhaseReviewPayload{Phase: fr, Verdict: task.ReviewApproved})
	s.ready(on, "ann", "bob", "cid")
	s.approve(fr)
	s.want(fr, task.PhaseCompleted, task.ReviewApproved)
}

// BC-53: no final review is approved without its majority; a person alone takes
// it, for a reason. What a board says later takes nothing back.
func TestReview_BC53_finalReview(t *testing.T) {
	t.Parallel()
	s := started(t)
	fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	on := task.BoardOf(fr)
	s.start(fr)
	s.executed(fr)
	approve := task.PhaseReviewPayload{Phase: fr, Verdict: task.ReviewApproved}
	if r := s.refusal(task.CodeBoard, task.OpPhaseReview, approve); !strings.Contains(r.Error(),
		"phase FR is not READY: 0 of 3 reviewers spoke") || !strings.Contains(r.Hint, "-m WHY") {
		t.Error(r)
	}
	grave := s.remark(on, "ann", task.Major, "leaks")
	s.confirm(grave, "bob")
	s.ready(on, "cid")
	if r := s.refusal(task.CodeBoard, task.OpPhaseReview, approve); len(r.Findings) != 1 ||
		r.Findings[0] != "1 major: leaks" {
		t.Error(r, r.Findings)
	}
	s.refused(task.CodeInvalid, task.OpBoardReady, task.BoardReadyPayload{On: on})
	s.do(task.OpBoardReady, task.BoardReadyPayload{On: on, Reason: "known, and filed"})
	s.verdict(on, VerdictReady, 1)
	s.remark(on, "ann", task.Minor, "a typo")
	s.verdict(on, VerdictReady, 1)
	late := s.remark(on, "ann", task.Critical, "worse than thought")
	s.verdict(on, VerdictChanges, 1)
	s.dissent(late, "")
	s.do(task.OpBoardReady, task.BoardReadyPayload{On: on, Reason: "still"})
	s.approve(fr)
	s.remark(on, "dan", task.Critical, "too late")
	s.want(fr, task.PhaseCompleted, task.ReviewApproved)
}

// BC-7, BC-17: where a board looks at spec or plan, the task goes on once that is
// ready; where nobody opened one, nothing waits.
func TestStage_BC7_BC17_waitsForItsBoard(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
	spec := s.on(task.DocSpec)
	s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
	s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
	r := s.remark(spec, "ann", task.Major, "who pays?")
	for _, to := range []task.Stage{task.StagePlan, task.StageExecute, task.StageComplete} {
		s.refused(task.CodeBoard, task.OpStage, task.StagePayload{Stage: to})
	}
	s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify}) // back is always open
	s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
	s.resolve(r)
	s.refused(task.CodeBoard, task.OpStage, task.StagePayload{Stage: task.StagePlan})
	s.ready(spec, "ann")
	s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})

	plan := s.on(task.DocPlan)
	work, research := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{Kind: task.KindResearch})
	s.ready(plan, "ann")
	s.refused(task.CodeBoard, task.OpStage, task.StagePayload{Stage: task.StageExecute})
	s.refused(task.CodeBoard, task.OpPhaseStart, task.PhasePayload{Phase: work})
	s.start(research)
	s.refused(task.CodeBoard, task.OpPhaseStart, task.PhasePayload{Phase: work})
	s.do(task.OpBoardReady, task.BoardReadyPayload{On: plan, Reason: "good enough"})
	s.start(work)
	s.remark(plan, "ann", task.Critical, "too late")
	s.start(s.add(task.PhaseAddPayload{})) // the work has begun
}

// What somebody sends is bounded, and refused or passed over where it is no
// remark.
func TestRemark_hostile(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(task.DocPlan)
	good := task.RemarkAddPayload{On: plan, Reviewer: "ann", Severity: task.Major, Text: "x"}
	for name, spoil := range map[string]func(*task.RemarkAddPayload){
		"board":        func(p *task.RemarkAddPayload) { p.On = "../spec" },
		"no phase":     func(p *task.RemarkAddPayload) { p.On = task.BoardOf(testUID(99)) },
		"summary":      func(p *task.RemarkAddPayload) { p.On = "artifacts/1-1/summary" },
		"reviewer":     func(p *task.RemarkAddPayload) { p.Reviewer = "../ann" },
		"severity":     func(p *task.RemarkAddPayload) { p.Severity = "worst" },
		"no text":      func(p *task.RemarkAddPayload) { p.Text = " \n" },
		"long":         func(p *task.RemarkAddPayload) { p.Text = strings.Repeat("x", task.MaxRemarkText+1) },
		"escape":       func(p *task.RemarkAddPayload) { p.Text = "\x1b[2J" },
		"file":         func(p *task.RemarkAddPayload) { p.File = "../../etc/passwd" },
		"line alone":   func(p *task.RemarkAddPayload) { p.Line = 3 },
		"line":         func(p *task.RemarkAddPayload) { p.File, p.Line = "a.go", -1 },
		"line too far": func(p *task.RemarkAddPayload) { p.File, p.Line = "a.go", task.MaxLine+1 },
	} {
		bad := good
		spoil(&bad)
		if err := Check(s.t, s.next(task.OpRemarkAdd, bad)); err == nil {
			t.Errorf("%s: allowed", name)
		}
		s.superseded(task.OpRemarkAdd, bad)
	}
	s.superseded(task.OpRemarkVote, task.RemarkVotePayload{Remark: testUID(99), Reviewer: "ann"})
	s.superseded(task.OpRemarkResolve, task.RemarkResolvePayload{Remark: testUID(99)})
	s.superseded(task.OpBoardReady, task.BoardReadyPayload{
		On: plan, Reviewer: "ann",
		Reason: strings.Repeat("x", task.MaxSaid+1),
	})

	r := s.remark(plan, "ann", task.Major, "x")
	for i := len(s.t.Boards[0].Reviewers); i < task.MaxReviewers; i++ {
		s.confirm(r, fmt.Sprint("r", i))
	}
	s.refused(task.CodeTaskState, task.OpRemarkVote, task.RemarkVotePayload{Remark: r, Reviewer: "more"})
	s.superseded(task.OpRemarkVote, task.RemarkVotePayload{Remark: r, Reviewer: "more"})
	s.superseded(task.OpBoardReady, task.BoardReadyPayload{On: plan, Reviewer: "more"})
	for len(s.t.Remarks) < task.MaxRemarks {
		s.remark(plan, "ann", task.Info, fmt.Sprint(len(s.t.Remarks)))
	}
	s.refused(task.CodeTaskState, task.OpRemarkAdd, good2(good))
	s.superseded(task.OpRemarkAdd, good2(good))
}

func good2(p task.RemarkAddPayload) task.RemarkAddPayload {
	p.Text += "!"
	return p
}

// Numbers are typed as people see them; a phase that is called by a number alone
// is named as one.
func TestParseBoard(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(task.DocSpec)
	one := s.add(task.PhaseAddPayload{})
	fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	for arg, want := range map[string]task.BoardName{
		"spec": task.BoardName(task.DocSpec), "Spec.md": task.BoardName(task.DocSpec),
		"phases/1/plan": task.BoardName(task.PlanOf(one)),
		"1":             task.BoardOf(one), "phases/1": task.BoardOf(one), "FR": task.BoardOf(fr), "fr": task.BoardOf(fr),
	} {
		got, err := task.ParseBoard(s.t, arg)
		if err != nil || got != want {
			t.Errorf("%s: %s %v", arg, got, err)
		}
		if back, err := task.ParseBoard(s.t, s.t.ShownBoard(got)); err != nil || back != got {
			t.Errorf("%s is shown as %s", got, s.t.ShownBoard(got))
		}
	}
	for _, arg := range []string{"", "nothing", "phases/9", "artifacts/1-1e/summary"} {
		if got, err := task.ParseBoard(s.t, arg); err == nil {
			t.Errorf("%q: %s", arg, got)
		}
	}
	s.remark(task.BoardName(task.DocSpec), "ann", task.Info, "a")
	uid := s.remark(task.BoardName(task.DocSpec), "ann", task.Info, "b")
	for arg, want := range map[string]int{
		"1": 1, "#2": 2, "02": 2, string(uid): 0, "3": 0, "0": 0, "": 0, "#": 0,
		"000000000": 0,
	} {
		if r, n, _ := s.t.FindRemark(arg); n != want || want > 0 && s.t.Remarks[want-1].UID != r.UID {
			t.Errorf("%q: %d", arg, n)
		}
	}
}

// What was said on boards, and decided, is the task's story in plain git.
func TestSubject_boardsAndDecisions(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(task.DocPlan)
	one := s.add(task.PhaseAddPayload{})
	s.start(one)
	var r, d task.UID
	for _, tt := range []struct {
		kind    operation.Kind
		payload func() any
		want    string
	}{
		{task.OpRemarkAdd, func() any {
			return task.RemarkAddPayload{On: plan, Reviewer: "ann", Severity: task.Major, Text: "no\nrollback"}
		}, "remark 1 on plan: major, by ann: no rollback"},
		{task.OpRemarkVote, func() any {
			return task.RemarkVotePayload{Remark: r, Reviewer: "cid"}
		}, "remark 1 on plan: confirmed by cid"},
		{task.OpRemarkVote, func() any {
			return task.RemarkVotePayload{Remark: r, Reviewer: "dan", Against: true, Reason: "there is one"}
		}, "remark 1 on plan: rejected by dan: there is one"},
		{task.OpRemarkVote, func() any {
			return task.RemarkVotePayload{Remark: r}
		}, "remark 1 on plan: accepted by the user"},
		{task.OpRemarkResolve, func() any {
			return task.RemarkResolvePayload{Remark: r, Reason: "added"}
		}, "remark 1 on plan: resolved: added"},
		{task.OpRemarkVote, func() any {
			return task.RemarkVotePayload{Remark: r, Reviewer: "ann"}
		}, "remark 1 on plan: there again, confirmed by ann"},
		{task.OpBoardReady, func() any {
			return task.BoardReadyPayload{On: task.BoardOf(one), Reviewer: "ann"}
		}, "review of phases/1: ready, by ann"},
		{task.OpBoardReady, func() any {
			return task.BoardReadyPayload{On: plan, Reason: "it will do"}
		}, "review of plan: taken by the user: it will do"},
		{task.OpDecisionAdd, func() any {
			return task.DecisionAddPayload{Title: "Hash: MD5"}
		}, "decision DEC-001: Hash: MD5"},
		{task.OpDecisionAdd, func() any {
			return task.DecisionAddPayload{Title: "Hash: SHA-256", Supersedes: d}
		}, "decision DEC-002: instead of DEC-001: Hash: SHA-256"},
		{task.OpDecisionRevoke, func() any {
			return task.DecisionRevokePayload{Decision: s.t.Decisions[1].UID, Reason: "unused"}
		}, "decision DEC-002: revoked: unused"},
	} {
		if got := s.said(tt.kind, tt.payload()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.kind, got, tt.want)
		}
		made := s.nodes[len(s.nodes)-1].Op.ID
		if s.t.RemarkNumber(made) > 0 {
			r = made
		}
		if d == "" && s.t.DecisionID(made) != "" {
			d = made
		}
	}
}

// A stored state that no fold can have made is refused.
func TestDecode_hostileBoards(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(task.DocPlan)
	s.confirm(s.remark(plan, "ann", task.Major, "no rollback"), "bob")
	s.do(task.OpBoardReady, task.BoardReadyPayload{On: plan, Reason: "it will do"})
	s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: "Hash: MD5", Why: "old"})
	files := stored(t, s.t)
	if _, err := task.Decode(files); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"on": "plan"`, `"on": "../plan"`},
		{`"round": 1`, `"round": 0`},
		{`"round": 1`, `"round": 4`},
		{`"name": "ann"`, `"name": "../ann"`},
		{`"severity": "major"`, `"severity": "worst"`},
		{`"text": "no rollback"`, `"text": "\u001b[2J"`},
		{`"text": "no rollback"`, `"text": ""`},
		{`"file": ""`, `"file": "/etc/passwd"`},
		{`"ruling": ""`, `"ruling": "maybe"`},
		{`"title": "Hash: MD5"`, `"title": "a\nb"`},
		{`"status": "active"`, `"status": "x"`},
		{`"why": "old"`, `"why": "old", "phase": "` + string(testUID(77)) + `"`},
		{`"why": "old"`, `"why": "old", "by": "DEC-001"`},
		{`"reason": "it will do"`, `"reason": "\u202e"`},
	} {
		data := strings.Replace(string(files[task.TaskFile].Data), change[0], change[1], 1)
		if data == string(files[task.TaskFile].Data) {
			t.Errorf("%s is not there", change[0])
		}
		if _, err := task.Decode(operation.Files{task.TaskFile: {OID: commitA, Data: []byte(data)}}); !errors.Is(err,
			task.ErrCorrupt) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", change[1], err)
		}
	}
}

// What was said on a board is taken back, and not where somebody spoke on one since.
func TestUndo_boards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, c := newWorld(t)
		plan, context := task.BoardName(task.DocPlan), task.BoardName(task.DocContext)
		w.do(t, c, task.OpBoardReady, task.BoardReadyPayload{On: context, Reviewer: "ann"})
		w.do(t, c, task.OpRemarkAdd, task.RemarkAddPayload{
			On: plan, Reviewer: "ann", Severity: task.Major,
			Text: "no way back",
		})
		back := func() bool {
			op := c.nodes[len(c.nodes)-1].Op
			return w.do(t, c, UndoKind(op.Kind), task.UndoPayload{Operations: []operation.ID{op.ID}, Commit: c.at})
		}
		at, op := c.at, c.nodes[len(c.nodes)-1].Op
		w.do(t, c, task.OpBoardReady, task.BoardReadyPayload{On: context, Reviewer: "bob"})
		remark := task.UndoPayload{Operations: []operation.ID{op.ID}, Commit: at}
		if w.do(t, c, UndoKind(op.Kind), remark) || !back() || !w.do(t, c, UndoKind(op.Kind), remark) {
			t.Fatal("the later one goes back first, and only then the other one")
		}
		if _, there := BoardOn(c.state, plan); there || len(c.state.Remarks) != 0 ||
			len(TallyOf(c.state, context).Reviewers) != 1 {
			t.Fatal(encodedFor(t, c.state))
		}
	})
}
