package ui_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// BC-40: what comes next, in one line.
func TestHint_BC40(t *testing.T) {
	for want, step := range map[string]route.Step{
		"git brew start":  {Step: task.StepStart, Command: "git brew start"},
		"git brew finish": {Step: task.StepComplete, Command: "git brew finish"},
		"execute phase 2 (git brew phase start 2)": {
			Step: task.StepExecute, Phase: "2",
			Command: "git brew phase start 2",
		},
		"execute phase 2, then git brew phase done 2": {
			Step: task.StepExecute, Phase: "2",
			Command: "git brew phase done 2",
		},
		"report on phase 2 (git brew report 2 --agent N -)": {
			Step: task.StepReview, Phase: "2",
			Command: "git brew report 2 --agent N -",
		},
		"wait (git brew graph)":                   {Step: task.StepWait, Phase: "2", Command: "git brew graph"},
		"git brew show :final.md tells the story": {Step: task.StepDone, Command: "git brew show :final.md"},
		"nothing":                                {Step: task.StepDone},
		`conjure\x1b phase 1 (git brew conjure)`: {Step: "conjure\x1b", Phase: "1", Command: "git brew conjure"},
	} {
		if got := ui.Hint(step, false); got != want {
			t.Errorf("Hint(%+v) = %q, want %q", step, got, want)
		}
	}
}
