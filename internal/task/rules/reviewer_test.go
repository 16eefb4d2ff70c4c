package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// BC-17, BC-53: an agent's session has one vote, whatever names it gives itself; so has
// each agent that it started. In the fold the id counts, and no name.
func TestReviewer_BC17_BC53_oneVoteASession(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(task.DocSpec)
	plan := s.on(task.DocPlan)
	first := s.remark(plan, "ann", task.Minor, "typo")
	ready := func(who string, voter task.VoterID) task.BoardReadyPayload {
		return task.BoardReadyPayload{On: plan, Reviewer: who, Voter: voter}
	}
	s.do(task.OpBoardReady, ready("critic", "s1"))
	for _, c := range []struct {
		who, says string
		voter     task.VoterID
	}{
		{"Ann", "a person speaks as ann", "s2"},
		{"other", "this session speaks as critic", "s1"},
		{"Critic", "an agent speaks as critic", ""},
	} {
		if r := s.refusal(task.CodeTaken, task.OpBoardReady, ready(c.who, c.voter)); !strings.Contains(r.Msg, c.says) {
			t.Errorf("%s of %s: %s", c.who, c.voter, r.Msg)
		}
		s.refused(task.CodeTaken, task.OpRemarkVote, task.RemarkVotePayload{Remark: first, Reviewer: c.who, Voter: c.voter})
		s.refused(task.CodeTaken, task.OpRemarkAdd,
			task.RemarkAddPayload{On: plan, Reviewer: c.who, Voter: c.voter, Severity: task.Info, Text: "x"})
	}
	s.do(task.OpBoardReady, ready("Critic", "s1"))
	s.do(task.OpBoardReady, ready("reviewer", "s1/reviewer"))
	s.do(task.OpBoardReady, ready("other", "s2"))

	// Another clone's command may have allowed what this one refuses.
	s.nodes = append(s.nodes, s.fork(len(s.nodes), task.OpBoardReady, ready("ann", "s1"), 0))
	s.nodes = append(s.nodes, s.fork(len(s.nodes), task.OpRemarkVote,
		task.RemarkVotePayload{Remark: first, Reviewer: "ann", Voter: "s1"}, 0))
	s.nodes = append(s.nodes, s.fork(len(s.nodes), task.OpRemarkVote,
		task.RemarkVotePayload{Remark: first, Reviewer: "bob", Voter: "s1"}, 0))
	s.t = Fold(s.nodes, s.texts)
	want := []task.Ballot{
		{Reviewer: task.Reviewer{Name: "ann", Voter: ""}, Ready: false},
		{Reviewer: task.Reviewer{Name: "critic", Voter: "s1"}, Ready: true},
		{Reviewer: task.Reviewer{Name: "reviewer", Voter: "s1/reviewer"}, Ready: true},
		{Reviewer: task.Reviewer{Name: "other", Voter: "s2"}, Ready: true},
	}
	if got := TallyOf(s.t, plan).Reviewers; !slices.Equal(got, want) {
		t.Errorf("%v spoke, want %v", got, want)
	}
	if got := s.t.Remarks[0].Votes; len(got) != 2 || got[1].Voter != "s1" {
		t.Errorf("the votes are %v, want ann's and one of the session", got)
	}
}

// A vote is the session's that the operation says, and nobody's word alone is the
// user's.
func TestReviewer_BC19_itsOwn(t *testing.T) {
	t.Parallel()
	s := started(t)
	plan := s.on(task.DocPlan)
	for _, c := range []struct {
		session string
		p       task.BoardReadyPayload
		counts  bool
	}{
		{"s1", task.BoardReadyPayload{On: plan, Reviewer: "a", Voter: "s2"}, false},
		{"s1", task.BoardReadyPayload{On: plan, Reviewer: "a", Voter: "s2/s1"}, false},
		{"s1", task.BoardReadyPayload{On: plan, Reviewer: "a", Voter: "s1/"}, false},
		{"s1", task.BoardReadyPayload{On: plan, Reviewer: "a", Voter: "../s1"}, false},
		{"", task.BoardReadyPayload{On: plan, Voter: "agent-x", Reason: "good"}, false},
		{"s1", task.BoardReadyPayload{On: plan, Reviewer: "a", Voter: "s1/a"}, true},
		{"", task.BoardReadyPayload{On: plan, Reviewer: "a", Voter: "agent-x"}, true},
		{"s1", task.BoardReadyPayload{On: plan, Reviewer: "a"}, false}, // an agent without an id
	} {
		op := s.next(task.OpBoardReady, c.p)
		op.Session = c.session
		if _, applied := Apply(s.t, op, s.texts); applied != c.counts {
			t.Errorf("session %q, %+v: applied %v", c.session, c.p, applied)
		}
	}
}
