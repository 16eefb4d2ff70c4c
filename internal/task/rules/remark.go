package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

func addRemark(e *editor, p task.RemarkAddPayload) error {
	who := speaker{task.Reviewer{Name: p.Reviewer, Voter: p.Voter}, p.Seen}
	switch {
	case e.t.RemarkNumber(e.op.ID) > 0:
		return errNoID()
	case p.Line > 0 && p.File == "":
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("line %d of no file", p.Line), "name it as FILE:LINE")
	}
	err := cmp.Or(full(len(e.t.Remarks), task.MaxRemarks, "remarks", "write the others into a report"),
		e.checkSpeaker(p.On, who.Reviewer))
	if err == nil && e.made {
		err = checkNewRemark(e.t, p)
	}
	if err != nil {
		return err
	}
	e.speak(p.On, who, said(p.Severity))
	b, _ := boardOn(e.t, p.On)
	made := task.Remark{
		UID: e.op.ID, On: p.On, Severity: p.Severity, Text: p.Text, File: p.File, Line: p.Line,
		At: e.at, Round: b.Round, Votes: []task.Vote{},
	}
	if p.Reviewer == "" {
		made.Ruling = task.Accepted
	} else {
		made.Votes = append(made.Votes, task.Vote{Reviewer: who.Reviewer, Confirms: true})
	}
	e.t.Remarks = append(slices.Clip(e.t.Remarks), made)
	if p.Severity.Grave() {
		e.reopen(p.On)
	}
	return nil
}

// checkNewRemark wants something that can be looked at, and nothing that was said already.
func checkNewRemark(t task.Task, p task.RemarkAddPayload) error {
	for i, r := range t.Remarks {
		if r.On == p.On && r.Text == p.Text && r.File == p.File && r.Line == p.Line {
			return task.Refuse(task.CodeTaken, fmt.Sprintf("remark %d says so already", i+1),
				fmt.Sprintf("git brew remark confirm %d", i+1))
		}
	}
	return checkReviewable(t, p.On)
}

// checkVote says why somebody can't vote so on a remark now.
func checkVote(r task.Remark, n int, p task.RemarkVotePayload, who task.Reviewer) error {
	switch {
	case p.Against && strings.TrimSpace(p.Reason) == "":
		return noReason(fmt.Sprintf("rejecting remark %d", n), "")
	case r.Ruling == task.Rejected && p.Reviewer != "":
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason),
			"the user alone can say otherwise")
	case r.Resolved && p.Against:
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("remark %d is resolved", n),
			"see 'git brew remark show "+fmt.Sprint(n)+"'")
	case p.Reviewer != "" && !r.Resolved && placed(r.Votes, who, voteBy) < 0:
		return full(len(r.Votes), task.MaxReviewers, fmt.Sprintf("votes on remark %d", n), "")
	}
	return nil
}

// voteRemark counts a reviewer's vote, in the place of an earlier one, or the user's
// ruling. A remark that is confirmed after it was resolved is there again.
func voteRemark(e *editor, p task.RemarkVotePayload) error {
	who := speaker{task.Reviewer{Name: p.Reviewer, Voter: p.Voter}, p.Seen}
	r, n, err := task.RemarkOf(e.t, p.Remark)
	if err == nil {
		err = cmp.Or(checkVote(r, n, p, who.Reviewer), e.checkSpeaker(r.On, who.Reviewer))
	}
	if err != nil {
		return err
	}
	again := r.Resolved
	if again {
		r.Resolved, r.Reason, r.Votes = false, "", []task.Vote{}
	}
	if p.Against {
		e.speak(r.On, who, heard)
	} else {
		e.speak(r.On, who, said(r.Severity))
		b, _ := boardOn(e.t, r.On)
		r.Round = b.Round
	}
	switch {
	case p.Reviewer != "":
		r.Votes = voted(r.Votes, who.Reviewer, p)
	case p.Against:
		r.Ruling, r.Reason = task.Rejected, p.Reason
	default:
		r.Ruling, r.Reason = task.Accepted, p.Reason
	}
	e.setRemark(n-1, r)
	if r.Severity.Grave() && (again || r.Ruling == task.Accepted) {
		e.reopen(r.On)
	}
	return nil
}

// voted are the votes with a reviewer's, who keeps the name that they first gave.
func voted(votes []task.Vote, who task.Reviewer, p task.RemarkVotePayload) []task.Vote {
	v := task.Vote{Reviewer: who, Confirms: !p.Against}
	if p.Against {
		v.Reason = p.Reason
	}
	votes = slices.Clone(votes)
	at := placed(votes, who, voteBy)
	if at < 0 {
		return append(votes, v)
	}
	v.Name = votes[at].Name
	votes[at] = v
	return votes
}

// checkResolve says why a remark can't be resolved now. What is open after the last
// round is the user's to rule on first (BC-7).
func checkResolve(t task.Task, r task.Remark, n int) error {
	switch {
	case r.Resolved:
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("remark %d is resolved already", n),
			"whoever finds it there still: git brew remark confirm "+fmt.Sprint(n))
	case r.Ruling == task.Rejected:
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason),
			"nothing is to be done about it")
	}
	tally := TallyOf(t, r.On)
	if tally.Round >= task.MaxRounds && slices.ContainsFunc(tally.Remarks, func(o TalliedRemark) bool {
		return o.N == n && o.asksUser()
	}) {
		return task.Refuse(task.CodeBoard, fmt.Sprintf("%d rounds are over, and remark %d is open still", task.MaxRounds, n),
			fmt.Sprintf("the user decides: git brew remark confirm %d, or git brew remark reject %d -m WHY", n, n))
	}
	return nil
}

func resolveRemark(e *editor, p task.RemarkResolvePayload) error {
	r, n, err := task.RemarkOf(e.t, p.Remark)
	if err == nil {
		err = checkResolve(e.t, r, n)
	}
	if err != nil {
		return err
	}
	before := TallyOf(e.t, r.On).blocking()
	r.Resolved = true
	if p.Reason != "" {
		r.Reason = p.Reason
	}
	e.setRemark(n-1, r)
	// With the last of what counted a round ends: whoever reviews looks again. After
	// the last round the user has ruled, and nobody looks again.
	b, _ := boardOn(e.t, r.On)
	if len(before) > 0 && len(TallyOf(e.t, r.On).blocking()) == 0 && b.Round < task.MaxRounds {
		b.Round, b.Reviewers = b.Round+1, nil
		e.setBoard(b)
	}
	return nil
}

// reopen: what the user took as it is has something grave again.
func (e *editor) reopen(on task.BoardName) {
	if b, _ := boardOn(e.t, on); b.Waived != nil {
		b.Waived = nil
		e.setBoard(b)
	}
}

func (e *editor) setRemark(i int, r task.Remark) {
	e.t.Remarks = slices.Clone(e.t.Remarks)
	e.t.Remarks[i] = r
}
