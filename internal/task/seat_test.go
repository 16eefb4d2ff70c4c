package task

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// BC-17, BC-53: an agent's session has one vote, whatever names it gives itself,
// and none under a person's; in the fold, too.
func TestSeat_BC17_BC53_oneVoteASession(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(DocSpec)
	plan := s.on(DocPlan)
	first := s.remark(plan, "ann", Minor, "typo")
	ready := func(who string, seat Seat) BoardReadyPayload {
		return BoardReadyPayload{On: plan, Reviewer: who, Seat: seat}
	}
	s.do(OpBoardReady, ready("critic", "s1"))
	for _, c := range []struct {
		who, says string
		seat      Seat
	}{
		{"Ann", "a person speaks as ann", "s1"},
		{"ann", "a person speaks as ann", "s2/ann"},
		{"other", "this session speaks as critic", "s1"},
	} {
		if r := s.refusal(CodeTaken, OpBoardReady, ready(c.who, c.seat)); !strings.Contains(r.Msg, c.says) {
			t.Errorf("%s on %s: %s", c.who, c.seat, r.Msg)
		}
		s.superseded(OpBoardReady, ready(c.who, c.seat))
		s.superseded(OpRemarkVote, RemarkVotePayload{Remark: first, Reviewer: c.who, Seat: c.seat})
		s.superseded(OpRemarkAdd, RemarkAddPayload{On: plan, Reviewer: c.who, Seat: c.seat, Severity: Info, Text: "x"})
	}
	s.do(OpBoardReady, ready("Critic", "s1"))
	s.do(OpBoardReady, ready("reviewer", "s1/reviewer"))
	s.do(OpBoardReady, ready("other", "s2"))
	if got := len(TallyOf(s.t, plan).Voices); got != 4 {
		t.Errorf("%d spoke, want ann, critic, reviewer, other", got)
	}
	// A person may take a name that an agent had: from then on it is a person's.
	s.do(OpBoardReady, ready("other", ""))
	s.refused(CodeTaken, OpBoardReady, ready("other", "s2"))
	s.do(OpBoardReady, ready("another", "s2"))
}

// BC-17, BC-53: whose a name is stays known when a round ends, when a vote is
// another's, and when what was said is taken back.
func TestSeat_BC17_BC53_beyondTheRound(t *testing.T) {
	t.Parallel()
	s := started(t)
	spec := s.on(DocSpec)
	ready := func(who string, seat Seat) BoardReadyPayload {
		return BoardReadyPayload{On: spec, Reviewer: who, Seat: seat, Seen: SeenOn(s.t, spec)}
	}
	s.do(OpBoardReady, ready("ann", ""))
	s.on(DocSpec)
	s.do(OpBoardReady, ready("critic", "s1"))
	if s.verdict(spec, VerdictReady, 2); len(s.t.Boards[0].Voices) != 1 {
		t.Fatalf("%+v", s.t.Boards)
	}
	s.superseded(OpBoardReady, ready("Ann", "s2"))
	s.refused(CodeTaken, OpBoardReady, ready("Ann", "s2"))
	s.on(DocSpec)
	s.superseded(OpBoardReady, ready("other", "s1"))
	s.refused(CodeTaken, OpBoardReady, ready("other", "s1"))
	s.do(OpBoardReady, ready("CRITIC", "s1"))
	if want := []Reviewer{{Name: "ann"}, {Name: "critic", Seat: "s1"}}; !slices.Equal(s.t.Reviewers, want) {
		t.Errorf("%+v", s.t.Reviewers)
	}

	for len(s.t.Reviewers) < maxReviewers {
		s.t.Reviewers = append(s.t.Reviewers, Reviewer{Name: "r" + strconv.Itoa(len(s.t.Reviewers))})
	}
	s.refused(CodeTaskState, OpBoardReady, ready("one-more", ""))
	s.superseded(OpBoardReady, ready("one-more", ""))
	s.do(OpBoardReady, ready("ann", ""))
	if s.t.Reviewers = append(s.t.Reviewers, Reviewer{Name: "x"}); validate(s.t) == nil {
		t.Error("too many are kept")
	}

	w, c := tell(t, OpDocSet, DocSetPayload{Name: DocSpec, OID: commitA}, OpBoardReady, BoardReadyPayload{On: spec, Reviewer: "ann"})
	if _, err := w.undone(t, c, 0); err != nil || len(c.state.Boards) != 0 || CheckVoter(c.state, "ann", "s1") == nil {
		t.Errorf("%v, %+v", err, c.state.Reviewers)
	}
}

// BC-17, BC-53: a person who takes an agent's name gives that agent no second vote:
// what it said elsewhere is its seat's, and goes on under its next name.
func TestSeat_BC17_BC53_aNameTakenIsNoSecondVote(t *testing.T) {
	t.Parallel()
	s := started(t)
	spec, plan := s.on(DocSpec), s.on(DocPlan)
	ready := func(on BoardName, who string, seat Seat) {
		s.do(OpBoardReady, BoardReadyPayload{On: on, Reviewer: who, Seat: seat})
	}
	vote := func(on UID, who string, seat Seat, against string) {
		s.do(OpRemarkVote, RemarkVotePayload{Remark: on, Reviewer: who, Seat: seat, Against: against != "", Reason: against})
	}
	found := s.remark(spec, "ann", Major, "no way back")
	vote(found, "critic", "s1", "section 4")
	ready(plan, "critic", "s1")
	ready(plan, "Critic", "")
	if got, want := s.t.Boards[1].Voices, []Voice{{"critic", "s1", true}, {"Critic", "", true}}; !slices.Equal(got, want) {
		t.Errorf("on the plan spoke %v, want %v", got, want)
	}
	vote(found, "other", "s1", "")
	ready(plan, "other", "s1")
	vote(found, "CRITIC", "", "")
	if got, want := s.t.Remarks[0].Votes, []Vote{{"ann", "", ""}, {"other", "s1", ""}, {"CRITIC", "", ""}}; !slices.Equal(got, want) {
		t.Errorf("the votes are %v, want %v", got, want)
	}
	if got, want := s.t.Boards[1].Voices, []Voice{{"other", "s1", true}, {"Critic", "", true}}; !slices.Equal(got, want) {
		t.Errorf("on the plan spoke %v, want %v", got, want)
	}
	// A session that was begun anew goes on for the one that had its name.
	ready(plan, "Other", "s2")
	if got, want := s.t.Boards[1].Voices, []Voice{{"other", "s2", true}, {"Critic", "", true}}; !slices.Equal(got, want) {
		t.Errorf("on the plan spoke %v, want %v", got, want)
	}
}

// A seat is the session's that the operation says, and nobody's word alone is the
// user's.
func TestSeat_BC19_itsOwn(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(DocPlan)
	for _, c := range []struct {
		session string
		p       BoardReadyPayload
		counts  bool
	}{
		{"s1", BoardReadyPayload{On: plan, Reviewer: "a", Seat: "s2"}, false},
		{"s1", BoardReadyPayload{On: plan, Reviewer: "a", Seat: "s2/s1"}, false},
		{"s1", BoardReadyPayload{On: plan, Reviewer: "a", Seat: "s1/"}, false},
		{"s1", BoardReadyPayload{On: plan, Reviewer: "a", Seat: "../s1"}, false},
		{"", BoardReadyPayload{On: plan, Seat: "agent-x", Reason: "good"}, false},
		{"s1", BoardReadyPayload{On: plan, Reviewer: "a", Seat: "s1/a"}, true},
		{"", BoardReadyPayload{On: plan, Reviewer: "a", Seat: "agent-x"}, true},
		{"s1", BoardReadyPayload{On: plan, Reviewer: "a"}, false}, // an agent without a seat
	} {
		op := s.next(OpBoardReady, c.p)
		op.Session = c.session
		if _, applied := Apply(s.t, op, s.texts); applied != c.counts {
			t.Errorf("session %q, %+v: applied %v", c.session, c.p, applied)
		}
	}
}
