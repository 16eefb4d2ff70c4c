package app_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What is to push and to merge is counted against what was last fetched.
func TestStanding_comparesWithTheRemote(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Git("config", "brew.remote", "hub")
	made := create(t, open(t, f, mara), app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	ref := "refs/brew/tasks/" + string(made.ID)
	first, second := f.OID(ref+"~1").String(), f.OID(ref).String()
	for _, c := range []struct {
		name, ours, theirs string
		ahead, behind      int
	}{
		{"never pushed", second, "", 2, 0},
		{"pushed in part", second, first, 1, 0},
		{"the same", second, second, 0, 0},
		{"they went on", first, second, 0, 1},
	} {
		f.Git("update-ref", ref, c.ours)
		tracking := "refs/brew/remotes/hub/tasks/" + string(made.ID)
		if c.theirs != "" {
			f.Git("update-ref", tracking, c.theirs)
		}
		st, err := open(t, f, mara).TaskStatus(ctx, app.TaskStatusRequest{})
		if want := (app.SyncState{Ahead: c.ahead, Behind: c.behind}); err != nil || st.Sync != want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, st.Sync, err, want)
		}
	}
}

// Commits are counted since the branch that the task came from, only where
// somebody asks.
func TestStanding_countsCommits(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, mara)
	create(t, s, app.CreateRequest{Title: "A task"})
	f.Commit("one")
	f.Commit("two")
	for _, c := range []struct {
		ask  bool
		want int
	}{{true, 2}, {false, -1}} {
		st, err := s.TaskStatus(ctx, app.TaskStatusRequest{Ahead: c.ask})
		if err != nil || st.Ahead != c.want {
			t.Errorf("asked %v: %d, %v; want %d", c.ask, st.Ahead, err, c.want)
		}
	}
	f.Git("checkout", "-q", "main")
	f.Git("merge", "-q", "feature/a-task")
	if st, err := s.TaskStatus(ctx, app.TaskStatusRequest{Task: "a-task", Ahead: true}); err != nil || st.Ahead != 0 ||
		st.Task.Status != task.Pending {
		t.Errorf("merged: %d, %v", st.Ahead, err)
	}
	if st, err := s.TaskStatus(ctx, app.TaskStatusRequest{}); err != nil || st.Task != nil {
		t.Errorf("on main: %+v, %v", st.Task, err)
	}
}

// All at once is each by itself, newest first.
func TestAllStandings_areTheSame(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Git("config", "brew.remote", "hub")
	for _, title := range []string{"First", "Second", "Third"} {
		made := create(t, open(t, f, mara), app.CreateRequest{Title: title, Phases: []string{"One"}})
		f.Commit("work on " + title)
		if title == "Third" {
			continue
		}
		s := open(t, f, mara)
		if _, err := s.Work.Start(ctx, made.ID, false, false); err != nil {
			t.Fatal(err)
		}
		if title == "Second" { // whose plan is not ready (BC-18)
			for name, text := range map[string]string{"roadmap": "# Roadmap\n\n{GOAL}\n", "phases/1/plan": "# One\n\nDo it.\n"} {
				if _, err := s.Documents.SetDocument(ctx, made.ID,
					texts.SetDocumentRequest{Name: name, Text: []byte(text)}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s := open(t, f, mara)
	all, broken, err := s.AllTaskStatuses(ctx, app.TaskStatusRequest{Ahead: true})
	if err != nil || len(all) != 3 || len(broken) > 0 {
		t.Fatalf("%d, %v, %v", len(all), broken, err)
	}
	if next := all[1].Next.Command; all[1].Task.Title != "Second" || next != "git brew doc check" {
		t.Errorf("%s: next is %s", all[1].Task.Title, next)
	}
	held := 0
	for _, have := range all {
		want, err := s.TaskStatus(ctx, app.TaskStatusRequest{Task: string(have.Task.ID), Ahead: true})
		have.Next.Row, want.Next.Row = "", "" // which a kept answer does not have
		if err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("%s:\n%+v\n%+v, %v", have.Task.ID, have, want, err)
		}
		if have.Holder {
			held++
		}
	}
	if held != 2 {
		t.Errorf("%d locks are held here, want 2", held)
	}
}
