package run

import (
	"slices"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// Each beat tells of who is at work; a turn that takes 10 minutes, and 20, is told as slow,
// once each (BR-35).
func TestBeat_BR35(t *testing.T) {
	began := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	now := began
	var told []EventKind
	r := (&Runs{Engine: &change.Engine{Clone: &clone.Clone{Now: func() time.Time { return now }}}}).newRun("", Options{})
	r.o.Tell = func(e Event) {
		if e.For != now.Sub(began) || e.Phase.ID != "US-1" || e.Text != "Edit" {
			t.Errorf("told of phase %s, at work for %s, which said %q", e.Phase.ID, e.For, e.Text)
		}
		told = append(told, e.Kind)
	}
	said := "Edit"
	busy := &job{phase: task.Phase{ID: "US-1"}, working: true, doing: Works, since: began}
	busy.said.Store(&said)
	proved := &job{phase: task.Phase{ID: "US-2"}, working: true}
	r.jobs = map[task.UID]*job{"1": busy, "2": proved, "3": {phase: task.Phase{ID: "US-3"}}}
	r.proving = proved
	for _, minutes := range []int{1, 9, 10, 11, 19, 25, 60} {
		now = began.Add(time.Duration(minutes) * time.Minute)
		r.beat()
	}
	want := []EventKind{Beat, Beat, Slow, Beat, Beat, Slow, Beat}
	if !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if eventOf(Event{Kind: Slow}) != "task_slow" || eventOf(Event{Kind: Beat}) != "" {
		t.Error("a supervisor is told of what is slow, and of no beat")
	}
}
