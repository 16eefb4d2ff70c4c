package report

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

func sayBoardReady(_ operation.Operation, p task.BoardReadyPayload, _, after task.Task) string {
	name := after.ShownBoard(p.On)
	if p.Reviewer != "" {
		return fmt.Sprintf("review of %s: ready, by %s", name, p.Reviewer)
	}
	return task.WithReason("review of "+name+": taken by the user", p.Reason)
}

func sayDecisionAdd(op operation.Operation, p task.DecisionAddPayload, _, after task.Task) string {
	id := after.DecisionID(op.ID)
	if old := after.DecisionID(p.Supersedes); old != "" {
		return fmt.Sprintf("decision %s: instead of %s: %s", id, old, p.Title)
	}
	return fmt.Sprintf("decision %s: %s", id, p.Title)
}

func sayDecisionRevoke(_ operation.Operation, p task.DecisionRevokePayload, _, after task.Task) string {
	return fmt.Sprintf("decision %s: revoked: %s", after.DecisionID(p.Decision), p.Reason)
}

func sayRemarkAdd(op operation.Operation, p task.RemarkAddPayload, _, after task.Task) string {
	return fmt.Sprintf("remark %d on %s: %s, by %s: %s", after.RemarkNumber(op.ID), after.ShownBoard(p.On), p.Severity,
		by(p.Reviewer), p.Text)
}

func sayRemarkVote(_ operation.Operation, p task.RemarkVotePayload, before, after task.Task) string {
	n := after.RemarkNumber(p.Remark)
	if n == 0 {
		return "remark: voted on"
	}
	did := "confirmed"
	switch {
	case p.Against:
		did = "rejected"
	case before.Remarks[n-1].Resolved:
		did = "there again, confirmed"
	case p.Reviewer == "":
		did = "accepted"
	}
	return task.WithReason(fmt.Sprintf("remark %d on %s: %s by %s", n, after.ShownBoard(after.Remarks[n-1].On), did,
		by(p.Reviewer)), p.Reason)
}

func sayRemarkResolve(_ operation.Operation, p task.RemarkResolvePayload, _, after task.Task) string {
	n := after.RemarkNumber(p.Remark)
	if n == 0 {
		return "remark: resolved"
	}
	return task.WithReason(fmt.Sprintf("remark %d on %s: resolved", n, after.ShownBoard(after.Remarks[n-1].On)), p.Reason)
}

// by names who spoke on a board, for a sentence.
func by(reviewer string) string {
	if reviewer == "" {
		return "the user"
	}
	return reviewer
}
