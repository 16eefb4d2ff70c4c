package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

func sayLockLost(_ operation.Operation, p task.LockLostPayload, _, _ task.Task) string {
	s := fmt.Sprintf("lock: claim of fence %d lost", p.Fence)
	if p.Holder != "" {
		s += " to " + p.Holder
	}
	return s
}

func sayCreate(_ operation.Operation, p task.CreatePayload, _, _ task.Task) string {
	return "created: " + p.Title
}

func sayEdit(_ operation.Operation, p task.EditPayload, _, _ task.Task) string {
	var parts []string
	for _, part := range [][2]string{
		{"title", p.Title},
		{"branch", p.Branch},
		{"type", p.Type},
		{"priority", string(p.Priority)},
	} {
		if part[1] != "" {
			parts = append(parts, part[0]+" "+part[1])
		}
	}
	for _, s := range p.AddServices {
		parts = append(parts, "service "+s.Path)
	}
	for _, path := range p.DropServices {
		parts = append(parts, "without service "+path)
	}
	for _, link := range p.AddIssues {
		parts = append(parts, "issue "+link)
	}
	for _, link := range p.DropIssues {
		parts = append(parts, "without issue "+link)
	}
	return "edited: " + strings.Join(parts, ", ")
}

func sayTask[P any](_ operation.Operation, _ P, before, after task.Task) string {
	if before.Status == after.Status {
		return fmt.Sprintf("task: went on, %s", after.Status)
	}
	return fmt.Sprintf("task: %s -> %s", before.Status, after.Status)
}

func sayStart(op operation.Operation, p task.StartPayload, before, after task.Task) string {
	s := sayTask(op, p, before, after)
	if p.TookFrom != "" {
		s += ", lock taken from " + p.TookFrom
	}
	return s
}

func sayPause(op operation.Operation, p task.PausePayload, before, after task.Task) string {
	s := sayTask(op, p, before, after)
	switch {
	case p.Reason != "":
		s += ": " + p.Reason
	case p.Cause == task.CauseCompaction:
		s += ": the agent's context is compacted"
	}
	return s
}

func sayFinish(op operation.Operation, p task.FinishPayload, before, after task.Task) string {
	s := sayTask(op, p, before, after)
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s + sayPassed(before, p.Passed)
}

func sayDelete(operation.Operation, task.EmptyPayload, task.Task, task.Task) string { return "deleted" }

func sayStage(_ operation.Operation, p task.StagePayload, before, _ task.Task) string {
	return fmt.Sprintf("stage: %s -> %s", before.Stage, p.Stage) + sayPassed(before, p.Passed)
}

func sayPhaseAdd(op operation.Operation, p task.PhaseAddPayload, _, after task.Task) string {
	phase, _ := after.Phase(op.ID)
	return fmt.Sprintf("phase %s: added: %s", phase.ID, p.Title)
}

func phaseMove(uid task.UID, before, after task.Task) string {
	was, _ := before.Phase(uid)
	is, _ := after.Phase(uid)
	return fmt.Sprintf("phase %s: %s -> %s", is.ID, was.Status, is.Status)
}

func sayPhase[P any](op operation.Operation, _ P, before, after task.Task) string {
	return phaseMove(rules.PhaseOf(op), before, after)
}

func sayPhaseStart(_ operation.Operation, p task.PhasePayload, before, after task.Task) string {
	s := phaseMove(p.Phase, before, after)
	phase, _ := after.Phase(p.Phase)
	if phase.Iteration > 1 {
		s += fmt.Sprintf(", iteration %d", phase.Iteration)
	}
	if p.Claimed && phase.Claim.Worker != "" {
		s += ", by " + phase.Claim.Worker
	}
	if len(p.Commit) >= 7 && p.Commit == phase.StartCommit {
		s += ", start commit " + p.Commit[:7]
	}
	return s + sayPassed(before, p.Passed)
}

func sayPhaseReview(_ operation.Operation, p task.PhaseReviewPayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	switch {
	case p.Verdict == task.ReviewApproved && phase.Status == task.PhaseInReview:
		return fmt.Sprintf("phase %s: the user wants no changes any more", phase.ID)
	case p.Verdict == task.ReviewApproved && p.Heard != "":
		return fmt.Sprintf("phase %s: the user approved it in session %s, %s", phase.ID, task.ShortSession(p.Heard),
			phase.Status)
	case p.Verdict == task.ReviewApproved:
		return fmt.Sprintf("phase %s: review approved, %s", phase.ID, phase.Status)
	}
	return fmt.Sprintf("phase %s: review wants changes: %s", phase.ID, p.Reason)
}

func sayPhaseReason(_ operation.Operation, p task.PhaseReasonPayload, before, after task.Task) string {
	return phaseMove(p.Phase, before, after) + ": " + p.Reason
}

func sayPhaseLaunch(_ operation.Operation, p task.PhaseLaunchPayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	return fmt.Sprintf("phase %s: launched %s", phase.ID, p.Agent)
}

// Generated are patterns, as git has them, for the sentences on texts that nobody wrote:
// summaries, final reports, and where a session left off.
var Generated = []string{
	`^phase [^ ]*: summary of iteration [0-9]* `,
	`^final: written$`,
	`^knowledge: fact "Paused at [^"]*"$`,
}

func sayDocSet(_ operation.Operation, p task.DocSetPayload, before, after task.Task) string {
	verb := "changed"
	if !before.HasDoc(p.Name) {
		verb = "written"
	}
	if len(after.Conflicts) > len(before.Conflicts) {
		verb += ", conflict kept"
	}
	uid, iteration, ofPhase := p.Name.Phase()
	phase, known := after.Phase(uid)
	switch {
	case !ofPhase || !known:
		return after.ShownDoc(p.Name) + ": " + verb
	case iteration > 0:
		return fmt.Sprintf("phase %s: summary of iteration %d %s", phase.ID, iteration, verb)
	}
	return fmt.Sprintf("phase %s: plan %s", phase.ID, verb)
}

func sayDocResolve(_ operation.Operation, p task.DocResolvePayload, before, _ task.Task) string {
	for _, c := range before.Conflicts {
		if c.UID == p.Conflict {
			return strings.TrimSuffix(c.Path, task.TextExt) + ": conflict resolved"
		}
	}
	return "conflict resolved"
}

func sayReport(_ operation.Operation, p task.ReportPayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	return fmt.Sprintf("phase %s: report of %s, iteration %d", phase.ID, p.Agent, p.Iteration)
}

func sayKnowledgeAdd(_ operation.Operation, p task.KnowledgeAddPayload, _, _ task.Task) string {
	return fmt.Sprintf("knowledge: %s \"%s\"", p.T, p.Txt)
}

func sayKnowledgeRemove(_ operation.Operation, p task.KnowledgeRemovePayload, _, _ task.Task) string {
	noun := "entries"
	if len(p.IDs) == 1 {
		noun = "entry"
	}
	s := "knowledge: removed " + strconv.Itoa(len(p.IDs)) + " " + noun
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}

func sayUndo(_ operation.Operation, p task.UndoPayload, _, _ task.Task) string {
	said := p.Said
	if said == "" && len(p.Operations) > 0 {
		said = "operation " + task.Clip(string(p.Operations[0]), 8)
	}
	return rules.SayUndone(said)
}
