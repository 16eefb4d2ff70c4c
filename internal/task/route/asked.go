package route

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
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
	ask := s.Ask
	s.Needs, s.Ask = AskedAgent, ""
	switch {
	case s.Step == task.StepDone:
		s.Needs = ""
	case s.Step == task.StepHook && a.Agent:
		s.Needs, s.Ask = AskedUser, ask
		if s.Taker == TakerUser || a.Closed {
			s.Command = "git brew pipeline show"
		}
	case s.Taker == TakerUser && a.Agent && strings.Contains(s.Command, "--reviewer"):
		s.Needs = AskedUser
		s.look(ask, a.Praise)
	case s.Taker == TakerUser:
		s.Needs, s.Ask = AskedUser, ask
		if work := s.Step == task.StepComplete; a.Agent && a.Closed && (work || s.Step == task.StepEscalate) {
			s.Ask = agreeing(ask, a.Agree, "")
			if work {
				s.Command = ""
			}
		}
	case s.Taker == TakerJudge && !(a.Agent && a.Judges && !a.Closed):
		s.Needs, s.Ask = AskedUser, ask
		if a.Agent {
			s.look(ask, a.Praise)
		}
	case s.Taker == TakerWorker && a.Agent && a.Closed:
		s.Needs, s.Command = AskedUser, ""
		s.Ask = agreeing(ask, a.Agree, "")
	}
	return s
}

// look makes of a verdict what an agent may do about it: look, and ask the user, who
// approves a phase by their word and a document in a terminal.
func (s *Step) look(ask, praise string) {
	words := strings.Fields(s.Command)
	switch {
	case s.Phase == "" && len(words) > 4:
		s.Command = "git brew remark tally " + words[4]
		s.Ask = agreeing(ask, "", "take it as it is with 'git brew remark confirm "+words[4]+" -m WHY', in a terminal")
		return
	case praise != "":
		praise += " phase " + s.Phase
	default:
		ask += " They approve it with '" + commandApprove + s.Phase + "', in a terminal,"
	}
	s.Command, s.Ask = commandLook+s.Phase, agreeing(ask, praise, "or say what has to change")
}

// agreeing ends what the user is asked with how they agree.
func agreeing(ask, phrase, or string) string {
	switch {
	case phrase == "" && or == "":
		return ask
	case phrase == "" && strings.HasSuffix(ask, ","):
		return ask + " " + or + "."
	case phrase == "":
		return ask + " They " + or + "."
	}
	ask += " They agree with '" + phrase + "'"
	if or != "" {
		ask += ", " + or
	}
	return ask + "."
}

// takerReview: a report that is missing is the agent's to store, a verdict the judge's.
func takerReview(s situation) Taker {
	if _, owing := s.owing(); len(owing) > 0 {
		return ""
	}
	return TakerJudge
}

// takerHook: a program that failed can be run again by who works; a text that failed, or
// what the user has not trusted, is theirs.
func takerHook(s situation) Taker {
	h := s.OpenHooks()[0]
	if h.TextFailed() || slices.ContainsFunc(h.Runs, func(r task.HookRun) bool {
		return r.Stops() && r.Outcome == task.HookUntrusted
	}) {
		return TakerUser
	}
	return TakerWorker
}

// takerCompleted: work that is done is finished; whether nothing at all is wanted any
// more is the user's.
func takerCompleted(s situation) Taker {
	if counts := task.CountPhases(s.Task); counts.Total > 0 && counts.Wanted() == 0 {
		return TakerUser
	}
	return TakerWorker
}

// takerBoard: what reviewers found is mended by the agent; who is to review, or whether
// it is good as it is, the judge says, and after the last round the user.
func takerBoard(g gate) func(situation) Taker {
	return func(s situation) Taker {
		on, _ := g(s)
		if v := rules.TallyOf(s.Task, on).Verdict; v == rules.VerdictAsk || v == rules.VerdictReview {
			return TakerUser // a reviewer is who did not do the work
		}
		return ""
	}
}
