package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// change is what an operation did: to a task, and to the phase that it is about.
type change struct {
	op            operation.Operation
	before, after task.Task
	was, is       task.Phase
}

type teller func(c change) string

// about is a sentence about an operation whose payload is a P.
func about[P any](say func(c change, p P) string) teller {
	return func(c change) string {
		p, _ := task.Payload[P](c.op)
		return say(c, p)
	}
}

func ofPhase[P any](say func(c change, p P) string) teller {
	tell := about(say)
	return func(c change) string { return "phase " + c.is.ID + ": " + tell(c) }
}

// moved is how a change took a phase from one status to another.
func moved[P any](c change, _ P) string { return c.was.Status.String() + " -> " + c.is.Status.String() }

// went is how a change took the task from one status to another.
func went[P any](c change, _ P) string {
	switch {
	case c.before.Status == c.after.Status && c.after.Status == task.Paused:
		return "task: stays paused"
	case c.before.Status == c.after.Status:
		return fmt.Sprintf("task: went on, %s", c.after.Status)
	}
	return fmt.Sprintf("task: %s -> %s", c.before.Status, c.after.Status)
}

// edits names what was changed, one after the other.
type edits []string

func (e *edits) add(what string, values ...string) {
	for _, value := range values {
		if value != "" {
			*e = append(*e, what+" "+value)
		}
	}
}

func (e *edits) String() string { return "edited: " + strings.Join(*e, ", ") }

// sentences is the table of the sentences, by kind.
//
//nolint:funlen // a table: a row for each kind, of one sentence
func sentences() map[operation.Kind]teller {
	return map[operation.Kind]teller{
		task.OpCreate: about(func(_ change, p task.CreatePayload) string { return "created: " + p.Title }),
		task.OpEdit:   about(sayEdit),
		task.OpStart: about(func(c change, p task.StartPayload) string {
			if p.TookFrom != "" {
				return went(c, p) + ", lock taken from " + p.TookFrom
			}
			return went(c, p)
		}),
		task.OpPause:  about(sayPause),
		task.OpResume: about(went[task.EmptyPayload]),
		task.OpFinish: about(func(c change, p task.FinishPayload) string {
			return task.WithReason(went(c, p), p.Reason) + passedOver(c.before, p.Passed)
		}),
		task.OpDelete: about(func(change, task.EmptyPayload) string { return "deleted" }),
		task.OpStage: about(func(c change, p task.StagePayload) string {
			return fmt.Sprintf("stage: %s -> %s", c.before.Stage, p.Stage) + passedOver(c.before, p.Passed)
		}),
		task.OpStepSkip: about(func(c change, p task.SkipPayload) string {
			return "skipped: " + c.after.ShownStep(p.Passed) + ": " + p.Reason
		}),
		task.OpPhaseAdd:   ofPhase(func(_ change, p task.PhaseAddPayload) string { return "added: " + p.Title }),
		task.OpPhaseStart: ofPhase(sayPhaseStart),
		task.OpPhaseClaim: ofPhase(func(c change, _ task.ClaimPayload) string {
			return "taken over from " + c.was.Claim.By() + " by " + c.is.Claim.By()
		}),
		task.OpPhaseDone:   ofPhase(moved[task.PhasePayload]),
		task.OpPhaseReview: ofPhase(sayPhaseReview),
		task.OpPhaseFail:   ofPhase(movedFor),
		task.OpPhaseDrop:   ofPhase(movedFor),
		task.OpPhaseReset:  ofPhase(moved[task.PhaseReasonPayload]),
		task.OpPhaseEdit:   ofPhase(sayPhaseEdit),
		task.OpPhaseVerify: ofPhase(sayPhaseVerify),
		task.OpPhaseEscalate: ofPhase(func(_ change, p task.EscalatePayload) string {
			return task.WithReason("escalated, "+string(p.Action), p.Reason)
		}),
		task.OpPhaseError: ofPhase(func(_ change, p task.AgentErrorPayload) string {
			return task.WithReason(p.Agent+" ended with an error", p.Text)
		}),
		task.OpPhaseLaunch: ofPhase(func(_ change, p task.PhaseLaunchPayload) string { return "launched " + p.Agent }),
		task.OpPhaseTurn: ofPhase(func(_ change, p task.TurnPayload) string {
			return task.WithReason(fmt.Sprintf("%s: %s", p.By, strings.ReplaceAll(string(p.Outcome), "_", " ")), p.Reason)
		}),
		task.OpDocSet:     about(sayDocSet),
		task.OpDocResolve: about(sayDocResolve),
		task.OpReport: ofPhase(func(_ change, p task.ReportPayload) string {
			return fmt.Sprintf("report of %s, iteration %d", p.Agent, p.Iteration)
		}),
		task.OpKnowledgeAdd: about(func(_ change, p task.KnowledgeAddPayload) string {
			return fmt.Sprintf("knowledge: %s \"%s\"", p.T, p.Txt)
		}),
		task.OpKnowledgeRemove: about(func(_ change, p task.KnowledgeRemovePayload) string {
			entries := map[bool]string{true: "entry", false: "entries"}[len(p.IDs) == 1]
			return task.WithReason(fmt.Sprintf("knowledge: removed %d %s", len(p.IDs), entries), p.Reason)
		}),
		task.OpRemarkAdd: about(func(c change, p task.RemarkAddPayload) string {
			return fmt.Sprintf("%s: %s, by %s: %s", c.remarkOn(c.op.ID), p.Severity, by(p.Reviewer), p.Text)
		}),
		task.OpRemarkVote: about(sayRemarkVote),
		task.OpRemarkResolve: about(func(c change, p task.RemarkResolvePayload) string {
			return task.WithReason(c.remarkOn(p.Remark)+": resolved", p.Reason)
		}),
		task.OpBoardReady:  about(sayBoardReady),
		task.OpDecisionAdd: about(sayDecisionAdd),
		task.OpDecisionRevoke: about(func(c change, p task.DecisionRevokePayload) string {
			return fmt.Sprintf("decision %s: revoked: %s", c.after.DecisionID(p.Decision), p.Reason)
		}),
		task.OpStepHook: about(func(c change, p task.StepHookPayload) string {
			return task.HooksWords(c.after, p.AsRecord(""))
		}),
		task.OpHookSkip: about(sayHookSkip),
		task.OpLockLost: about(func(_ change, p task.LockLostPayload) string {
			s := fmt.Sprintf("lock: claim of fence %d lost", p.Fence)
			if p.Holder != "" {
				s += " to " + p.Holder
			}
			return s
		}),
		task.OpUndo:     about(sayUndo),
		task.OpUndoOpen: about(sayUndo),
	}
}

func sayEdit(_ change, p task.EditPayload) string {
	var e edits
	e.add("title", p.Title)
	e.add("branch", p.Branch)
	e.add("type", p.Type)
	e.add("priority", string(p.Priority))
	for _, s := range p.AddServices {
		e.add("service", s.Path)
	}
	e.add("without service", p.DropServices...)
	e.add("issue", p.AddIssues...)
	e.add("without issue", p.DropIssues...)
	return e.String()
}

func sayHookSkip(c change, p task.HookSkipPayload) string {
	name := "hooks"
	if i := task.HookRecord(c.before, p.Record); i >= 0 {
		name = task.HooksNamed(c.before, c.before.StepHooks[i])
	}
	return name + ": passed over: " + p.Reason
}

// Generated are patterns, as git has them, for the sentences on texts that nobody wrote:
// summaries, final reports, and where a session left off.
var Generated = []string{
	`^phase [^ ]*: summary of iteration [0-9]* `,
	`^final: written$`,
	`^knowledge: fact "Paused at [^"]*"$`,
}

func sayDocSet(c change, p task.DocSetPayload) string {
	verb := "changed"
	if !c.before.HasDoc(p.Name) {
		verb = "written"
	}
	if len(c.after.Conflicts) > len(c.before.Conflicts) {
		verb += ", conflict kept"
	}
	uid, iteration, ofPhase := p.Name.Phase()
	phase, known := c.after.Phase(uid)
	switch {
	case !ofPhase || !known:
		return c.after.ShownDoc(p.Name) + ": " + verb
	case iteration > 0:
		return fmt.Sprintf("phase %s: summary of iteration %d %s", phase.ID, iteration, verb)
	}
	return fmt.Sprintf("phase %s: plan %s", phase.ID, verb)
}

func sayDocResolve(c change, p task.DocResolvePayload) string {
	for _, conflict := range c.before.Conflicts {
		if conflict.UID == p.Conflict {
			return strings.TrimSuffix(conflict.Path, task.TextExt) + ": conflict resolved"
		}
	}
	return "conflict resolved"
}

func sayUndo(_ change, p task.UndoPayload) string {
	said := p.Said
	if said == "" && len(p.Operations) > 0 {
		said = "operation " + task.Clip(string(p.Operations[0]), 8)
	}
	return rules.SayUndone(said)
}

// passedOver ends a sentence with what was passed over.
func passedOver(t task.Task, passed []task.Passed) string {
	var steps []string
	end := ""
	for _, p := range passed {
		if p.Phase != "" {
			end = "; without a plan"
			continue
		}
		steps = append(steps, t.ShownStep(p))
	}
	if len(steps) > 0 {
		end = "; skipped " + strings.Join(steps, ", ") + end
	}
	return end
}

// by names who spoke on a board, for a sentence.
func by(reviewer string) string { return cmp.Or(reviewer, "the user") }

// Subject tells in one line what op did: the subject of its commit.
func Subject(op operation.Operation, before, after task.Task) string {
	tell, known := sentences()[op.Kind]
	if !known {
		return task.SubjectLine(string(op.Kind) + ": unknown here")
	}
	c := change{op: op, before: before, after: after}
	c.was, _ = before.Phase(rules.PhaseOf(op))
	c.is, _ = after.Phase(rules.PhaseOf(op))
	return task.SubjectLine(tell(c))
}
