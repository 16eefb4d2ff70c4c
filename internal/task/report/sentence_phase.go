package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

func movedFor(c change, p task.PhaseReasonPayload) string { return moved(c, p) + ": " + p.Reason }

func sayPhaseStart(c change, p task.PhasePayload) string {
	s := moved(c, p)
	if c.is.Iteration > 1 {
		s += fmt.Sprintf(", iteration %d", c.is.Iteration)
	}
	if p.Claimed && c.is.Claim.Worker != "" {
		s += ", by " + c.is.Claim.Worker
	}
	if len(p.Commit) >= 7 && p.Commit == c.is.StartCommit {
		s += ", start commit " + p.Commit[:7]
	}
	return s + passedOver(c.before, p.Passed)
}

func sayPhaseReview(c change, p task.PhaseReviewPayload) string {
	switch {
	case p.Verdict != task.ReviewApproved:
		return "review wants changes: " + p.Reason
	case c.is.Status == task.PhaseInReview:
		return "the user wants no changes any more"
	case p.Heard != "":
		return "the user approved it in session " + task.ShortSession(p.Heard) + ", " + c.is.Status.String()
	case !strings.HasPrefix(c.op.Session, task.RunPrefix) || c.is.Reviewed():
		return "review approved, " + c.is.Status.String()
	case p.Verified != "":
		return "merged, verified, " + c.is.Status.String()
	}
	return "merged, not reviewed, " + c.is.Status.String()
}

func sayPhaseEdit(c change, p task.PhaseEditPayload) string {
	shown := func(uids []task.UID) []string {
		var ids []string
		for _, uid := range uids {
			if q, ok := c.after.Phase(uid); ok {
				ids = append(ids, q.ID)
			}
		}
		return ids
	}
	var e edits
	e.add("title", p.Title)
	e.add("tier", string(p.Tier))
	e.add("without verification", p.DropVerification...)
	e.add("verification", p.AddVerification...)
	e.add("without acceptance", p.DropAcceptance...)
	e.add("acceptance", p.AddAcceptance...)
	e.add("without agent", p.DropAgents...)
	e.add("agent", p.AddAgents...)
	e.add("without dependency on", shown(p.DropDependsOn)...)
	e.add("dependency on", shown(p.AddDependsOn)...)
	return e.String()
}

func sayPhaseVerify(_ change, p task.VerifyPayload) string {
	var failed []string
	for _, c := range p.Commands {
		if !c.Passed() {
			failed = append(failed, c.Text)
		}
	}
	if len(failed) == 0 {
		return fmt.Sprintf("verification passed, %d of %d", len(p.Commands), len(p.Commands))
	}
	return fmt.Sprintf("verification failed, %d of %d: %s", len(failed), len(p.Commands), strings.Join(failed, ", "))
}

func sayBoardReady(c change, p task.BoardReadyPayload) string {
	name := c.after.ShownBoard(p.On)
	if p.Reviewer != "" {
		return fmt.Sprintf("review of %s: ready, by %s", name, p.Reviewer)
	}
	return task.WithReason("review of "+name+": taken by the user", p.Reason)
}

func sayDecisionAdd(c change, p task.DecisionAddPayload) string {
	s := "decision " + c.after.DecisionID(c.op.ID) + ": "
	if old := c.after.DecisionID(p.Supersedes); old != "" {
		s += "instead of " + old + ": "
	}
	return s + p.Title
}

func (c change) remarkOn(uid task.UID) string {
	n := c.after.RemarkNumber(uid)
	if n == 0 {
		return "remark"
	}
	return fmt.Sprintf("remark %d on %s", n, c.after.ShownBoard(c.after.Remarks[n-1].On))
}

func sayRemarkVote(c change, p task.RemarkVotePayload) string {
	did := "confirmed"
	switch n := c.before.RemarkNumber(p.Remark); {
	case p.Against:
		did = "rejected"
	case n > 0 && c.before.Remarks[n-1].Resolved:
		did = "there again, confirmed"
	case p.Reviewer == "":
		did = "accepted"
	}
	return task.WithReason(c.remarkOn(p.Remark)+": "+did+" by "+by(p.Reviewer), p.Reason)
}

// Trailers returns the trailers of the commit that records op, what people query with
// git log --format='%(trailers:key=Brew-Phase,valueonly)'. Values are one line each; those
// that say nothing are left out.
func Trailers(op operation.Operation, before, after task.Task) []operation.Trailer {
	all := []operation.Trailer{
		{Key: "Brew-Op", Value: string(op.ID)},
		{Key: "Brew-Clock", Value: strconv.FormatUint(op.Clock, 10)},
	}
	add := func(key, value string) {
		if value = task.Clip(task.InOneLine(value), task.MaxTitle); value != "" {
			all = append(all, operation.Trailer{Key: key, Value: value})
		}
	}
	from, to, commit := string(before.Status), string(after.Status), ""
	if is, ok := after.Phase(rules.PhaseOf(op)); ok {
		was, _ := before.Phase(is.UID)
		add("Brew-Phase", is.ID)
		from, to = string(was.Status), string(is.Status)
		if was.Review != is.Review && is.Review == task.ReviewChanges {
			from, to = string(was.Review), string(is.Review)
		}
		if op.Kind == task.OpPhaseStart {
			commit = is.StartCommit
		}
	}
	if op.Kind == task.OpStage {
		from, to = string(before.Stage), string(after.Stage)
	}
	if from != to {
		add("Brew-From", from)
		add("Brew-To", to)
	}
	add("Brew-Start-Commit", commit)
	add("Brew-Session", op.Session)
	fence := op.Fence
	if y, ok := rules.LockYield(op); ok {
		fence = y.Fence
	}
	if fence > 0 {
		add("Brew-Fence", strconv.FormatUint(fence, 10))
	}
	return all
}

func sayPause(c change, p task.PausePayload) string {
	why := p.Reason
	if why == "" && p.Cause == task.CauseCompaction {
		why = "the agent's context is compacted"
	}
	return task.WithReason(went(c, p), why)
}
