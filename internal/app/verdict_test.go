package app_test

import (
	"context"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What the user says to an agent approves the one phase that it can mean, as their own
// word; else nothing is recorded, and the reason is told.
func TestApproveByWord_BC36_onePhaseOrNone(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	work := func(t *testing.T, s *app.App, id task.ID, phases ...string) {
		t.Helper()
		for _, p := range phases {
			if _, err := s.Phases.StartPhase(ctx, id, p); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Phases.PhaseDone(ctx, id, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	verification := phase.PhaseAddRequest{Title: "Look at it", Kind: task.KindVerification, Parent: "1"}
	for name, tt := range map[string]struct {
		do       func(t *testing.T, f *gitstoretest.Fixture, s *app.App, id task.ID)
		approved string // the phase
		why      string
	}{
		"none is in review": {func(*testing.T, *gitstoretest.Fixture, *app.App, task.ID) {}, "", ""},
		"one": {func(t *testing.T, _ *gitstoretest.Fixture, s *app.App, id task.ID) {
			work(t, s, id, "1")
		}, "1", ""},
		"two": {func(t *testing.T, _ *gitstoretest.Fixture, s *app.App, id task.ID) {
			work(t, s, id, "1", "2")
		}, "", "phases 1, 2 are in review"},
		"its verification is to come": {func(t *testing.T, _ *gitstoretest.Fixture, s *app.App, id task.ID) {
			if _, err := s.Phases.AddPhase(ctx, id, verification); err != nil {
				t.Fatal(err)
			}
			work(t, s, id, "1")
		}, "", "phase 1 is completed by its verification 1V"},
		"its verification is in review, too": {func(t *testing.T, _ *gitstoretest.Fixture, s *app.App, id task.ID) {
			if _, err := s.Phases.AddPhase(ctx, id, verification); err != nil {
				t.Fatal(err)
			}
			work(t, s, id, "1", "1V")
		}, "1V", ""},
		"something runs before a review": {func(t *testing.T, f *gitstoretest.Fixture, s *app.App, id task.ID) {
			work(t, s, id, "1")
			f.Write(".brew/hooks/pre-review.md", "# Look at the budget\n")
		}, "", "the pipeline runs something before the review of phase 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t)
			s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
			made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model", "Login"}})
			if err != nil {
				t.Fatal(err)
			}
			id := made.Task.ID
			if _, err := s.Work.Start(ctx, id, false, false); err != nil {
				t.Fatal(err)
			}
			tt.do(t, f, s, id)
			agent := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "s1"})
			got, why, err := agent.Reviews.ApproveByWord(ctx, id, nil)
			if err != nil || got.ID != tt.approved || !strings.HasPrefix(why, tt.why) ||
				tt.why == "" && why != "" {
				t.Fatalf("approved %q, %q, %v", got.ID, why, err)
			}
			steps, err := s.Records.History(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			said := false
			for _, step := range steps {
				if step.Op != nil && step.Op.Kind == task.OpPhaseReview {
					said = step.Op.Session == "" && strings.Contains(string(step.Op.Payload), `"heard":"s1"`) &&
						strings.Contains(string(step.Op.Payload), `"user":true`)
				}
			}
			if said != (tt.approved != "") {
				t.Errorf("as the user's word: %t", said)
			}
		})
	}
}

// Whose verdict it is says review.by: an agent's is refused, or counts.
func TestReviewPhase_BC36_reviewBy(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for by, want := range map[string]bool{"": false, config.ReviewByUser: false, config.ReviewByAgent: true} {
		f := gitstoretest.New(t)
		if by != "" {
			f.Git("config", "brew.review.by", by)
		}
		s := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "s1"})
		made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model"}})
		if err != nil {
			t.Fatal(err)
		}
		id := made.Task.ID
		workDone(t, s, id)
		for _, verdict := range []task.Review{task.ReviewChanges, task.ReviewApproved} {
			_, err := s.Reviews.ReviewPhase(ctx, id, "1", verdict, "slow")
			if got := err == nil; got != want || !want && !strings.Contains(err.Error(), "ask them: ") {
				t.Errorf("review.by %q: %s: %v", by, verdict, err)
			}
		}
	}
}
