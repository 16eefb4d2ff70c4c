package task

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
)

// by names who spoke on a board, for a sentence.
func by(reviewer string) string {
	if reviewer == "" {
		return "the user"
	}
	return reviewer
}

func sayRemarkAdd(op operation.Operation, p RemarkAddPayload, before, after Task) string {
	if n := after.RemarkNumber(op.ID); n > 0 {
		return fmt.Sprintf("remark %d on %s: %s, by %s: %s", n, after.ShownBoard(p.On), p.Severity, by(p.Reviewer), p.Text)
	}
	if r, ok := after.SameRemark(p); ok {
		return fmt.Sprintf("remark %d on %s: also made by %s", after.RemarkNumber(r.UID), after.ShownBoard(p.On), by(p.Reviewer))
	}
	return "remark on " + before.ShownBoard(p.On)
}

func sayRemarkVote(_ operation.Operation, p RemarkVotePayload, before, after Task) string {
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
	s := fmt.Sprintf("remark %d on %s: %s by %s", n, after.ShownBoard(after.Remarks[n-1].On), did, by(p.Reviewer))
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}

func sayRemarkResolve(_ operation.Operation, p RemarkResolvePayload, _, after Task) string {
	n := after.RemarkNumber(p.Remark)
	if n == 0 {
		return "remark: resolved"
	}
	on := after.Remarks[n-1].On
	s := fmt.Sprintf("remark %d on %s: resolved", n, after.ShownBoard(on))
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}

func sayBoardReady(_ operation.Operation, p BoardReadyPayload, _, after Task) string {
	name := after.ShownBoard(p.On)
	if p.Reviewer != "" {
		return fmt.Sprintf("review of %s: ready, by %s", name, p.Reviewer)
	}
	s := fmt.Sprintf("review of %s: taken by the user", name)
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}
