package route

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// What the rows say that hangs on more than the phase in focus.

const (
	commandApprove = "git brew phase approve "
	commandLook    = "git brew phase review "
)

// maxNamed is how many phases a reason names.
const maxNamed = 5

// fill puts the phase in focus, the one that it belongs to, and who asks, into what a row says.
func (s situation) fill(text string) string {
	parent, _ := s.Phase(s.focus.Parent)
	return strings.NewReplacer("PHASE", s.focus.ID, "PARENT", parent.ID, " WORKER", workerFlag(s.worker)).Replace(text)
}

// because gives a rule's reason about the phase in focus.
func because(why func(task.Task, task.Phase) string) func(situation, *Step) {
	return func(s situation, step *Step) { step.Reason = why(s.Task, s.focus) }
}

// sayHook: a program that failed can be run again by who works; a text that failed, or
// what the user has not trusted, is theirs.
func sayHook(s situation, step *Step) {
	h := s.OpenHooks()[0]
	step.Reason, step.Taker = task.HooksWords(s.Task, h), TakerWorker
	if h.Due() {
		step.Reason += ": it runs just now, or was cut off"
	}
	if h.TextFailed() || slices.ContainsFunc(h.Runs, func(r task.HookRun) bool {
		return r.Stops() && r.Outcome == task.HookUntrusted
	}) {
		step.Taker = TakerUser
	}
}

// sayPaused quotes why: an agent reads what somebody wrote beside the program's own words.
func sayPaused(s situation, step *Step) {
	step.Reason = fmt.Sprintf("it is paused: %q", s.Reason)
}

// sayEnded shows what became of finished work. To take an ended task up again is no next
// step: whoever obeys next steps would undo a decision.
func sayEnded(s situation, step *Step) {
	step.Reason = task.WithReason(fmt.Sprintf("the task is %s", s.Status), s.Reason)
	if s.Status != task.Finished {
		step.Reason += "; whether it is taken up again is for a person to say"
	} else if s.HasDoc(task.DocFinal) {
		step.Command = "git brew show :final.md"
	}
}

// sayConflict names the conflict by its document, or by itself where the document has
// several.
func sayConflict(s situation, step *Step) {
	c := s.Conflicts[openConflict(s.Task)]
	name := strings.TrimSuffix(c.Path, task.TextExt)
	step.Reason = name + " could not be merged with what stands beside it"
	if n := len(s.Conflicts); n > 1 {
		step.Reason = fmt.Sprintf("%d texts could not be merged, the first one of %s", n, name)
	}
	_, step.Command = task.SettleCommands(s.Conflicts, c)
}

func sayQuestions(s situation, step *Step) {
	step.Reason = questionWords(s.Questions, "is open", "are open")
}

// questionWords say of how many questions, of all, something is so: of one, or of several.
func questionWords(g task.QuestionCount, one, several string) string {
	switch {
	case g.Total == 1:
		return "1 question " + one
	case g.Open == 1:
		return fmt.Sprintf("1 of %d questions %s", g.Total, one)
	}
	return fmt.Sprintf("%d of %d questions %s", g.Open, g.Total, several)
}

// sayDiscussed says why there is nothing to discuss any more.
func sayDiscussed(s situation, step *Step) {
	step.Reason = "no question is open"
	if skip, ok := rules.Skipped(s.Task, task.StepClarify, task.Phase{}); ok && s.Questions.Open > 0 {
		step.Reason = questionWords(s.Questions, "stays open: ", "stay open: ") + skip.Because()
	}
}

// sayResearched says why research is over.
func sayResearched(s situation, step *Step) {
	step.Reason = "the research is there"
	if skip, ok := rules.Skipped(s.Task, task.StepResearch, task.Phase{}); ok && !s.HasDoc(task.DocResearch) {
		step.Reason = "there is no research: " + skip.Because()
	}
}

func sayRoadmap(s situation, step *Step) {
	step.Command = CommandAdd(s.Task)
	switch {
	case s.HasDoc(task.DocRoadmap):
		step.Reason = "the roadmap is there"
	case s.HasDoc(task.DocPlan):
		step.Reason = "the plan is there"
	default:
		skip, _ := rules.Skipped(s.Task, task.StepPlan, task.Phase{})
		step.Reason = "there is no roadmap: " + skip.Because()
	}
}

// CommandAdd is what adds phases to a task that has none: those that its texts
// plan, where Unready knows of some.
func CommandAdd(t task.Task) string {
	if t.Unready.Plans == "" {
		return "git brew phase add TITLE"
	}
	return "git brew phase add --from " + string(t.Unready.Plans)
}

// sayBoard says what a board waits for. What was found in a final review is mended by a fix
// first, and then said to be. What reviewers found is mended by the agent; who is to review,
// or whether it is good as it is, the user says: a reviewer is who did not do the work.
func sayBoard(s situation, step *Step, on task.BoardName, held error) {
	if refused, ok := errors.AsType[*task.RefusedError](held); ok {
		step.Reason = refused.Msg
	}
	tally := rules.TallyOf(s.Task, on)
	step.Command = tally.Command
	if tally.Verdict != rules.VerdictChanges {
		step.Taker = TakerUser
		return
	}
	fixed := slices.ContainsFunc(s.Phases, func(p task.Phase) bool {
		return p.Kind == task.KindFix && p.Parent == s.focus.UID
	})
	if s.focus.Kind == task.KindFinalReview && !fixed && rules.Revisable(s.Task, s.focus) {
		step.Command = s.fill(doRevise)
	}
}

// saySeveral ends a phase that nobody claimed, else begins one that is ready. What others
// claimed is theirs: where no phase is ready there is nothing to do but wait.
func saySeveral(s situation, step *Step) {
	all := s.workedOn()
	step.Reason = "phases " + NamedUnderWay(WorkedOn(s.Task), "and") + " are under way"
	step.Taker = TakerWorker
	if i := slices.IndexFunc(all, func(p task.Phase) bool { return claimOf(s.Task, p).UID == "" }); i >= 0 {
		step.Command = "git brew phase done " + all[i].ID
		return
	}
	ready := route{status: task.PhasePending}
	if ready.look(&s) {
		step.Command = Begin(s.Task, s.focus).Command
		return
	}
	step.Command, step.Taker = "git brew next --all", TakerUser
}

func sayResume(s situation, step *Step) {
	step.Reason = fmt.Sprintf("phase %s is under way, iteration %d", s.focus.ID, s.focus.Iteration)
}

// sayRejected tells what the user said where that stands, whoever said more since.
func sayRejected(s situation, step *Step) {
	step.Reason = task.WithReason("the review of "+s.focus.ID+" wants changes", s.focus.Reason)
	if r, stands := rules.StandingRejection(s.Task, s.focus); stands {
		no, _ := s.Phase(r.Of)
		step.Reason = fmt.Sprintf("the user has rejected phase %s: %s", no.ID, r.Reason)
	}
}

// sayReview asks for the reports that are owed before the phase is approved, on it and on
// what it completes: they are the agent's to store, a verdict is the judge's. What its
// reviewers say holds no verdict up, and whoever gives one is told.
func sayReview(s situation, step *Step) {
	on := task.BoardOf(s.focus.UID)
	if tally := rules.TallyOf(s.Task, on); tally.Verdict != rules.VerdictReady {
		if _, opened := task.KeptBoard(s.Task, on); opened {
			step.Reason += ", and its board is not READY: " + tally.Why
		}
	}
	for _, p := range rules.Completes(s.Task, s.focus) {
		agents := task.MissingAgents(s.Task, p)
		if len(agents) == 0 {
			continue
		}
		words := "the report of " + agents[0] + " is missing"
		if len(agents) > 1 {
			words = "the reports of " + strings.Join(agents, ", ") + " are missing"
		}
		step.Reason = "phase " + p.ID + " is in review and " + words
		step.Command, step.Taker = "git brew report "+p.ID+" --agent "+agents[0]+" -", ""
		return
	}
}

// sayFailed names what waits for the phase, too (BC-51).
func sayFailed(s situation, step *Step) {
	var wait []task.Phase
	for _, p := range s.Phases {
		if p.FailedBy == s.focus.UID || p.Status == task.PhasePending && slices.Contains(p.DependsOn, s.focus.UID) {
			wait = append(wait, p)
		}
	}
	step.Reason = fmt.Sprintf("phase %s failed: %s", s.focus.ID, s.focus.Reason)
	if len(wait) > 0 {
		step.Reason += "; waiting for it: " + NamedUnderWay(wait, "and")
	}
}

func sayWaits(s situation, step *Step) {
	step.Reason = fmt.Sprintf("phase %s is %s", s.focus.ID, s.focus.Status)
	if stuck := DeadlockReason(s.Task); stuck != "" {
		step.Reason = stuck
	} else if waits := rules.Blockers(s.Task, s.focus); len(waits) > 0 {
		step.Reason = fmt.Sprintf("phase %s waits: %s", s.focus.ID, waits[0])
	}
}

// sayCompleted says why the task can end. Work that is done is finished; whether nothing at
// all is wanted any more is the user's.
func sayCompleted(s situation, step *Step) {
	dropped := slices.DeleteFunc(slices.Clone(s.Phases), func(p task.Phase) bool { return p.Status != task.PhaseDropped })
	switch n := len(dropped); {
	case noPhases(s.Task):
		step.Reason = "the task's stage is complete, and it has no phases"
	case n == len(s.Phases):
		step.Reason, step.Taker = "every phase was dropped", TakerUser
	case n == 0, n > maxNamed:
		step.Reason = "every phase is completed"
	default:
		step.Reason = "every phase is completed, but for what was dropped: " + task.ShownIDs(dropped)
	}
}
