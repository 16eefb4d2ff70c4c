package rules

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// What a stored history makes has the names that it had, also beyond 26 parts.
func TestNewShownID_partsBeyondZ(t *testing.T) {
	var of task.Task
	for n := range 60 {
		id := newShownID(of, task.KindSplit, task.Phase{ID: "1"}, "")
		if want := map[int]string{0: "1a", 25: "1z", 26: "1aa", 51: "1az", 52: "1ba"}[n]; want != "" && id != want {
			t.Errorf("part %d is %s, want %s", n, id, want)
		}
		of.Phases = append(of.Phases, task.Phase{ID: id})
	}
}
