package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// What the routes say, and the commands that they propose.

func say(s string) func(situation) string { return func(situation) string { return s } }

func reasonEnded(s situation) string {
	reason := fmt.Sprintf("the task is %s", s.Status)
	if s.Reason != "" {
		reason += ": " + s.Reason
	}
	if s.Status != task.Finished {
		reason += "; whether it is taken up again is for a person to say"
	}
	return reason
}

// commandEnded shows what became of finished work. To take an ended task up
// again is no next step: whoever obeys next steps would undo a decision.
func commandEnded(s situation) string {
	if s.Status == task.Finished && s.HasDoc(task.DocFinal) {
		return "git brew show :final.md"
	}
	return ""
}

func reasonQuestions(s situation) string {
	return questionWords(s.Questions, "is open", "are open")
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

// reasonDiscussed says why there is nothing to discuss any more.
func reasonDiscussed(s situation) string {
	if skip, ok := rules.Skipped(s.view.Task, task.StepClarify, task.Phase{}); ok && s.Questions.Open > 0 {
		return questionWords(s.Questions, "stays open: ", "stay open: ") + skip.Because()
	}
	return "no question is open"
}

// reasonResearched says why research is over.
func reasonResearched(s situation) string {
	if skip, ok := rules.Skipped(s.view.Task, task.StepResearch, task.Phase{}); ok && !s.HasDoc(task.DocResearch) {
		return "there is no research: " + skip.Because()
	}
	return "the research is there"
}

func reasonRoadmap(s situation) string {
	switch {
	case s.HasDoc(task.DocRoadmap):
		return "the roadmap is there"
	case s.HasDoc(task.DocPlan):
		return "the plan is there"
	}
	skip, _ := rules.Skipped(s.view.Task, task.StepPlan, task.Phase{})
	return "there is no roadmap: " + skip.Because()
}

func reasonConflict(s situation) string {
	c, _ := openConflict(s.view.Task)
	name := strings.TrimSuffix(c.Path, task.TextExt)
	if n := len(s.Conflicts); n > 1 {
		return fmt.Sprintf("%d texts could not be merged, the first one of %s", n, name)
	}
	return name + " could not be merged with what stands beside it"
}

// commandConflict names the conflict by its document, or by itself where the
// document has several.
func commandConflict(s situation) string {
	c, _ := openConflict(s.view.Task)
	name := strings.TrimSuffix(c.Path, task.TextExt)
	if found, err := s.FindConflict(name); err != nil || found.UID != c.UID {
		name = string(c.UID)
	}
	return "git brew doc resolve " + name + " -"
}

func reasonResume(s situation) string {
	return fmt.Sprintf("phase %s is under way, iteration %d", s.focus.ID, s.focus.Iteration)
}

func reasonFix(s situation) string {
	parent, _ := s.Phase(s.focus.Parent)
	return fmt.Sprintf("phase %s repairs %s", s.focus.ID, parent.ID)
}

// reasonRejected tells what the user said where that stands, whoever said more since.
func reasonRejected(s situation) string {
	if r, stands := rules.StandingRejection(s.Task, s.focus); stands {
		no, _ := s.Phase(r.Of)
		return fmt.Sprintf("the user has rejected phase %s: %s", no.ID, r.Reason)
	}
	if s.focus.Reason == "" {
		return fmt.Sprintf("the review of %s wants changes", s.focus.ID)
	}
	return fmt.Sprintf("the review of %s wants changes: %s", s.focus.ID, s.focus.Reason)
}

func reasonVerify(s situation) string {
	parent, _ := s.Phase(s.focus.Parent)
	return fmt.Sprintf("phase %s is in review and has a verification", parent.ID)
}

func reasonReview(s situation) string {
	switch of, owing := s.owing(); len(owing) {
	case 0:
	case 1:
		return fmt.Sprintf("phase %s is in review and the report of %s is missing", of.ID, owing[0])
	default:
		return fmt.Sprintf("phase %s is in review and the reports of %s are missing", of.ID, strings.Join(owing, ", "))
	}
	return fmt.Sprintf("phase %s is in review", s.focus.ID)
}

// owing are the agents whose reports on a phase are owed before the one in focus is
// approved: on that, else on what it completes.
func (s situation) owing() (of task.Phase, agents []string) {
	for _, p := range rules.Completes(s.view.Task, s.focus) {
		if agents = task.MissingAgents(s.Task, p); len(agents) > 0 {
			return p, agents
		}
	}
	return s.focus, nil
}

func reasonReady(s situation) string { return fmt.Sprintf("phase %s is ready", s.focus.ID) }

// reasonWaiting quotes what somebody wrote: an agent reads it beside the program's own words.
func reasonWaiting(s situation) string {
	return fmt.Sprintf("the task is paused, and waits: %q", s.Reason)
}

func reasonUnplanned(s situation) string {
	return fmt.Sprintf("phase %s is ready and has no plan", s.focus.ID)
}

// reasonFailed names what waits for the phase, too (BC-51).
func reasonFailed(s situation) string {
	var wait []task.Phase
	for _, p := range s.Phases {
		if p.FailedBy == s.focus.UID || p.Status == task.PhasePending && slices.Contains(p.DependsOn, s.focus.UID) {
			wait = append(wait, p)
		}
	}
	reason := fmt.Sprintf("phase %s failed: %s", s.focus.ID, s.focus.Reason)
	if len(wait) > 0 {
		reason += "; waiting for it: " + NamedUnderWay(wait, "and")
	}
	return reason
}

// maxNamed is how many phases a reason names.
const maxNamed = 5

func reasonSpent(s situation) string { return rules.SpentReason(s.Task, s.focus) }

func reasonUnverified(s situation) string { return rules.VerificationReason(s.Task, s.focus) }

func reasonWaits(s situation) string {
	if reason := DeadlockReason(s.Task); reason != "" {
		return reason
	}
	if waits := rules.Blockers(s.view.Task, s.focus); len(waits) > 0 {
		return fmt.Sprintf("phase %s waits: %s", s.focus.ID, waits[0])
	}
	return fmt.Sprintf("phase %s is %s", s.focus.ID, s.focus.Status)
}

// reasonCompleted says why the task can end.
func reasonCompleted(s situation) string {
	if len(s.Phases) == 0 {
		return "the task's stage is complete, and it has no phases"
	}
	dropped := slices.DeleteFunc(slices.Clone(s.Phases), func(p task.Phase) bool { return p.Status != task.PhaseDropped })
	switch {
	case len(dropped) == len(s.Phases):
		return "every phase was dropped"
	case len(dropped) == 0, len(dropped) > maxNamed:
		return "every phase is completed"
	}
	return "every phase is completed, but for what was dropped: " + task.ShownIDs(dropped)
}

func commandAdd(s situation) string { return CommandAdd(s.Task) }

func commandPlan(s situation) string { return "git brew doc set phases/" + s.focus.ID + "/plan -" }

func commandStart(s situation) string {
	return "git brew phase start " + s.focus.ID + Assignee{Worker: s.worker}.flag()
}

// commandOn is a command on the phase in focus.
func commandOn(does string) func(situation) string {
	return func(s situation) string { return "git brew " + does + " " + s.focus.ID }
}

func commandRevise(s situation) string {
	return "git brew phase revise " + s.focus.ID + Assignee{Worker: s.worker}.flag()
}

const (
	commandApprove = "git brew phase approve "
	commandLook    = "git brew phase review "
)

// commandReview asks for what is owed first.
func commandReview(s situation) string {
	if of, owing := s.owing(); len(owing) > 0 {
		return "git brew report " + of.ID + " --agent " + owing[0] + " -"
	}
	return commandApprove + s.focus.ID
}

// hookFailed is a route: a required hook failed after its step.
func hookFailed(v view) (task.Phase, bool) { return task.Phase{}, len(v.OpenHooks()) > 0 }

func reasonHook(s situation) string {
	h := s.OpenHooks()[0]
	if h.Due() {
		return task.HooksWords(s.view.Task, h) + ": it runs just now, or was cut off"
	}
	return task.HooksWords(s.view.Task, h)
}
