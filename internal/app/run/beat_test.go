package run

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// Each beat tells once who all is at work; a turn that takes 10 minutes, and 20, is told as slow,
// once each (BR-35). Who only waits to begin is not at work.
func TestBeat_BR35(t *testing.T) {
	began := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	now := began
	var told []EventKind
	r := (&Runs{Engine: &change.Engine{Clone: &clone.Clone{Now: func() time.Time { return now }}}}).newRun("", Options{})
	r.o.Tell = func(e Event) {
		if e.Kind == Slow && (e.For != now.Sub(began) || e.Phase.ID != "US-1" || e.Text != "Edit") {
			t.Errorf("told of phase %s, at work for %s, which said %q", e.Phase.ID, e.For, e.Text)
		}
		if e.Kind == Beat && (len(e.Rows) != 2 || e.Rows[0].Said != "Edit" || e.Rows[1].Phase != "US-4") {
			t.Errorf("at work are %+v", e.Rows)
		}
		told = append(told, e.Kind)
	}
	said := "Edit"
	busy := &job{phase: task.Phase{ID: "US-1"}, working: true, doing: Works, since: began}
	busy.said.Store(&said)
	proved := &job{phase: task.Phase{ID: "US-2"}, working: true}
	r.jobs = map[task.UID]*job{
		"1": busy, "2": proved, "3": {phase: task.Phase{ID: "US-3"}}, "4": {phase: task.Phase{ID: "US-4"}, working: true},
		"5": {phase: task.Phase{ID: "US-5"}, working: true, until: began.Add(24 * time.Hour)},
	}
	r.jobs["4"].slow = len(slowAfter)
	for uid := range 5 {
		r.task.Phases = append(r.task.Phases, task.Phase{UID: task.UID(strconv.Itoa(uid + 1))})
	}
	r.proving = proved
	for _, minutes := range []int{1, 9, 10, 11, 19, 25, 60} {
		now = began.Add(time.Duration(minutes) * time.Minute)
		r.beat()
	}
	want := []EventKind{Beat, Beat, Beat, Slow, Beat, Beat, Beat, Slow, Beat}
	if !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	f := files{events: filepath.Join(t.TempDir(), "events")}
	f.note(Event{Kind: Slow}, now)
	f.note(Event{Kind: Beat}, now)
	if text, _ := os.ReadFile(f.events); strings.Count(string(text), "\n") != 1 ||
		!strings.Contains(string(text), `"event":"task_slow"`) {
		t.Errorf("a supervisor is told of what is slow, and of no beat; it was told %s", text)
	}
}
