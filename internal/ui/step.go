package ui

import (
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// deeds say what to do in a step, for people.
var deeds = map[string]string{
	task.StepDiscuss:  "discuss the gray areas",
	task.StepResearch: "research",
	task.StepPlan:     "plan",
	task.StepExecute:  "execute",
	task.StepReview:   "review",
	task.StepRevise:   "revise",
	task.StepRetry:    "retry",
	task.StepEscalate: "escalate",
	task.StepResolve:  "settle the text",
	task.StepComplete: "finish the task",
	task.StepStart:    "start the task",
	task.StepUnblock:  "unblock the task",
	task.StepDone:     "nothing",
	task.StepWait:     "wait",
	task.StepHook:     "run what follows the step",
}

// Deed says what a step asks for: "execute phase 2".
func Deed(s task.Step) string {
	deed, ok := deeds[s.Step]
	if !ok {
		deed = Safe(s.Step)
	}
	switch {
	case s.Phase != "" && s.Step != task.StepWait:
		deed += " phase " + Safe(s.Phase)
	case s.Step == task.StepExecute:
		return "go on with one of several phases"
	}
	return deed
}

// Hint is Deed with the command to type: "execute phase 2 (git brew phase start
// 2)", or the command alone where it says it all.
func Hint(s task.Step) string {
	command := Safe(s.Command)
	switch {
	case command == "":
		return Deed(s)
	case s.Step == task.StepComplete, command == "git brew start":
		return command
	case s.Step == task.StepDone:
		return command + " tells the story"
	case strings.HasPrefix(command, "git brew report"):
		return "report on phase " + Safe(s.Phase) + " (" + command + ")" // a review needs it
	case strings.HasPrefix(command, "git brew phase executed"):
		return Deed(s) + ", then " + command // it ends the work
	}
	return Deed(s) + " (" + command + ")"
}
