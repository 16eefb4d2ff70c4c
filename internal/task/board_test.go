package task_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"pgregory.net/rapid"
)

// on writes a document, and returns the board on it.
func (s *story) on(doc DocName) BoardName {
	s.Helper()
	s.do(OpDocSet, DocSetPayload{Name: doc, Base: s.t.Docs[doc].OID, OID: s.texts.put(fmt.Sprintf("%s %d\n", doc, len(s.nodes)))})
	return BoardName(doc)
}

func (s *story) remark(on BoardName, who string, severity Severity, text string) UID {
	s.Helper()
	return s.do(OpRemarkAdd, RemarkAddPayload{On: on, Reviewer: who, Severity: severity, Text: text})
}

func (s *story) confirm(r UID, who string) {
	s.Helper()
	s.do(OpRemarkVote, RemarkVotePayload{Remark: r, Reviewer: who})
}

func (s *story) dissent(r UID, who string) {
	s.Helper()
	s.do(OpRemarkVote, RemarkVotePayload{Remark: r, Reviewer: who, Against: true, Reason: "it is not so"})
}

func (s *story) resolve(r UID) {
	s.Helper()
	s.do(OpRemarkResolve, RemarkResolvePayload{Remark: r})
}

func (s *story) ready(on BoardName, who ...string) {
	s.Helper()
	for _, w := range who {
		s.do(OpBoardReady, BoardReadyPayload{On: on, Reviewer: w})
	}
}

// verdict checks what a board comes to, and in which round.
func (s *story) verdict(on BoardName, want Verdict, round int) Tally {
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
		severity  Severity
		confirmed string
		heard     string // with nothing to say
		counts    bool
		want      Verdict
	}{
		// BC-7: of a spec, one reviewer is enough.
		{"spec", "ann", Critical, "", "", true, VerdictChanges},
		{"spec", "ann", Major, "", "", true, VerdictChanges},
		{"spec", "ann", Minor, "", "", true, VerdictReady},
		{"spec", "ann", Info, "", "", true, VerdictReady},
		// BC-17: of a plan, 2 of 3 have to see it.
		{"plan of a spec", "ann", Critical, "", "", false, VerdictReview},
		{"plan of a spec", "ann", Critical, "", "bob cid", false, VerdictReady},
		{"plan of a spec", "ann", Critical, "ann", "bob", false, VerdictReview}, // twice the same is one
		{"plan of a spec", "ann", Critical, "Ann ANN", "bob", false, VerdictReview},
		{"plan of a spec", "ann", Critical, "bob", "", true, VerdictChanges},
		{"plan of a spec", "ann", Minor, "bob cid", "", true, VerdictReady},
		{"plan of a spec", "ann", Major, "bob", "cid", true, VerdictChanges},
		// BC-17: of a plan from plan mode, both.
		{"plan", "ann", Critical, "", "bob", false, VerdictReady},
		{"plan", "ann", Critical, "bob", "", true, VerdictChanges},
		{"plan", "ann", Minor, "", "", false, VerdictReview},
		// BC-53: of the final review, the majority of three or more.
		{"FR", "ann", Critical, "", "bob cid", false, VerdictReady},
		{"FR", "ann", Critical, "", "bob", false, VerdictReview},
		{"FR", "ann", Critical, "bob", "cid", true, VerdictChanges},
		{"FR", "ann", Critical, "bob", "cid dan", false, VerdictReview}, // 2 of 4 are none
		{"FR", "ann", Critical, "bob cid", "dan", true, VerdictChanges},
		{"FR", "ann", Minor, "bob", "cid", true, VerdictReview}, // 1 of 3 says that it is ready
		{"FR", "ann", Minor, "", "ann bob", false, VerdictReview},
		{"FR", "ann", Minor, "cid", "ann bob", true, VerdictReady},
	} {
		s := started(t)
		on := BoardName(tt.board)
		switch tt.board {
		case "spec":
			s.on(DocSpec)
		case "plan of a spec":
			s.on(DocSpec)
			on = s.on(DocPlan)
		case "plan":
			s.on(DocPlan)
		case "FR":
			fr := s.add(PhaseAddPayload{Kind: KindFinalReview})
			s.start(fr)
			on = BoardOf(fr)
		}
		r := s.remark(on, tt.made, tt.severity, "no limit")
		for _, who := range strings.Fields(tt.confirmed) {
			s.confirm(r, who)
		}
		s.ready(on, strings.Fields(tt.heard)...)
		got := TallyOf(s.t, on)
		if got.Verdict != tt.want || got.Remarks[0].Counts != tt.counts {
			t.Errorf("%s: %s by %s, confirmed by %q, heard %q: %s (%s), counts %t", tt.board, tt.severity, tt.made, tt.confirmed, tt.heard, got.Verdict, got.Why, got.Remarks[0].Counts)
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
	spec := s.on(DocSpec)
	for round := 1; round < MaxRounds; round++ {
		first := s.remark(spec, "ann", Critical, fmt.Sprint("hole ", round))
		second := s.remark(spec, "ann", Major, fmt.Sprint("gap ", round))
		s.verdict(spec, VerdictChanges, round)
		s.resolve(first)
		s.verdict(spec, VerdictChanges, round)
		s.resolve(second)
		s.verdict(spec, VerdictReview, round+1) // whoever reviewed looks again
	}
	r := s.remark(spec, "ann", Critical, "hole 3")
	s.verdict(spec, VerdictAsk, MaxRounds)
	s.refused(CodeBoard, OpRemarkResolve, RemarkResolvePayload{Remark: r})
	s.superseded(OpRemarkResolve, RemarkResolvePayload{Remark: r})
	s.confirm(r, "") // the user wants it done
	s.verdict(spec, VerdictChanges, MaxRounds)
	s.resolve(r)
	s.verdict(spec, VerdictReady, MaxRounds) // there is no fourth
	gone := s.remark(spec, "ann", Major, "another")
	s.verdict(spec, VerdictAsk, MaxRounds)
	s.dissent(gone, "")
	s.verdict(spec, VerdictReady, MaxRounds)
}

// BC-19: the user accepts or rejects each remark, whatever the reviewers said.
func TestRemark_BC19_theUserDecides(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(DocSpec)
	plan := s.on(DocPlan)
	alone := s.remark(plan, "ann", Major, "one sees it")
	both := s.remark(plan, "ann", Major, "two see it")
	s.confirm(both, "bob")
	s.ready(plan, "cid")
	s.verdict(plan, VerdictChanges, 1)

	s.dissent(both, "")
	s.verdict(plan, VerdictReady, 1)
	s.refused(CodeTaskState, OpRemarkVote, RemarkVotePayload{Remark: both, Reviewer: "cid"})
	s.superseded(OpRemarkVote, RemarkVotePayload{Remark: both, Reviewer: "cid"})
	s.refused(CodeTaken, OpRemarkAdd, RemarkAddPayload{On: plan, Reviewer: "dan", Severity: Major, Text: "two see it"})
	s.superseded(OpRemarkResolve, RemarkResolvePayload{Remark: both})

	s.confirm(alone, "")
	s.verdict(plan, VerdictChanges, 1)
	s.confirm(both, "") // and may say otherwise
	if got := TallyOf(s.t, plan).Blocking(); len(got) != 2 || got[0].Text != "one sees it" {
		t.Errorf("blocking: %v", got)
	}
	own := s.remark(plan, "", Critical, "the user's own counts at once")
	if got := s.t.Remarks[2]; got.UID != own || got.Ruling != Accepted || len(got.Votes) > 0 {
		t.Errorf("%+v", got)
	}
	s.refused(CodeInvalid, OpRemarkVote, RemarkVotePayload{Remark: own, Against: true})
	s.superseded(OpRemarkVote, RemarkVotePayload{Remark: own, Against: true, Reason: " "})

	// No agent speaks as the user.
	for kind, p := range map[operation.Kind]any{
		OpRemarkAdd:  RemarkAddPayload{On: plan, Severity: Minor, Text: "x"},
		OpRemarkVote: RemarkVotePayload{Remark: own, Against: true, Reason: "no"},
		OpBoardReady: BoardReadyPayload{On: plan, Reason: "fine"},
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
	s.on(DocSpec)
	plan := s.on(DocPlan)
	r := s.remark(plan, "ann", Major, "No  rollback")
	same := s.refusal(CodeTaken, OpRemarkAdd, RemarkAddPayload{On: plan, Reviewer: "bob", Severity: Minor, Text: "No  rollback"})
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
	s.refused(CodeTaskState, OpRemarkResolve, RemarkResolvePayload{Remark: r})
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
	fr := s.add(PhaseAddPayload{Kind: KindFinalReview})
	on := BoardOf(fr)
	s.refused(CodeTransition, OpBoardReady, BoardReadyPayload{On: on, Reviewer: "ann"})
	s.start(fr)
	s.ready(on, "ann", "bob", "cid")
	s.executed(fr)
	s.verdict(on, VerdictReady, 1)
	s.reject(fr, "one more thing")
	s.verdict(on, VerdictReady, 1) // the reviewer may take that back
	fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: fr})
	s.start(fix)
	s.verdict(on, VerdictReview, 1) // the round stays: there was nothing to resolve
	s.executed(fix)
	s.approve(fix)
	s.refused(CodeBoard, OpPhaseReview, PhaseReviewPayload{Phase: fr, Verdict: ReviewApproved})
	s.ready(on, "ann", "bob", "cid")
	s.approve(fr)
	s.want(fr, PhaseCompleted, ReviewApproved)
}

// BC-53: no final review is approved without its majority; a person alone takes
// it, for a reason. What a board says later takes nothing back.
func TestReview_BC53_finalReview(t *testing.T) {
	t.Parallel()
	s := started(t)
	fr := s.add(PhaseAddPayload{Kind: KindFinalReview})
	on := BoardOf(fr)
	s.start(fr)
	s.executed(fr)
	approve := PhaseReviewPayload{Phase: fr, Verdict: ReviewApproved}
	if r := s.refusal(CodeBoard, OpPhaseReview, approve); !strings.Contains(r.Error(), "phase FR is not READY: 0 of 3 reviewers spoke") || !strings.Contains(r.Hint, "-m WHY") {
		t.Error(r)
	}
	grave := s.remark(on, "ann", Major, "leaks")
	s.confirm(grave, "bob")
	s.ready(on, "cid")
	if r := s.refusal(CodeBoard, OpPhaseReview, approve); len(r.Findings) != 1 || r.Findings[0] != "1 major: leaks" {
		t.Error(r, r.Findings)
	}
	s.refused(CodeInvalid, OpBoardReady, BoardReadyPayload{On: on})
	s.do(OpBoardReady, BoardReadyPayload{On: on, Reason: "known, and filed"})
	s.verdict(on, VerdictReady, 1)
	s.remark(on, "ann", Minor, "a typo")
	s.verdict(on, VerdictReady, 1)
	late := s.remark(on, "ann", Critical, "worse than thought")
	s.verdict(on, VerdictChanges, 1)
	s.dissent(late, "")
	s.do(OpBoardReady, BoardReadyPayload{On: on, Reason: "still"})
	s.approve(fr)
	s.remark(on, "dan", Critical, "too late")
	s.want(fr, PhaseCompleted, ReviewApproved)
}

// BC-7, BC-17: where a board looks at spec or plan, the task goes on once that is
// ready; where nobody opened one, nothing waits.
func TestStage_BC7_BC17_waitsForItsBoard(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.do(OpStage, StagePayload{Stage: StageResearch})
	spec := s.on(DocSpec)
	s.do(OpStage, StagePayload{Stage: StagePlan})
	s.do(OpStage, StagePayload{Stage: StageResearch})
	r := s.remark(spec, "ann", Major, "who pays?")
	for _, to := range []Stage{StagePlan, StageExecute, StageComplete} {
		s.refused(CodeBoard, OpStage, StagePayload{Stage: to})
	}
	s.do(OpStage, StagePayload{Stage: StageClarify}) // back is always open
	s.do(OpStage, StagePayload{Stage: StageResearch})
	s.resolve(r)
	s.refused(CodeBoard, OpStage, StagePayload{Stage: StagePlan})
	s.ready(spec, "ann")
	s.do(OpStage, StagePayload{Stage: StagePlan})

	plan := s.on(DocPlan)
	work, research := s.add(PhaseAddPayload{}), s.add(PhaseAddPayload{Kind: KindResearch})
	s.ready(plan, "ann")
	s.refused(CodeBoard, OpStage, StagePayload{Stage: StageExecute})
	s.refused(CodeBoard, OpPhaseStart, PhasePayload{Phase: work})
	s.start(research)
	s.refused(CodeBoard, OpPhaseStart, PhasePayload{Phase: work})
	s.do(OpBoardReady, BoardReadyPayload{On: plan, Reason: "good enough"})
	s.start(work)
	s.remark(plan, "ann", Critical, "too late")
	s.start(s.add(PhaseAddPayload{})) // the work has begun
}

// What somebody sends is bounded, and refused or passed over where it is no
// remark.
func TestRemark_hostile(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(DocPlan)
	good := RemarkAddPayload{On: plan, Reviewer: "ann", Severity: Major, Text: "x"}
	for name, spoil := range map[string]func(*RemarkAddPayload){
		"board":        func(p *RemarkAddPayload) { p.On = "../spec" },
		"no phase":     func(p *RemarkAddPayload) { p.On = BoardOf(testUID(99)) },
		"summary":      func(p *RemarkAddPayload) { p.On = "artifacts/1-1/summary" },
		"reviewer":     func(p *RemarkAddPayload) { p.Reviewer = "../ann" },
		"severity":     func(p *RemarkAddPayload) { p.Severity = "worst" },
		"no text":      func(p *RemarkAddPayload) { p.Text = " \n" },
		"long":         func(p *RemarkAddPayload) { p.Text = strings.Repeat("x", MaxRemarkText+1) },
		"escape":       func(p *RemarkAddPayload) { p.Text = "\x1b[2J" },
		"file":         func(p *RemarkAddPayload) { p.File = "../../etc/passwd" },
		"line alone":   func(p *RemarkAddPayload) { p.Line = 3 },
		"line":         func(p *RemarkAddPayload) { p.File, p.Line = "a.go", -1 },
		"line too far": func(p *RemarkAddPayload) { p.File, p.Line = "a.go", MaxLine+1 },
	} {
		bad := good
		spoil(&bad)
		if err := Check(s.t, s.next(OpRemarkAdd, bad)); err == nil {
			t.Errorf("%s: allowed", name)
		}
		s.superseded(OpRemarkAdd, bad)
	}
	s.superseded(OpRemarkVote, RemarkVotePayload{Remark: testUID(99), Reviewer: "ann"})
	s.superseded(OpRemarkResolve, RemarkResolvePayload{Remark: testUID(99)})
	s.superseded(OpBoardReady, BoardReadyPayload{On: plan, Reviewer: "ann", Reason: strings.Repeat("x", MaxSaid+1)})

	r := s.remark(plan, "ann", Major, "x")
	for i := len(s.t.Boards[0].Reviewers); i < MaxReviewers; i++ {
		s.confirm(r, fmt.Sprint("r", i))
	}
	s.refused(CodeTaskState, OpRemarkVote, RemarkVotePayload{Remark: r, Reviewer: "more"})
	s.superseded(OpRemarkVote, RemarkVotePayload{Remark: r, Reviewer: "more"})
	s.superseded(OpBoardReady, BoardReadyPayload{On: plan, Reviewer: "more"})
	for len(s.t.Remarks) < MaxRemarks {
		s.remark(plan, "ann", Info, fmt.Sprint(len(s.t.Remarks)))
	}
	s.refused(CodeTaskState, OpRemarkAdd, good2(good))
	s.superseded(OpRemarkAdd, good2(good))
}

func good2(p RemarkAddPayload) RemarkAddPayload {
	p.Text += "!"
	return p
}

// Numbers are typed as people see them; a phase that is called by a number alone
// is named as one.
func TestParseBoard(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(DocSpec)
	one := s.add(PhaseAddPayload{})
	fr := s.add(PhaseAddPayload{Kind: KindFinalReview})
	for arg, want := range map[string]BoardName{
		"spec": BoardName(DocSpec), "Spec.md": BoardName(DocSpec), "phases/1/plan": BoardName(PlanOf(one)),
		"1": BoardOf(one), "phases/1": BoardOf(one), "FR": BoardOf(fr), "fr": BoardOf(fr),
	} {
		got, err := ParseBoard(s.t, arg)
		if err != nil || got != want {
			t.Errorf("%s: %s %v", arg, got, err)
		}
		if back, err := ParseBoard(s.t, s.t.ShownBoard(got)); err != nil || back != got {
			t.Errorf("%s is shown as %s", got, s.t.ShownBoard(got))
		}
	}
	for _, arg := range []string{"", "nothing", "phases/9", "artifacts/1-1e/summary"} {
		if got, err := ParseBoard(s.t, arg); err == nil {
			t.Errorf("%q: %s", arg, got)
		}
	}
	s.remark(BoardName(DocSpec), "ann", Info, "a")
	uid := s.remark(BoardName(DocSpec), "ann", Info, "b")
	for arg, want := range map[string]int{"1": 1, "#2": 2, "02": 2, string(uid): 2, "3": 0, "0": 0, "": 0, "#": 0, "000000000": 0} {
		if r, n, _ := s.t.FindRemark(arg); n != want || want > 0 && s.t.Remarks[want-1].UID != r.UID {
			t.Errorf("%q: %d", arg, n)
		}
	}
}

// What was said on boards, and decided, is the task's story in plain git.
func TestSubject_boardsAndDecisions(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(DocPlan)
	one := s.add(PhaseAddPayload{})
	s.start(one)
	var r, d UID
	for _, tt := range []struct {
		kind    operation.Kind
		payload func() any
		want    string
	}{
		{OpRemarkAdd, func() any { return RemarkAddPayload{On: plan, Reviewer: "ann", Severity: Major, Text: "no\nrollback"} }, "remark 1 on plan: major, by ann: no rollback"},
		{OpRemarkVote, func() any { return RemarkVotePayload{Remark: r, Reviewer: "cid"} }, "remark 1 on plan: confirmed by cid"},
		{OpRemarkVote, func() any {
			return RemarkVotePayload{Remark: r, Reviewer: "dan", Against: true, Reason: "there is one"}
		}, "remark 1 on plan: rejected by dan: there is one"},
		{OpRemarkVote, func() any { return RemarkVotePayload{Remark: r} }, "remark 1 on plan: accepted by the user"},
		{OpRemarkResolve, func() any { return RemarkResolvePayload{Remark: r, Reason: "added"} }, "remark 1 on plan: resolved: added"},
		{OpRemarkVote, func() any { return RemarkVotePayload{Remark: r, Reviewer: "ann"} }, "remark 1 on plan: there again, confirmed by ann"},
		{OpBoardReady, func() any { return BoardReadyPayload{On: BoardOf(one), Reviewer: "ann"} }, "review of phases/1: ready, by ann"},
		{OpBoardReady, func() any { return BoardReadyPayload{On: plan, Reason: "it will do"} }, "review of plan: taken by the user: it will do"},
		{OpDecisionAdd, func() any { return DecisionAddPayload{Title: "Hash: MD5"} }, "decision DEC-001: Hash: MD5"},
		{OpDecisionAdd, func() any { return DecisionAddPayload{Title: "Hash: SHA-256", Supersedes: d} }, "decision DEC-002: instead of DEC-001: Hash: SHA-256"},
		{OpDecisionRevoke, func() any { return DecisionRevokePayload{Decision: s.t.Decisions[1].UID, Reason: "unused"} }, "decision DEC-002: revoked: unused"},
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
	plan := s.on(DocPlan)
	s.confirm(s.remark(plan, "ann", Major, "no rollback"), "bob")
	s.do(OpBoardReady, BoardReadyPayload{On: plan, Reason: "it will do"})
	s.do(OpDecisionAdd, DecisionAddPayload{Title: "Hash: MD5", Why: "old"})
	files := stored(t, s.t)
	if _, err := Decode(files); err != nil {
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
		data := strings.Replace(string(files[TaskFile].Data), change[0], change[1], 1)
		if data == string(files[TaskFile].Data) {
			t.Errorf("%s is not there", change[0])
		}
		if _, err := Decode(Files{TaskFile: {OID: commitA, Data: []byte(data)}}); !errors.Is(err, ErrCorrupt) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", change[1], err)
		}
	}
}

// What was said on a board is taken back, and not where somebody spoke on one since.
func TestUndo_boards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, c := newWorld(t)
		plan, context := BoardName(DocPlan), BoardName(DocContext)
		w.do(t, c, OpBoardReady, BoardReadyPayload{On: context, Reviewer: "ann"})
		w.do(t, c, OpRemarkAdd, RemarkAddPayload{On: plan, Reviewer: "ann", Severity: Major, Text: "no way back"})
		back := func() bool {
			op := c.nodes[len(c.nodes)-1].Op
			return w.do(t, c, UndoKind(op.Kind), UndoPayload{Operations: []operation.ID{op.ID}, Commit: c.at})
		}
		at, op := c.at, c.nodes[len(c.nodes)-1].Op
		w.do(t, c, OpBoardReady, BoardReadyPayload{On: context, Reviewer: "bob"})
		remark := UndoPayload{Operations: []operation.ID{op.ID}, Commit: at}
		if w.do(t, c, UndoKind(op.Kind), remark) || !back() || !w.do(t, c, UndoKind(op.Kind), remark) {
			t.Fatal("the later one goes back first, and only then the other one")
		}
		if _, there := c.state.BoardOn(plan); there || len(c.state.Remarks) != 0 || len(TallyOf(c.state, context).Reviewers) != 1 {
			t.Fatal(encodedFor(t, c.state))
		}
	})
}
