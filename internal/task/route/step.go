// Package route says what comes next in a task: for the task as a whole, for who works
// on one of its phases, for who takes one. It reads a state and changes none.
//
// The routing table (table.go) is the one place where that is decided; the first row
// that fits wins. Who is asked to take a step, and in which words, is derived from its
// row (Step.For).
package route

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// Step is what comes next: a step of a pipeline, or of nothing where the task
// has to be started or gone on with first.
type Step struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Phase    string `json:"phase,omitempty"` // its shown id
	Reason   string `json:"reason"`
	// Command is what a person or an agent types next.
	Command string `json:"command,omitempty"`
	// Skip says what is done without where the step is skipped; "" where it can't be.
	Skip string `json:"skip,omitempty"`
	// Taker says who may take the step. For tells from it who is asked: Needs, and
	// where that is the user, Ask, a sentence for them.
	Taker Taker  `json:"taker,omitempty"`
	Needs Asked  `json:"needs,omitempty"`
	Ask   string `json:"ask,omitempty"`
	// Row is when the row of the routing table fits that says so.
	Row string `json:"-"`
}

const (
	PipelineMain  = "main"
	PipelinePhase = "phase-execution"
)

// Row is a row of the routing table, as docs/reference/lifecycle.md shows it.
type Row struct{ When, Step, Pipeline, Skip string }

// Rows are the rows of the routing table, in order, one for each step that a row is about.
func Rows() []Row {
	var all []Row
	for _, r := range routes() {
		steps := []string{r.step}
		if r.step == "" {
			steps = []string{task.StepReview, task.StepResearch, task.StepExecute}
		}
		for _, step := range steps {
			all = append(all, Row{When: r.when, Step: step, Pipeline: r.pipeline, Skip: r.skip})
		}
	}
	return slices.Compact(all)
}

// Next returns the step that the routing table gives for t.
func Next(t task.Task) Step { return stepOf(routeOf(situation{Task: t})) }

func stepOf(r route, s situation) Step {
	step := Step{
		Step: r.step, Pipeline: r.pipeline, Phase: s.about(r).ID, Reason: s.fill(r.reason), Command: s.fill(r.command),
		Skip: r.skip, Taker: r.taker, Row: r.when,
	}
	if r.begins && r.taker == "" {
		step.Taker = TakerWorker
	}
	if r.say != nil {
		r.say(s, &step)
	}
	if r.board != nil {
		on, held := r.board(s)
		sayBoard(s, &step, on, held)
	}
	if why := strings.TrimRight(step.Reason, ".?! "); step.Taker != "" {
		step.Ask = task.Sentence(why) + ". " + r.question(step)
	}
	if s.Status == task.Paused && r.step != task.StepStart {
		step.Reason, step.Skip = "paused; "+step.Reason, ""
		if !step.Runs() { // that ends a pause, too
			step.Command, step.Taker, step.Ask = commandBegin, "", ""
		}
	}
	return step
}

// Runs reports that workers take the step.
func (s Step) Runs() bool { return s.Command == CommandRun || strings.HasPrefix(s.Command, runOnly) }

// question is what the user is asked about a row's step.
func (r route) question(s Step) string {
	switch {
	case r.ask != "":
		return strings.ReplaceAll(r.ask, "COMMAND", s.Command)
	case s.Step == task.StepHook && s.Taker == TakerUser:
		return "Is it passed over? 'git brew pipeline skip -m WHY', in a terminal, does that."
	case s.Step == task.StepHook:
		return "Run it again?"
	case s.Taker == TakerJudge:
		return "Is it approved?"
	case r.board != nil && strings.Contains(s.Command, "--reviewer"):
		return "Do reviewers look at it, each as '" + s.Command + "', or is it taken as it is?"
	case r.board != nil:
		return "Which remarks count?"
	case r.begins:
		return "Begin?"
	}
	return "Go on?"
}

// about is the phase that a row's step is about: none where the step is the task's,
// whatever phase waits for it.
func (s situation) about(r route) task.Phase {
	if r.pipeline == PipelineMain {
		return task.Phase{}
	}
	return s.focus
}

// Asked says who is asked to take a step.
type Asked string

// Who is asked. A task that has ended asks nobody.
const (
	AskedAgent Asked = "agent"
	AskedUser  Asked = "user"
)

// Taker says who may take a step of the routing table.
type Taker string

// The takers: anybody where it is empty.
const (
	// TakerWorker begins work on code, or ends it: an agent in implementation mode.
	TakerWorker Taker = "worker"
	// TakerJudge gives a verdict: the user, unless agents review (review.by).
	TakerJudge Taker = "judge"
	// TakerUser answers, or decides: the user.
	TakerUser Taker = "user"
)

// Asker is whoever asks what comes next.
type Asker struct {
	Agent  bool   // an agent, and no person
	Closed bool   // discussion mode keeps the agent from work on code
	Judges bool   // agents give verdicts (review.by)
	Agree  string // what the user says to let work begin
	Praise string // what the user says to approve; "" where that is typed in a terminal
}

// For returns the step as it is for whoever asks: who is asked, the sentence for the
// user where it is the user, and a command that the asker may type as it stands.
func (s Step) For(a Asker) Step {
	ask, agreed := s.Ask, s.Ask
	if a.Agree != "" {
		agreed += " They agree with '" + a.Agree + "'."
	}
	closed := a.Agent && a.Closed
	s.Needs, s.Ask = AskedUser, ask
	switch {
	case s.Step == task.StepDone:
		s.Needs, s.Ask = "", ""
	case s.Step == task.StepStart && s.Command == CommandRun && a.Agent && s.Taker == "": // a run is a person's
		s.Command, s.Needs, s.Ask = commandBegin, AskedAgent, ""
	case s.Step == task.StepHook && a.Agent && s.Ask != "": // a paused task is started first
		if s.Taker == TakerUser || a.Closed {
			s.Command = "git brew pipeline show"
		}
	case s.Taker == TakerUser && a.Agent && strings.Contains(s.Command, "--reviewer"),
		s.Taker == TakerJudge && a.Agent && (a.Closed || !a.Judges):
		s.look(a.Praise)
	case s.Taker == TakerUser && closed && s.Step == task.StepEscalate:
		s.Ask = agreed
	case closed && (s.Taker == TakerWorker || s.Taker == TakerUser && s.Step == task.StepComplete):
		s.Command, s.Ask = "", agreed
	case s.Taker == TakerUser, s.Taker == TakerJudge && !a.Agent:
	default:
		s.Needs, s.Ask = AskedAgent, ""
	}
	return s
}

// look makes of a verdict what an agent may do about it: look, and ask the user, who
// approves a phase by their word and a document in a terminal.
func (s *Step) look(praise string) {
	if words := strings.Fields(s.Command); s.Phase == "" && len(words) > 4 {
		s.Command = "git brew remark tally " + words[4]
		s.Ask += " They take it as it is with 'git brew remark confirm " + words[4] + " -m WHY', in a terminal."
		return
	}
	how := "approve it with '" + commandApprove + s.Phase + "', in a terminal"
	if praise != "" {
		how = "agree with '" + praise + " phase " + s.Phase + "'"
	}
	s.Command = commandLook + s.Phase
	s.Ask += " They " + how + ", or say what has to change."
}
