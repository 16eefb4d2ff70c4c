package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// "-" passes over branches without a task, and over the task that is here.
func TestSwitch_previousTask(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	first := create(t, s, app.CreateRequest{Title: "First"})
	second := create(t, s, app.CreateRequest{Title: "Second"})
	f.Git("checkout", "-q", "main")
	f.Git("checkout", "-q", "feature/second")
	f.Git("checkout", "-q", "--detach")
	f.Git("checkout", "-q", "feature/second")
	for _, want := range []task.ID{first.ID, second.ID, first.ID} {
		went, err := s.Tasks.Switch(ctx, "-")
		if err != nil || went.Task.ID != want {
			t.Fatalf("went to %q, %v; want %q", went.Task.ID, err, want)
		}
	}
	fresh := gitstoretest.New(t)
	if _, err := open(t, fresh, mara).Tasks.Switch(ctx, "-"); !errors.Is(err, task.ErrNoTask) {
		t.Errorf("with no task before: %v", err)
	}
}

// A name that a deleted task had means the one that lives.
func TestResolve_deletedTasksGiveTheirNamesBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	old := create(t, s, app.CreateRequest{Title: "A task"})
	if _, err := s.Tasks.DeleteTask(ctx, old.ID); err != nil {
		t.Fatal(err)
	}
	if id, err := s.Tasks.Resolve(ctx, "a-task"); err != nil || id != old.ID {
		t.Errorf("alone: %q, %v", id, err)
	}
	living := create(t, s, app.CreateRequest{Title: "A task", Branch: "again"})
	if id, err := s.Tasks.Resolve(ctx, "a-task"); err != nil || id != living.ID {
		t.Errorf("beside a living one: %q, %v; want %q", id, err, living.ID)
	}
	create(t, s, app.CreateRequest{Title: "A task", Branch: "and-again"})
	var ambiguous *task.AmbiguousError
	if _, err := s.Tasks.Resolve(ctx, "a-task"); !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Errorf("beside two living ones: %v", err)
	}
}

// A branch that git renamed is found from anywhere, also by a session that may
// not write it down.
func TestSwitch_S38_renamedBranch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	agent := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "11111111-aaaa"})
	made := create(t, agent, app.CreateRequest{Title: "A task"})
	if _, err := agent.Work.Start(ctx, made.ID, false, false); err != nil {
		t.Fatal(err)
	}
	f.Git("branch", "-m", "better-name")
	other := open(t, f, clone.Caller{User: "jo", Host: "laptop", Session: "22222222-bbbb"})
	st, err := other.TaskStatus(ctx, app.TaskStatusRequest{})
	if err != nil || st.Task == nil || st.Task.ID != made.ID {
		t.Fatalf("another session: %+v, %v", st.Task, err)
	}
	f.Git("checkout", "-q", "main")
	if _, err := other.Tasks.Switch(ctx, "a-task"); err != nil {
		t.Fatal(err)
	}
	if head := f.Git("symbolic-ref", "--short", "HEAD"); head != "better-name" {
		t.Errorf("HEAD is at %s", head)
	}
	now, err := agent.TaskStatus(ctx, app.TaskStatusRequest{})
	if err != nil || now.Task == nil {
		t.Fatalf("the holder: %+v, %v", now.Task, err)
	}
}

// Each linked work tree has its own task and mode (S-37), the state is one.
func TestHere_S37_linkedWorkTrees(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	a := create(t, s, app.CreateRequest{Title: "Task A", NoSwitch: true})
	b := create(t, s, app.CreateRequest{Title: "Task B", NoSwitch: true})
	f.Git("worktree", "add", "-q", "../a", a.Branch)
	f.Git("worktree", "add", "-q", "nested", b.Branch)
	inA, inB := open(t, f.In(f.Dir+"/../a"), mara), open(t, f.In(f.Dir+"/nested"), mara)
	if _, err := inA.Sessions.UserMode(ctx, clone.ModeImplementation, "test"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    *app.App
		task task.ID
		mode clone.Mode
	}{{inA, a.ID, clone.ModeImplementation}, {inB, b.ID, clone.ModeDiscussion}, {s, "", clone.ModeDiscussion}} {
		v, err := c.s.Status(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		if v.Mode != c.mode || (v.Task == nil) != (c.task == "") || (v.Task != nil && v.Task.ID != c.task) {
			t.Errorf("in %s: %+v in %s mode, want %q in %s", c.s.Clone.Repo.WorkTree, v.Task, v.Mode, c.task, c.mode)
		}
		all, err := c.s.List(ctx, app.ListRequest{})
		if err != nil || len(all.Tasks) != 2 || all.Here != c.task {
			t.Errorf("in %s: %d tasks, %q here, %v", c.s.Clone.Repo.WorkTree, len(all.Tasks), all.Here, err)
		}
	}
}

// A branch that only a remote has is made from it and follows it, whatever else
// has its short name here.
func TestSwitch_S34_remoteBranchOfAnAmbiguousName(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	made := create(t, s, app.CreateRequest{Title: "A task"})
	tip := f.Commit("theirs")
	f.Git("remote", "add", "origin", f.Dir)
	f.Git("update-ref", "refs/remotes/origin/feature/a-task", "HEAD")
	f.Git("switch", "-q", "main")
	f.Git("branch", "-D", "feature/a-task")
	f.Git("branch", "origin/feature/a-task", "main")
	f.Git("tag", "origin/feature/a-task", "main")
	went, err := s.Tasks.Switch(ctx, string(made.ID))
	if err != nil || went.Made != "origin/feature/a-task" {
		t.Fatalf("Switch() = %+v, %v", went, err)
	}
	if at := f.OID("HEAD"); at != tip {
		t.Errorf("HEAD is %s, want the remote's %s", at, tip)
	}
	if up := f.Git("rev-parse", "--symbolic-full-name", "@{upstream}"); up != "refs/remotes/origin/feature/a-task" {
		t.Errorf("follows %s", up)
	}
}
