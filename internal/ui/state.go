// Package ui prints: times and durations for people, markers, tables that are
// aligned by what a terminal shows, colours, and the two forms for programs,
// JSON and porcelain. It is pure: it gets values and returns text. It loads
// nothing, decides nothing about a task, and knows no clock and no terminal;
// the caller passes in the time, the width, and whether to colour.
package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// State says in one sentence where a task stands: "in progress, phase 2 of 4 in
// review". The stage is said where no phase says more.
func State(t task.Task) string {
	words := Words(string(t.Status))
	if t.Status.Terminal() || t.Deleted {
		return words
	}
	if t.Stage == task.StageExecute {
		if where := phaseState(t); where != "" {
			return words + ", " + where
		}
	}
	return words + ", stage " + string(t.Stage)
}

// phaseState says which phases somebody works on, or which one waits; else how many are
// completed; "" where there is none.
func phaseState(t task.Task) string {
	var busy []task.Phase
	for _, p := range t.Phases {
		if p.Status == task.PhaseInProgress {
			busy = append(busy, p)
		}
	}
	n := task.CountPhases(t)
	current, ok := t.CurrentPhase()
	switch {
	case n.Wanted() == 0:
		return ""
	case len(busy) > 1:
		ids := make([]string, len(busy))
		for i, p := range busy {
			ids[i] = Safe(p.ID)
		}
		return "phases " + strings.Join(ids, ", ")
	case len(busy) == 1:
		return "phase " + ofAll(t, busy[0], n)
	case ok && (current.Status == task.PhaseInReview || current.Status == task.PhaseFailed):
		return "phase " + ofAll(t, current, n) + " " + Words(string(current.Status))
	case n.Completed == n.Wanted():
		return "every phase completed"
	case n.Completed == 0:
		return Plural(n.Wanted(), "phase")
	}
	return n.Done()
}

// ofAll is a phase's id, and of how many, where the id is its place among those that
// are wanted.
func ofAll(t task.Task, p task.Phase, n task.PhaseCounts) string {
	counted := p.ID == strconv.Itoa(t.Place(p.UID))
	return Safe(p.ID) + Either(counted, fmt.Sprintf(" of %d", n.Wanted()), "")
}

// Marker is the sign in front of a phase.
type Marker string

// The markers; colour comes beside them, never instead.
const (
	MarkDone      Marker = "✓" // reviewed and done
	MarkBusy      Marker = "→" // in progress
	MarkReview    Marker = "◐" // worked on, awaits its review
	MarkOpen      Marker = "○" // not started
	MarkFailed    Marker = "✗"
	MarkDropped   Marker = "–" // not wanted any more
	MarkEscalated Marker = "⬆" // stands beside another one
)

type phaseLook struct {
	mark     Marker
	status   task.PhaseStatus
	coloured func(Style, string) string
	// What a drawing calls the state, and its colour there: the markers say the same.
	name, colour string
}

var phaseLooks = []phaseLook{
	{MarkDone, task.PhaseCompleted, Style.Good, "done", "#2da44e"},
	{MarkBusy, task.PhaseInProgress, Style.Busy, "busy", "#0969da"},
	{MarkReview, task.PhaseInReview, Style.Warn, "review", "#bf8700"},
	{MarkFailed, task.PhaseFailed, Style.Bad, "failed", "#cf222e"},
	{MarkOpen, task.PhasePending, Style.Dim, "open", "#8c959f"},
	{MarkDropped, task.PhaseDropped, Style.Dim, "dropped", "#d0d7de"},
}

// lookOf is how a status shows; one that nobody knows, as not started.
func lookOf(status task.PhaseStatus) phaseLook {
	for _, look := range phaseLooks {
		if look.status == status {
			return look
		}
	}
	return lookOf(task.PhasePending)
}

// MarkOf is the marker of a phase.
func MarkOf(status task.PhaseStatus) Marker { return lookOf(status).mark }

// Mark prints a marker in the colour of its state.
func (s Style) Mark(m Marker) string {
	for _, look := range phaseLooks {
		if look.mark == m {
			return look.coloured(s, string(m))
		}
	}
	return string(m)
}

// PhaseMark is the marker of a phase, with one beside it where the phase was escalated.
func (s Style) PhaseMark(p task.Phase) string {
	return s.Mark(MarkOf(p.Status)) + Either(len(p.Escalations) > 0, s.Warn(string(MarkEscalated)), "")
}

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
	what := cmp.Or(asked[s.Step], Safe(s.Step))
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
	words := "ask the user: " + Safe(s.Ask) + Either(s.Command == "", "", " ("+Safe(s.Command)+")")
	return Either(s.Ask == "", "", words)
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
	case command == "" && s.Step == task.StepWait:
		return Safe(s.Reason)
	case command == "":
		return Asks(s)
	case s.Step == task.StepRetry && strings.HasPrefix(command, "git brew phase reset"):
		return Asks(s) + " (" + command + "), or go without it (git brew phase drop " + Safe(s.Phase) + " -m WHY)"
	case s.Step == task.StepComplete, strings.HasPrefix(command, "git brew start"):
		return command
	case strings.HasPrefix(command, "git brew status"): // somebody else is at it
		return Safe(s.Reason) + " (" + command + ")"
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
