package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// A refused step of a use case leaves nothing of the steps before it: revise
// adds a phase and starts it, or does neither.
func TestRevisePhase_SP11_allOrNothing(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model"}})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	workDone(t, s, id)
	if _, err := s.Work.Pause(ctx, id, task.CauseWaiting, "waits"); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Phases.RevisePhase(ctx, id, "1", ""); err == nil {
		t.Fatalf("revised phase %s of a blocked task", r.Phase.ID)
	}
	got, err := s.Records.Task(ctx, id)
	if err != nil || len(got.Phases) != 1 {
		t.Errorf("%d phases, %v; want 1", len(got.Phases), err)
	}
}

// SP-12: a phase knows the commit that it started from, git keeps that commit
// though no branch has it any more, and its note says whose it is.
func TestStartPhase_SP12_keepsTheCommit(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model"}})
	if err != nil {
		t.Fatal(err)
	}
	base := f.OID("HEAD").String()
	f.Write("a", "b\n")
	want := f.Commit("work").String()
	if _, err := s.Work.Start(ctx, made.Task.ID, false, false); err != nil {
		t.Fatal(err)
	}
	r, err := s.Phases.StartPhase(ctx, made.Task.ID, "")
	if err != nil || r.Phase.StartCommit != want {
		t.Fatalf("start commit %s, %v; want %s", r.Phase.StartCommit, err, want)
	}
	f.Git("reset", "-q", "--hard", base)
	f.Git("reflog", "expire", "--expire=now", "--all")
	f.Git("gc", "-q", "--prune=now")
	f.Git("cat-file", "-e", want)
	if r.Phase.Status != task.PhaseInProgress {
		t.Errorf("status %s", r.Phase.Status)
	}
}

// SP-10: a fix is finished before the next phase begins by itself; a person who
// names the next phase means it.
func TestStartPhase_SP10_fixesComeFirst(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{
		Title:  "Add JWT auth",
		Phases: []string{"Token model", "Login endpoint"},
	})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	if _, err := s.Work.Start(ctx, id, false, false); err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() (phase.PhaseResult, error){
		func() (phase.PhaseResult, error) { return s.Phases.StartPhase(ctx, id, "") },
		func() (phase.PhaseResult, error) { return s.Phases.PhaseDone(ctx, id, "") },
		func() (phase.PhaseResult, error) { return s.Phases.RevisePhase(ctx, id, "1", "") },
	} {
		if _, err := step(); err != nil {
			t.Fatal(err)
		}
	}
	var refused *clone.RefusedError
	if r, err := s.Phases.StartPhase(ctx, id, ""); !errors.As(err, &refused) {
		t.Fatalf("started phase %s beside the fix: %v", r.Phase.ID, err)
	}
	if _, err := s.Phases.StartPhase(ctx, id, "2"); err != nil {
		t.Errorf("a phase that is named: %v", err)
	}
}

// An id that says whose verification or research a phase is makes it that.
func TestAddPhase_kindByItsID(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	for _, c := range []struct {
		id   string
		kind task.PhaseKind
		want task.PhaseKind
		of   bool
	}{
		{"1V", "", task.KindVerification, true},
		{"1R2", "", task.KindResearch, true},
		{"FR", "", task.KindFinalReview, false},
		{"9V", task.KindExecution, task.KindExecution, false},
		{"1V2", task.KindExecution, task.KindExecution, false},
	} {
		r, err := s.Phases.AddPhase(ctx, made.ID, phase.PhaseAddRequest{Title: "More", ShownID: c.id, Kind: c.kind})
		if err != nil || r.Phase.ID != c.id || r.Phase.Kind != c.want || (r.Phase.Parent == made.Phases[0].UID) != c.of {
			t.Errorf("%s: %+v, %v", c.id, r.Phase, err)
		}
	}
}
