package rules_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// looked is what a reviewer says who has looked at what there is.
func (s *story) looked(on task.BoardName, who ...string) {
	s.Helper()
	for _, w := range who {
		s.do(task.OpBoardReady, task.BoardReadyPayload{On: on, Reviewer: w, Seen: SeenOn(s.t, on)})
	}
}

// BC-7, BC-17: what was said about a document is about that text. Of another one nobody
// has spoken, READY or not, and that keeps from beginning what it kept.
func TestBoard_BC7_BC17_aboutTheTextThatThereIs(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.on(task.DocSpec)
	plan := s.on(task.DocPlan)
	s.looked(plan, "ann", "bob", "cid")
	s.verdict(plan, VerdictReady, 1)

	s.on(task.DocPlan)
	got := s.verdict(plan, VerdictReview, 1)
	if want := "it changed since it was looked at; 0 of 3 reviewers spoke in round 1"; got.Why != want || !got.Changed ||
		len(got.Reviewers) != 0 {
		t.Errorf("%q, %+v", got.Why, got)
	}
	p := s.planned()
	if err := checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: p}); err == nil ||
		route.Next(s.t).Step != task.StepReview {
		t.Errorf("%v; next is %+v", err, route.Next(s.t))
	}
	s.looked(plan, "ann")
	if got = s.verdict(plan, VerdictReview, 1); got.Changed || len(got.Reviewers) != 1 {
		t.Errorf("%+v", got)
	}
	s.on(task.DocPlan)
	s.looked(plan, "ann", "bob", "cid")
	s.verdict(plan, VerdictReady, 1)

	s = started(t)
	spec := s.on(task.DocSpec)
	s.do(task.OpBoardReady, task.BoardReadyPayload{On: spec, Reason: "it will do", Seen: SeenOn(s.t, spec)})
	s.verdict(spec, VerdictReady, 1)
	first := s.t.Docs[task.DocSpec].OID
	s.on(task.DocSpec)
	if got = s.verdict(spec, VerdictReview, 1); got.Waived != nil {
		t.Errorf("the user took another text: %+v", got)
	}
	s.do(task.OpDocSet, task.DocSetPayload{Name: task.DocSpec, Base: s.t.Docs[task.DocSpec].OID, OID: first})
	s.verdict(spec, VerdictReady, 1) // it is what the user took
}

// What is grave is mended in its round, by as many changes as it takes, and the last
// that is resolved ends it.
func TestBoard_BC7_mendedInItsRound(t *testing.T) {
	t.Parallel()
	s := started(t)
	spec := s.on(task.DocSpec)
	one, two := s.remark(spec, "ann", task.Critical, "hole"), s.remark(spec, "ann", task.Major, "gap")
	s.on(task.DocSpec)
	s.verdict(spec, VerdictChanges, 1)
	s.resolve(one)
	s.on(task.DocSpec)
	s.verdict(spec, VerdictChanges, 1)
	s.resolve(two)
	s.verdict(spec, VerdictReview, 2)
	s.on(task.DocSpec)
	s.verdict(spec, VerdictReview, 2)
	third := s.remark(spec, "ann", task.Critical, "another")
	s.on(task.DocSpec)
	s.verdict(spec, VerdictChanges, 2) // and not ASK: the third round is not over
	s.resolve(third)
	s.verdict(spec, VerdictReview, 3)
}

// Who looked at another text, on another machine, has not spoken about this one;
// what was found there is kept.
func TestBoard_BC7_lookedAtAnotherText(t *testing.T) {
	t.Parallel()
	s := started(t)
	spec := s.on(task.DocSpec)
	seen := SeenOn(s.t, spec)
	s.on(task.DocSpec)
	s.superseded(task.OpBoardReady, task.BoardReadyPayload{On: spec, Reviewer: "ann", Seen: seen})
	s.superseded(task.OpBoardReady, task.BoardReadyPayload{On: spec, Reason: "it will do", Seen: seen})
	if len(s.t.Boards) > 0 {
		t.Errorf("%+v", s.t.Boards)
	}
	if err := Check(s.t, s.next(task.OpBoardReady,
		task.BoardReadyPayload{On: spec, Reviewer: "ann", Seen: seen})); err == nil {
		t.Error("it was changed meanwhile, and that is not told")
	}
	s.do(task.OpRemarkAdd, task.RemarkAddPayload{On: spec, Reviewer: "ann", Severity: task.Minor, Text: "gap", Seen: seen})
	if got := s.verdict(spec, VerdictReview, 1); len(got.Remarks) != 1 || len(got.Reviewers) != 0 {
		t.Errorf("%+v", got)
	}
	s.do(task.OpRemarkVote, task.RemarkVotePayload{Remark: s.t.Remarks[0].UID, Reviewer: "bob", Seen: seen})
	if got := s.verdict(spec, VerdictReview, 1); len(got.Remarks[0].For()) != 2 || len(got.Reviewers) != 0 {
		t.Errorf("%+v", got)
	}
	s.looked(spec, "bob")
	s.verdict(spec, VerdictReady, 1)
}

// BC-7: who says something without having looked at the text that there is now begins
// no round, so it stays told what became of the last one.
func TestBoard_BC7_whatItWasStaysTold(t *testing.T) {
	t.Parallel()
	for name, speak := range map[string]func(s *story, spec task.BoardName, seen string, minor task.UID){
		"who looked at another text": func(s *story, spec task.BoardName, seen string, minor task.UID) {
			s.do(task.OpRemarkVote, task.RemarkVotePayload{Remark: minor, Reviewer: "bob", Seen: seen})
		},
		"what is resolved":      func(s *story, _ task.BoardName, _ string, minor task.UID) { s.resolve(minor) },
		"the user, of a remark": func(s *story, _ task.BoardName, _ string, minor task.UID) { s.confirm(minor, "") },
		"the user, of the new one": func(s *story, spec task.BoardName, _ string, _ task.UID) {
			s.remark(spec, "", task.Minor, "blot")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			spec := s.on(task.DocSpec)
			seen := SeenOn(s.t, spec)
			minor := s.remark(spec, "ann", task.Minor, "typo")
			s.looked(spec, "ann")
			s.on(task.DocSpec)
			speak(s, spec, seen, minor)
			want := "it changed since it was looked at; 0 of 1 reviewer spoke in round 1"
			if got := s.verdict(spec, VerdictReview, 1); got.Why != want || !got.Changed {
				t.Errorf("%q", got.Why)
			}
			s.looked(spec, "ann")
			s.verdict(spec, VerdictReady, 1)
		})
	}
}

// BC-7: what the user finds in a text that nobody has looked at yet is of the
// round, and ends that when it is resolved, whatever text there is then.
func TestBoard_BC7_theUsersRound(t *testing.T) {
	t.Parallel()
	s := started(t)
	spec := s.on(task.DocSpec)
	s.looked(spec, "ann")
	s.on(task.DocSpec)
	hole := s.remark(spec, "", task.Critical, "hole")
	s.verdict(spec, VerdictChanges, 1)
	s.on(task.DocSpec)
	s.verdict(spec, VerdictChanges, 1)
	s.resolve(hole)
	s.verdict(spec, VerdictReview, 2)
}
