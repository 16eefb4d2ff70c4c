package app_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What a branch or a work tree meant is gone: there is no task here, and
// nothing breaks.
func TestHere_taskIsGone(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t).Unchecked() // a claim of nothing stays behind
	person := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := person.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	// An agent's own work tree has the task recorded, not its branch.
	aside := filepath.Join(f.Root, "aside")
	f.Git("worktree", "add", "-q", "--detach", aside)
	agent := open(t, f.In(aside), clone.Caller{User: "mara", Host: "laptop", Session: "one"})
	if _, err := agent.Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"}, made.Task.ID); err != nil {
		t.Fatal(err)
	}
	if id, err := agent.Place.Here(ctx); err != nil || id != made.Task.ID {
		t.Fatalf("Here() aside = %q, %v", id, err)
	}
	f.Git("update-ref", "-d", "refs/brew/tasks/"+string(made.Task.ID))
	for name, s := range map[string]*app.App{"branch": person, "work tree": agent} {
		if id, err := s.Place.Here(ctx); err != nil || id != "" {
			t.Errorf("%s: Here() = %q, %v; want none", name, id, err)
		}
		if v, err := s.Sessions.Agent(ctx); err != nil || v.Task != nil {
			t.Errorf("%s: Agent() = %v, %v; want no task", name, v.Task, err)
		}
		if _, err := s.List(ctx, app.ListRequest{All: true}); err != nil {
			t.Errorf("%s: List() = %v", name, err)
		}
	}
	found, err := examine(ctx, person, true)
	if err != nil || len(found) != 1 || !found[0].Fixed {
		t.Errorf("Doctor() = %+v, %v; want the claim forgotten", found, err)
	}
	if found, err = examine(ctx, person, false); err != nil || len(found) != 0 {
		t.Errorf("Doctor() again = %+v, %v; want nothing", found, err)
	}
}

// What a branch means is found among the tasks, however it came to one.
func TestDiscover_branchOfATaskFromElsewhere(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	discover := func(branch string, want task.ID) {
		t.Helper()
		f.Git("switch", "-q", branch)
		again := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
		got, err := again.Tasks.Discover(ctx)
		if err := errors.Join(err, again.Clone.Repo.Close()); err != nil || got != want {
			t.Errorf("Discover() on %s = %q, %v; want %q", branch, got, err, want)
		}
	}
	f.Git("branch", "other", "main")
	discover("main", "")
	discover("other", "")

	// A task comes to the branch: by its record, as from another clone, or with
	// the branch's new name.
	if _, err := s.Tasks.EditTask(ctx, id, app.EditRequest{Branch: "other"}); err != nil {
		t.Fatal(err)
	}
	f.Git("symbolic-ref", "--delete", "refs/brew/heads/other")
	discover("other", id)
	f.Git("branch", "-m", "other", "third")
	discover("third", id)
}

// A new work tree that git gives the name of a removed one is another one.
func TestMode_newWorkTreeOfAnOldName(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	caller := clone.Caller{User: "mara", Host: "laptop"}
	first, second := filepath.Join(f.Root, "a", "wt"), filepath.Join(f.Root, "b", "wt")
	f.Git("worktree", "add", "-q", "--detach", first)
	if _, err := open(t, f.In(first), caller).Sessions.SwitchMode(ctx, "implementation"); err != nil {
		t.Fatal(err)
	}
	f.Git("worktree", "remove", "--force", first)
	f.Git("worktree", "add", "-q", "--detach", second)
	s := open(t, f.In(second), caller)
	if m, err := s.Sessions.Mode(ctx); err != nil || m.Mode != clone.ModeDiscussion {
		t.Errorf("Mode() = %s, %v; want discussion", m.Mode, err)
	}
	if id := s.Clone.Repo.WorktreeID(); id != "wt" {
		t.Fatalf("the new one is called %q: the test tests nothing", id)
	}
	if m, err := s.Sessions.SwitchMode(ctx, "implementation"); err != nil || m.Previous != clone.ModeDiscussion {
		t.Errorf("SwitchMode() = %+v, %v; want from discussion", m, err)
	}
}
