package app_test

import (
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// BR-17: of many live branches those of the tasks that changed last are compared with each other;
// how many were not, or are not here, is told.
func TestOverlap_BR17_countsWhatItLeaves(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara"})
	const tasks, compared = 22, 20
	for i := range tasks {
		made, err := s.Tasks.Create(t.Context(), app.CreateRequest{Title: fmt.Sprintf("Task %d", i)})
		if err != nil {
			t.Fatal(err)
		}
		f.Write("file", fmt.Sprintf("%d\n", i))
		f.Git("add", "-A")
		f.Commit("change")
		if _, err := s.Work.Start(t.Context(), made.Task.ID, false, false); err != nil {
			t.Fatal(err)
		}
		f.Git("checkout", "-q", "main")
	}
	for range 2 { // the second time from what is kept
		l, err := s.List(t.Context(), app.ListRequest{})
		if err != nil {
			t.Fatal(err)
		}
		looked := 0
		for _, one := range l.Tasks {
			if one.Overlap == nil {
				continue
			}
			looked++
			if n := len(one.Overlap.Conflicts); n != compared-1 || one.Overlap.Unlooked != tasks-compared {
				t.Errorf("%s conflicts with %d, and %d were not looked at", one.ID, n, one.Overlap.Unlooked)
			}
		}
		if looked != compared {
			t.Errorf("%d branches were compared, not %d", looked, compared)
		}
		seen, ok := s.Radar.Of(t.Context(), *l.Tasks[0].Head())
		if !ok || len(seen.Conflicts) != tasks-1 || seen.Unlooked != 0 { // one is compared with more
			t.Errorf("of one: %v, %d conflicts, %d not looked at", ok, len(seen.Conflicts), seen.Unlooked)
		}
	}
	f.Git("branch", "-q", "-D", "feature/task-0")
	l, err := s.List(t.Context(), app.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	seen, ok := s.Radar.Of(t.Context(), *l.Tasks[0].Head())
	if !ok || len(seen.Conflicts) != tasks-2 || seen.Unlooked != 1 {
		t.Errorf("a branch that is not here: %v, %d conflicts, %d not looked at", ok, len(seen.Conflicts), seen.Unlooked)
	}
}
