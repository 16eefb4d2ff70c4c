package route

import (
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

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
	case s.Step == task.StepHook && a.Agent:
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
