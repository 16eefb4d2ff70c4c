package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

func remarkSpeaker(p task.RemarkAddPayload) speaker {
	return speaker{task.Reviewer{Name: p.Reviewer, Voter: p.Voter}, p.Seen}
}

// askRemarkAdd wants something that can be looked at, names that tell people from
// agents, and nothing that was said already.
func askRemarkAdd(t task.Task, p task.RemarkAddPayload) error {
	if err := cmp.Or(checkReviewable(t, p.On), checkVoterName(t, remarkSpeaker(p).Reviewer)); err != nil {
		return err
	}
	for i, r := range t.Remarks {
		if r.On == p.On && r.Text == p.Text && r.File == p.File && r.Line == p.Line {
			return task.Refuse(task.CodeTaken, fmt.Sprintf("remark %d says so already", i+1),
				fmt.Sprintf("git brew remark confirm %d", i+1))
		}
	}
	return nil
}

func addRemark(e *editor, p task.RemarkAddPayload) error {
	switch {
	case e.t.RemarkNumber(e.op.ID) > 0:
		return errNoID()
	case p.Line > 0 && p.File == "":
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("line %d of no file", p.Line), "name it as FILE:LINE")
	}
	made := task.Remark{On: p.On, Severity: p.Severity, Text: p.Text, File: p.File, Line: p.Line}
	err := cmp.Or(full(len(e.t.Remarks), task.MaxRemarks, "remarks", "write the others into a report"),
		checkSpeaker(e.t, e.op, p.On, remarkSpeaker(p).Reviewer))
	if err != nil {
		return err
	}
	said := heard
	if p.Severity.Grave() {
		said = objects
	}
	e.speak(p.On, remarkSpeaker(p), said)
	b, _ := boardOn(e.t, p.On)
	made.UID, made.At, made.Round, made.Votes = e.op.ID, e.at, b.Round, []task.Vote{}
	if p.Reviewer == "" {
		made.Ruling = task.Accepted
	} else {
		made.Votes = append(made.Votes, task.Vote{Reviewer: remarkSpeaker(p).Reviewer, Confirms: true})
	}
	e.t.Remarks = append(slices.Clip(e.t.Remarks), made)
	if p.Severity.Grave() {
		e.reopen(p.On)
	}
	return nil
}

func voteSpeaker(p task.RemarkVotePayload) speaker {
	return speaker{task.Reviewer{Name: p.Reviewer, Voter: p.Voter}, p.Seen}
}

// checkVote says why nobody can vote so on a remark now.
func checkVote(r task.Remark, n int, p task.RemarkVotePayload) error {
	switch {
	case p.Against && strings.TrimSpace(p.Reason) == "":
		return noReason(fmt.Sprintf("rejecting remark %d", n), "")
	case r.Ruling == task.Rejected && p.Reviewer != "":
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason),
			"the user alone can say otherwise")
	case r.Resolved && p.Against:
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("remark %d is resolved", n),
			"see 'git brew remark show "+fmt.Sprint(n)+"'")
	case p.Reviewer != "" && !r.Resolved && placed(r.Votes, voteSpeaker(p).Reviewer, voteBy) < 0 &&
		len(r.Votes) >= task.MaxReviewers:
		return full(len(r.Votes), task.MaxReviewers, fmt.Sprintf("votes on remark %d", n), "")
	}
	return nil
}

func askRemarkVote(t task.Task, p task.RemarkVotePayload) error {
	return checkVoterName(t, voteSpeaker(p).Reviewer)
}

// voteRemark counts a vote. A remark that is confirmed after it was resolved is
// there again.
func voteRemark(e *editor, p task.RemarkVotePayload) error {
	r, n, err := task.RemarkOf(e.t, p.Remark)
	if err != nil {
		return err
	}
	if err := cmp.Or(checkVote(r, n, p), checkSpeaker(e.t, e.op, r.On, voteSpeaker(p).Reviewer)); err != nil {
		return err
	}
	said := heard
	if r.Severity.Grave() && !p.Against {
		said = objects
	}
	e.speak(r.On, voteSpeaker(p), said)
	again := r.Resolved
	if again {
		r.Resolved, r.Reason, r.Votes = false, "", []task.Vote{}
	}
	if !p.Against {
		b, _ := boardOn(e.t, r.On)
		r.Round = b.Round
	}
	takeVote(&r, p)
	e.setRemark(n-1, r)
	if r.Severity.Grave() && (again || r.Ruling == task.Accepted) {
		e.reopen(r.On)
	}
	return nil
}

// takeVote notes a reviewer's vote, in the place of an earlier one, or the user's ruling.
func takeVote(r *task.Remark, p task.RemarkVotePayload) {
	switch {
	case p.Reviewer == "" && p.Against:
		r.Ruling, r.Reason = task.Rejected, p.Reason
		return
	case p.Reviewer == "":
		r.Ruling, r.Reason = task.Accepted, p.Reason
		return
	}
	v := task.Vote{Reviewer: voteSpeaker(p).Reviewer, Confirms: !p.Against}
	if p.Against {
		v.Reason = p.Reason
	}
	r.Votes = slices.Clone(r.Votes)
	if at := placed(r.Votes, v.Reviewer, voteBy); at >= 0 {
		v.Name = r.Votes[at].Name
		r.Votes[at] = v
		return
	}
	r.Votes = append(r.Votes, v)
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
