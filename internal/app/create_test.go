package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

var mara = clone.Caller{User: "mara", Host: "laptop"}

// create makes a task that has to succeed.
func create(t *testing.T, s *app.App, r app.CreateRequest) task.Task {
	t.Helper()
	made, err := s.Tasks.Create(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return made.Task
}

// refused fails the test unless err is a refusal, of the moment or of what was
// asked for, that says so.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	var ours *clone.RefusedError
	var rules *task.RefusedError
	var wrong *clone.InvalidError
	if !errors.As(err, &ours) && !errors.As(err, &rules) && !errors.As(err, &wrong) {
		t.Fatalf("error %v, want a refusal", err)
	}
	if !strings.Contains(err.Error(), words) {
		t.Errorf("error %q, want %q in it", err, words)
	}
}

// In every form of a repository a task can be made, found again by its branch,
// and read by a service that starts anew.
func TestCreate_S35_everyKindOfRepository(t *testing.T) {
	t.Parallel()
	for _, kind := range gitstoretest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			f := gitstoretest.NewKind(t, kind)
			bare := kind == gitstoretest.Bare
			s := open(t, f, mara)
			made := create(t, s, app.CreateRequest{Title: "A task", NoSwitch: bare, Phases: []string{"One"}})
			again := open(t, f, mara)
			id, err := again.Tasks.Resolve(ctx, "a-task")
			if err != nil || id != made.ID {
				t.Fatalf("Resolve = %q, %v; want %q", id, err, made.ID)
			}
			here, err := again.Place.Here(ctx)
			if want := made.ID; err != nil || (here != want) != bare {
				t.Errorf("Here = %q, %v", here, err)
			}
			st, err := again.TaskStatus(ctx, app.TaskStatusRequest{Task: string(id), Ahead: true})
			if err != nil || len(st.Task.Phases) != 1 || st.Ahead != 0 {
				t.Errorf("TaskStatus = %+v, %v", st, err)
			}
			if out := f.Git("for-each-ref", "--format=%(refname)", "refs/heads/feature"); out != "refs/heads/feature/a-task" {
				t.Errorf("branches: %q", out)
			}
		})
	}
}

func TestCreate_whatTheRulesRefuseMakesNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Git("branch", "feature/taken")
	before := f.Git("for-each-ref")
	story := `{"featureName": "F", "tasks": [%s]}`
	for _, c := range []struct {
		name  string
		r     app.CreateRequest
		words string
	}{
		{"no title", app.CreateRequest{}, "title"},
		{"control characters", app.CreateRequest{Title: "a\x1b[31m"}, ""},
		{"a branch that exists", app.CreateRequest{Title: "Taken"}, "branch feature/taken exists"},
		{"an unknown type", app.CreateRequest{Title: "A", Type: "epic"}, `"epic" is no type`},
		{"no branch", app.CreateRequest{Title: "A", Branch: "a b"}, "no name for a branch"},
		{"an empty phase", app.CreateRequest{Title: "A", Phases: []string{"One", ""}}, ""},
		{"a PRD that is none", app.CreateRequest{PRD: []byte("[]")}, "PRD"},
		{"stories in a circle", app.CreateRequest{PRD: []byte(strings.Replace(story, "%s",
			`{"id":"1","title":"a","dependsOn":["2"]},{"id":"2","title":"b","dependsOn":["1"]}`, 1))}, "waits for itself"},
		{"a story twice", app.CreateRequest{PRD: []byte(strings.Replace(story, "%s",
			`{"id":"1","title":"a"},{"id":"1","title":"b"}`, 1))}, "is called 1, too"},
		{"a story without title", app.CreateRequest{PRD: []byte(strings.Replace(story, "%s", `{"id":"1"}`, 1))}, "no title"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := open(t, f, mara).Tasks.Create(ctx, c.r)
			refused(t, err, c.words)
			if after := f.Git("for-each-ref"); after != before {
				t.Errorf("refs are now\n%s", after)
			}
			if head := f.Git("symbolic-ref", "--short", "HEAD"); head != "main" {
				t.Errorf("HEAD is at %s", head)
			}
		})
	}
}

func TestCreate_dryRunMakesNothing(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	before := f.Git("for-each-ref")
	s := open(t, f, mara)
	s.Clone.SetDryRun()
	made, err := s.Tasks.Create(context.Background(), app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	if err != nil || len(made.Task.Phases) != 1 || made.Task.Branch != "feature/a-task" {
		t.Fatalf("%+v, %v", made.Task, err)
	}
	if after := f.Git("for-each-ref"); after != before {
		t.Errorf("refs are now\n%s", after)
	}
}

// Where the record can't be written, the branch that was made for it goes
// again.
func TestCreate_branchGoesWhereTheRecordFails(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	if err := os.WriteFile(filepath.Join(f.Dir, ".git", "refs", "brew"), []byte("in the way"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, f, mara).Tasks.Create(context.Background(), app.CreateRequest{Title: "A task"}); err == nil {
		t.Fatal("created")
	}
	if err := os.Remove(filepath.Join(f.Dir, ".git", "refs", "brew")); err != nil {
		t.Fatal(err)
	}
	if out := f.Git("for-each-ref", "--format=%(refname)"); out != "refs/heads/main" {
		t.Errorf("refs are now %q", out)
	}
	if head := f.Git("symbolic-ref", "--short", "HEAD"); head != "main" {
		t.Errorf("HEAD is at %s", head)
	}
}

// The branch of a task that has ended is free for another one.
func TestCreate_branchOfAnEndedTask(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	first := create(t, s, app.CreateRequest{Title: "First", Branch: "work"})
	_, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Second", Here: true})
	refused(t, err, "belongs to "+string(first.ID))
	if _, err := s.Work.Start(ctx, first.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Work.Finish(ctx, first.ID, app.FinishRequest{Status: task.Cancelled}); err != nil {
		t.Fatal(err)
	}
	second := create(t, s, app.CreateRequest{Title: "Second", Here: true})
	if here, err := s.Place.Here(ctx); err != nil || here != second.ID {
		t.Errorf("Here = %q, %v; want %q", here, err, second.ID)
	}
}

// Where the record can't be written, the work tree is back where it was, and the
// branch is gone.
func TestCreate_goesBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, prepare := range map[string]func(f *gitstoretest.Fixture){
		"a branch":             func(*gitstoretest.Fixture) {},
		"no branch":            func(f *gitstoretest.Fixture) { f.Git("switch", "-q", "--detach") },
		"a branch yet to come": func(f *gitstoretest.Fixture) { f.Git("switch", "-q", "--orphan", "empty") },
	} {
		f := gitstoretest.New(t)
		prepare(f)
		s := open(t, f, mara)
		gitstoretest.WriteProgram(t, filepath.Join(f.Dir, ".git", "hooks", "post-checkout"),
			"#!/bin/sh\necho in the way >\"$(git rev-parse --git-common-dir)/refs/brew\"\n")
		head, err := s.Clone.Repo.Refs.Head(ctx)
		if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
			t.Fatal(err)
		}
		_, err = s.Tasks.Create(ctx, app.CreateRequest{Title: "A task", From: "main"})
		if err == nil {
			t.Fatalf("%s: nothing was in the way: the test tests nothing", name)
		}
		after, err := s.Clone.Repo.Refs.Head(ctx)
		if err != nil && !errors.Is(err, gitstore.ErrNotExist) || after != head {
			t.Errorf("%s: HEAD is %+v, %v; was %+v", name, after, err, head)
		}
		if exists, err := s.Clone.Repo.Branches.Exists(ctx, "feature/a-task"); err != nil || exists {
			t.Errorf("%s: the branch stays: %v, %v", name, exists, err)
		}
		if err := os.Remove(filepath.Join(f.Dir, ".git", "refs", "brew")); err != nil {
			t.Fatal(err)
		}
	}
}

// atWork starts a task and its first phase.
func atWork(t *testing.T, s *app.App, id task.ID) {
	t.Helper()
	if _, err := s.Work.Start(t.Context(), id, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Phases.StartPhase(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
}

// workDone starts a task and its first phase, whose work is done then.
func workDone(t *testing.T, s *app.App, id task.ID) {
	t.Helper()
	atWork(t, s, id)
	if _, err := s.Phases.PhaseDone(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
}
