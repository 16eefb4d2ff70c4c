package run

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// BR-24: what others did to a phase ends the run's work on it, however it looks by now; what the run
// did itself does not.
func TestWhyGone_BR24(t *testing.T) {
	mine := task.Phase{UID: "1", ID: "1", Status: task.PhaseInProgress, Iteration: 2}
	mine.Claim.Worker = task.RunWorker
	for want, change := range map[string]func(*task.Phase){
		"":                                      func(p *task.Phase) { p.Title = "Another" },
		"it was dropped":                        func(p *task.Phase) { p.Status = task.PhaseDropped },
		"it was reset":                          func(p *task.Phase) { p.Status = task.PhasePending },
		"it is completed now, by somebody else": func(p *task.Phase) { p.Status = task.PhaseCompleted },
		"it is in review now, by somebody else": func(p *task.Phase) { p.Status = task.PhaseInReview },
		"somebody else has begun it":            func(p *task.Phase) { p.Claim.Worker = "ann" },
		"it is not for workers any more":        func(p *task.Phase) { p.Agents = []string{"reviewer"} },
		"it was taken out":                      func(p *task.Phase) { p.UID = "2" },
	} {
		p := mine
		change(&p)
		if got := whyGone(task.Task{Phases: []task.Phase{p}}, mine); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	anew := mine // reset, and begun by another run before this one looked
	anew.Iteration = 3
	if got := whyGone(task.Task{Phases: []task.Phase{anew}}, mine); got != "it was reset" {
		t.Errorf("of another iteration: %q", got)
	}
}
