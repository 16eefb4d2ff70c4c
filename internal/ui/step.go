package ui

import (
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// asked says what to do in a step, for people.
var asked = map[string]string{
	task.StepClarify:  "clarify the questions",
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
	task.StepDone:     "nothing",
	task.StepWait:     "wait",
	task.StepHook:     "run what follows the step",
}

// Asks says what a step asks for: "execute phase 2".
func Asks(s route.Step) string {
	what, ok := asked[s.Step]
	if !ok {
		what = Safe(s.Step)
	}
	switch {
	case s.Step == task.StepClarify && strings.HasPrefix(s.Command, "git brew doc set"):
		return "say what is to be built"
	case s.Phase != "" && s.Step != task.StepWait:
		what += " phase " + Safe(s.Phase)
	case s.Step == task.StepExecute && s.Pipeline == route.PipelineMain:
		return "work on the task"
	case s.Step == task.StepExecute:
		return "go on with one of several phases"
	}
	return what
}

// AskUser is what an agent is told where the user is asked; "" where it is not.
func AskUser(s route.Step) string {
	switch command := Safe(s.Command); {
	case s.Ask == "":
		return ""
	case command == "":
		return "ask the user: " + Safe(s.Ask)
	default:
		return "ask the user: " + Safe(s.Ask) + " (" + command + ")"
	}
}

// Hint is Asks with the command to type: "execute phase 2 (git brew phase start
// 2)", or the command alone where it says it all. An agent is told what to ask the
// user.
func Hint(s route.Step, agent bool) string {
	command := Safe(s.Command)
	if ask := AskUser(s); ask != "" && agent {
		return ask
	}
	switch {
	case command == "":
		return Asks(s)
	case s.Step == task.StepComplete, strings.HasPrefix(command, "git brew start"):
		return command
	case s.Step == task.StepDone:
		return command + " tells the story"
	case strings.HasPrefix(command, "git brew report"):
		return "report on phase " + Safe(s.Phase) + " (" + command + ")" // a review needs it
	case s.Step == task.StepExecute && (s.Pipeline == route.PipelineMain ||
		strings.HasPrefix(command, "git brew phase done")):
		return Asks(s) + ", then " + command // it ends the work
	}
	return Asks(s) + " (" + command + ")"
}
