package task

import (
	"slices"
	"strings"
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
	Praise string // what the user says to approve
}

// For returns the step as it is for whoever asks: who is asked, the sentence for the
// user where it is the user, and a command that the asker may type as it stands.
func (s Step) For(a Asker) Step {
	ask := s.Ask
	s.Needs, s.Ask = AskedAgent, ""
	switch {
	case s.Step == StepDone:
		s.Needs = ""
	case s.Taker == TakerUser:
		s.Needs, s.Ask = AskedUser, ask
		if a.Agent && s.Step == StepHook {
			s.Command = "git brew pipeline show"
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
	}
	s.Command, s.Ask = commandLook+s.Phase, agreeing(ask, praise, "or say what has to change")
}

// agreeing ends what the user is asked with how they agree.
func agreeing(ask, phrase, or string) string {
	switch {
	case phrase == "" && or == "":
		return ask
	case phrase == "":
		return ask + " They " + or + "."
	}
	ask += " They agree with '" + phrase + "'"
	if or != "" {
		ask += ", " + or
	}
	return ask + "."
}

// always is a taker whatever the situation.
func always(t Taker) func(situation) Taker { return func(situation) Taker { return t } }

// takerReview: a report that is missing is the agent's to store, a verdict the judge's.
func takerReview(s situation) Taker {
	if _, owing := s.owing(); len(owing) > 0 {
		return ""
	}
	return TakerJudge
}

// takerHook: what failed is mended and tried once more; after that, or where the
// user has not trusted it, it is the user's.
func takerHook(s situation) Taker {
	h := s.OpenHooks()[0]
	if h.Of != "" || h.TextFailed() || slices.ContainsFunc(h.Runs, func(r HookRun) bool { return r.Stops() && r.Outcome == HookUntrusted }) {
		return TakerUser
	}
	return TakerWorker
}

// takerCompleted: work that is done is finished; whether nothing at all is wanted any
// more is the user's.
func takerCompleted(s situation) Taker {
	if counts := CountPhases(s.Task); counts.Total > 0 && counts.Wanted() == 0 {
		return TakerUser
	}
	return TakerWorker
}

// takerBoard: what reviewers found is mended by the agent; who is to review, or whether
// it is good as it is, the judge says, and after the last round the user.
func takerBoard(g gate) func(situation) Taker {
	return func(s situation) Taker {
		on, _ := g(s)
		switch TallyOf(s.Task, on).Verdict {
		case VerdictAsk:
			return TakerUser
		case VerdictReview:
			return TakerJudge
		case VerdictChanges, VerdictReady:
		}
		return ""
	}
}

// asking makes the question of a row for the user: why, and what is asked.
func (r route) asking(s situation, taker Taker) string {
	why := strings.TrimRight(r.reason(s), ".?! ")
	switch {
	case taker == "":
		return ""
	case why == "":
		return r.question(taker)
	}
	return strings.ToUpper(why[:1]) + why[1:] + ". " + r.question(taker)
}

// question is what the user is asked about a row's step.
func (r route) question(taker Taker) string {
	switch r.step {
	case StepClarify:
		if r.when == specUnsaid {
			return "What is to be built, and how is it known to be done?"
		}
		return "'git brew question list' shows what to ask."
	case StepHook:
		return "Is it passed over? 'git brew pipeline skip -m WHY', in a terminal, does that."
	case StepComplete:
		return "Finish the task?"
	case StepEscalate:
		return "What now? 'git brew escalate' shows the ways."
	case StepReview:
		switch taker {
		case TakerJudge:
			if r.pipeline == PipelineMain || r.when == boardWaits {
				return "Do reviewers look at it, or is it approved as it is?"
			}
			return "Is it approved?"
		case TakerUser:
			return "Which remarks count?"
		case TakerWorker:
		}
		return "Begin the review?"
	case StepRetry:
		return "Try again?"
	case StepRevise:
		return "Mend it?"
	case StepWait:
		return "What goes first, or is dropped?"
	}
	if r.when == severalWorkedOn && taker == TakerUser {
		return "Wait for those who work on them?"
	}
	if r.begins {
		return "Begin?"
	}
	return "Go on?"
}
