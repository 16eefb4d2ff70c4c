package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// RemarkAddPayload is what OpRemarkAdd carries; the remark's UID is the
// operation's id.
type RemarkAddPayload struct {
	On BoardName `json:"on"`
	// Reviewer is who found it; empty: the user.
	Reviewer string   `json:"reviewer,omitempty"`
	Voter    VoterID  `json:"voter,omitempty"` // the reviewer's
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
	File     string   `json:"file,omitempty"` // relative, with slashes
	Line     int      `json:"line,omitempty"`
	Seen     string   `json:"seen,omitempty"` // as in BoardReadyPayload
}

func (p RemarkAddPayload) speaker() speaker {
	return speaker{Reviewer{p.Reviewer, p.Voter}, p.Seen}
}

// remark is what the payload says, without what the fold adds.
func (p RemarkAddPayload) remark() Remark {
	return Remark{On: p.On, Severity: p.Severity, Text: p.Text, File: p.File, Line: p.Line}
}

// askRemarkAdd wants something that can be looked at, names that tell people from
// agents, and nothing that was said already.
func askRemarkAdd(t Task, p RemarkAddPayload) error {
	if err := cmp.Or(checkReviewable(t, p.On), checkVoterName(t, p.speaker().Reviewer)); err != nil {
		return err
	}
	for i, r := range t.Remarks {
		if r.On == p.On && r.Text == p.Text && r.File == p.File && r.Line == p.Line {
			return Refuse(CodeTaken, fmt.Sprintf("remark %d says so already", i+1), fmt.Sprintf("git brew remark confirm %d", i+1))
		}
	}
	return nil
}

func addRemark(e *editor, op operation.Operation, p RemarkAddPayload) error {
	switch {
	case !op.ID.Valid(), e.t.RemarkNumber(op.ID) > 0:
		return Refuse(CodeTaken, "the remark has no id of its own", "")
	case len(e.t.Remarks) >= maxRemarks:
		return Refuse(CodeTaskState, fmt.Sprintf("the task has %d remarks, no more fit", len(e.t.Remarks)), "write the others into a report")
	}
	made := p.remark()
	if err := cmp.Or(made.checkWords(), checkSpeaker(e.t, op, p.On, p.speaker().Reviewer)); err != nil {
		return err
	}
	said := heard
	if p.Severity.grave() {
		said = objects
	}
	e.speak(p.On, p.speaker(), said)
	b, _ := e.t.board(p.On)
	made.UID, made.At, made.Round, made.Votes = op.ID, cleanTime(op.At), b.Round, []Vote{}
	if p.Reviewer == "" {
		made.Ruling = Accepted
	} else {
		made.Votes = append(made.Votes, Vote{Reviewer: p.speaker().Reviewer, Confirms: true})
	}
	e.t.Remarks = append(slices.Clip(e.t.Remarks), made)
	if p.Severity.grave() {
		e.reopen(p.On)
	}
	return nil
}

// RemarkVotePayload is what OpRemarkVote carries: a reviewer's vote on a remark,
// or, without a reviewer, the user's ruling.
type RemarkVotePayload struct {
	Remark   UID     `json:"remark"`
	Reviewer string  `json:"reviewer,omitempty"`
	Voter    VoterID `json:"voter,omitempty"`
	Seen     string  `json:"seen,omitempty"` // as in BoardReadyPayload
	// Against: the remark is not right, for the reason.
	Against bool   `json:"against,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

func (p RemarkVotePayload) speaker() speaker {
	return speaker{Reviewer{p.Reviewer, p.Voter}, p.Seen}
}

// checkVote says why nobody can vote so on a remark now.
func checkVote(r Remark, n int, p RemarkVotePayload) error {
	switch {
	case p.Against && strings.TrimSpace(p.Reason) == "":
		return Refuse(CodeInvalid, fmt.Sprintf("rejecting remark %d needs a reason", n), "say why, with -m")
	case r.Ruling == Rejected && p.Reviewer != "":
		return Refuse(CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason), "the user alone can say otherwise")
	case r.Resolved && p.Against:
		return Refuse(CodeTaskState, fmt.Sprintf("remark %d is resolved", n), "see 'git brew remark show "+fmt.Sprint(n)+"'")
	case p.Reviewer != "" && !r.Resolved && placed(r.Votes, p.speaker().Reviewer, Vote.by) < 0 && len(r.Votes) >= maxReviewers:
		return Refuse(CodeTaskState, fmt.Sprintf("%d reviewers voted on remark %d, no more fit", maxReviewers, n), "")
	}
	return checkSaid(p.Reason)
}

func askRemarkVote(t Task, p RemarkVotePayload) error { return checkVoterName(t, p.speaker().Reviewer) }

// voteRemark counts a vote. A remark that is confirmed after it was resolved is
// there again.
func voteRemark(e *editor, op operation.Operation, p RemarkVotePayload) error {
	r, n, err := remarkOf(e.t, p.Remark)
	if err != nil {
		return err
	}
	if err := cmp.Or(checkVote(r, n, p), checkSpeaker(e.t, op, r.On, p.speaker().Reviewer)); err != nil {
		return err
	}
	said := heard
	if r.Severity.grave() && !p.Against {
		said = objects
	}
	e.speak(r.On, p.speaker(), said)
	again := r.Resolved
	if again {
		r.Resolved, r.Reason, r.Votes = false, "", []Vote{}
	}
	if !p.Against {
		b, _ := e.t.board(r.On)
		r.Round = b.Round
	}
	r.take(p)
	e.setRemark(n-1, r)
	if r.Severity.grave() && (again || r.Ruling == Accepted) {
		e.reopen(r.On)
	}
	return nil
}

// take notes a reviewer's vote, in the place of an earlier one, or the user's ruling.
func (r *Remark) take(p RemarkVotePayload) {
	switch {
	case p.Reviewer == "" && p.Against:
		r.Ruling, r.Reason = Rejected, p.Reason
		return
	case p.Reviewer == "":
		r.Ruling, r.Reason = Accepted, p.Reason
		return
	}
	v := Vote{Reviewer: p.speaker().Reviewer, Confirms: !p.Against}
	if p.Against {
		v.Reason = p.Reason
	}
	r.Votes = slices.Clone(r.Votes)
	if at := placed(r.Votes, v.Reviewer, Vote.by); at >= 0 {
		v.Name = r.Votes[at].Name
		r.Votes[at] = v
		return
	}
	r.Votes = append(r.Votes, v)
}

// RemarkResolvePayload is what OpRemarkResolve carries: something was done about
// a remark.
type RemarkResolvePayload struct {
	Remark UID    `json:"remark"`
	Reason string `json:"reason,omitempty"`
}

// checkResolve says why a remark can't be resolved now. What is open after the last
// round is the user's to rule on first (BC-7).
func checkResolve(t Task, r Remark, n int) error {
	switch {
	case r.Resolved:
		return Refuse(CodeTaskState, fmt.Sprintf("remark %d is resolved already", n),
			"whoever finds it there still: git brew remark confirm "+fmt.Sprint(n))
	case r.Ruling == Rejected:
		return Refuse(CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason), "nothing is to be done about it")
	}
	tally := TallyOf(t, r.On)
	if tally.Round >= MaxRounds && slices.ContainsFunc(tally.Remarks, func(o TalliedRemark) bool { return o.N == n && o.asksUser() }) {
		return Refuse(CodeBoard, fmt.Sprintf("%d rounds are over, and remark %d is open still", MaxRounds, n),
			fmt.Sprintf("the user decides: git brew remark confirm %d, or git brew remark reject %d -m WHY", n, n))
	}
	return nil
}

func resolveRemark(e *editor, _ operation.Operation, p RemarkResolvePayload) error {
	r, n, err := remarkOf(e.t, p.Remark)
	if err == nil {
		err = cmp.Or(checkResolve(e.t, r, n), checkSaid(p.Reason))
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
	b, _ := e.t.board(r.On)
	if len(before) > 0 && len(TallyOf(e.t, r.On).blocking()) == 0 && b.Round < MaxRounds {
		b.Round, b.Reviewers = b.Round+1, nil
		e.setBoard(b)
	}
	return nil
}

// reopen: what the user took as it is has something grave again.
func (e *editor) reopen(on BoardName) {
	if b, _ := e.t.board(on); b.Waived != nil {
		b.Waived = nil
		e.setBoard(b)
	}
}

func (e *editor) setRemark(i int, r Remark) {
	e.t.Remarks = slices.Clone(e.t.Remarks)
	e.t.Remarks[i] = r
}
