package report

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/task"
)

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

// remarkOn begins a sentence about a remark.
func (c change) remarkOn(uid task.UID) string {
	n := c.after.RemarkNumber(uid)
	if n == 0 {
		return "remark"
	}
	return fmt.Sprintf("remark %d on %s", n, c.after.ShownBoard(c.after.Remarks[n-1].On))
}

func sayRemarkAdd(c change, p task.RemarkAddPayload) string {
	return fmt.Sprintf("%s: %s, by %s: %s", c.remarkOn(c.op.ID), p.Severity, by(p.Reviewer), p.Text)
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

func sayRemarkResolve(c change, p task.RemarkResolvePayload) string {
	return task.WithReason(c.remarkOn(p.Remark)+": resolved", p.Reason)
}
