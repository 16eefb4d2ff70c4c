package task

import (
	"fmt"
	"slices"
	"strings"
)

// valid reports whether a remark can be kept: what nobody can have made is not.
func (r Remark) valid() bool {
	return slices.Contains(Severities, r.Severity) && r.Text != "" && strings.TrimSpace(r.Text) != "" && paragraph(r.Text, maxRemarkText) &&
		(r.File == "" && r.Line == 0 || r.File != "" && servicePathFault(r.File) == "" && r.Line >= 0 && r.Line <= MaxLine)
}

func checkRemarkAdd(t Task, p RemarkAddPayload) error {
	if err := firstError(checkReviewable(t, p.On), checkReviewer(t, p.voter())); err != nil {
		return err
	}
	made := p.remark()
	switch {
	case !slices.Contains(Severities, p.Severity):
		return unknownWord("severity", string(p.Severity), Severities)
	case !made.valid() && (p.File != "" && servicePathFault(p.File) != ""):
		return refuse(CodeInvalid, fmt.Sprintf("%q is no file: %s", clip(p.File, maxPath), servicePathFault(p.File)), "name it by its path in the work tree, as FILE or FILE:LINE")
	case !made.valid():
		return refuse(CodeInvalid, fmt.Sprintf("a remark is a plain text of 1 to %d bytes", maxRemarkText), "say what is wrong, and put the rest into a report")
	}
	if r, ok := t.SameRemark(p); ok {
		return votable(t, r, p.voter().reviewer(), false)
	}
	if len(t.Remarks) >= maxRemarks {
		return refuse(CodeTaskState, fmt.Sprintf("the task has %d remarks, no more fit", len(t.Remarks)), "write the others into a report")
	}
	return checkSeat(t, p.On, p.voter().reviewer())
}

// checkReviewable wants something that can be looked at: a document that was
// written, a phase that was begun, or that its parts completed.
func checkReviewable(t Task, on BoardName) error {
	if !t.validBoard(on) {
		return fmt.Errorf("%w: %q can't be reviewed; use a document or a phase", ErrNoDocument, clip(string(on), MaxTitle))
	}
	if uid, work := on.phase(); work {
		if p, _ := t.Phase(uid); p.Iteration == 0 && p.Status != PhaseInReview && p.Status != PhaseCompleted {
			return refuse(CodeTransition, fmt.Sprintf("phase %s is %s: there is nothing to review", p.ID, p.Status), t.wayOn(p))
		}
		return nil
	}
	if !t.HasDoc(DocName(on)) {
		name := t.ShownBoard(on)
		return fmt.Errorf("%w: %s is not written yet; git brew doc set %s -", ErrNoDocument, name, name)
	}
	return nil
}

func checkReviewer(t Task, who voter) error {
	switch {
	case who.name == "" && who.seat == "":
		return nil
	case !validName(who.name):
		return refuse(CodeInvalid, fmt.Sprintf("%q can't be a reviewer's name", clip(who.name, maxName)), "use letters, digits, '.', '_' and '-'")
	case !who.seat.valid():
		return refuse(CodeInvalid, fmt.Sprintf("%q is no session's", clip(string(who.seat), maxName)), "leave --session out")
	}
	return CheckVoter(t, who.name, who.seat)
}

// checkSeat says why a board has no place for one more reviewer, or none for one
// more board.
func checkSeat(t Task, on BoardName, who Reviewer) error {
	b, there := t.board(on)
	switch {
	case !there && len(t.Boards) >= maxBoards:
		return refuse(CodeTaskState, fmt.Sprintf("the task has %d boards, no more fit", len(t.Boards)), "review what matters")
	case who.Name != "" && b.placed(who) < 0 && len(b.Voices) >= maxVoices:
		return refuse(CodeTaskState, fmt.Sprintf("%d reviewers spoke on it already, no more fit", maxVoices), "see 'git brew remark tally "+t.ShownBoard(on)+"'")
	}
	return nil
}

func checkRemarkVote(t Task, p RemarkVotePayload) error {
	r, n, err := t.remark(p.Remark)
	switch {
	case err != nil:
		return err
	case p.Against && strings.TrimSpace(p.Reason) == "":
		return refuse(CodeInvalid, fmt.Sprintf("rejecting remark %d needs a reason", n), "say why, with -m")
	}
	return firstError(checkReviewer(t, p.voter()), checkSaid(p.Reason), votable(t, r, p.voter().reviewer(), p.Against))
}

// votable says why nobody can vote so on a remark now; it holds in the fold, too.
func votable(t Task, r Remark, who Reviewer, against bool) error {
	n := t.RemarkNumber(r.UID)
	switch {
	case r.Ruling == Rejected && who.Name != "":
		return refuse(CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason), "the user alone can say otherwise")
	case r.Resolved && against:
		return refuse(CodeTaskState, fmt.Sprintf("remark %d is resolved", n), "see 'git brew remark show "+fmt.Sprint(n)+"'")
	case who.Name != "" && !r.Resolved && r.placed(who) < 0 && len(r.Votes) >= maxVoices:
		return refuse(CodeTaskState, fmt.Sprintf("%d reviewers voted on remark %d, no more fit", maxVoices, n), "")
	}
	return checkSeat(t, r.On, who)
}

func checkRemarkResolve(t Task, p RemarkResolvePayload) error {
	r, _, err := t.remark(p.Remark)
	if err != nil {
		return err
	}
	return firstError(checkSaid(p.Reason), resolvable(t, r))
}

// resolvable says why a remark can't be resolved now; it holds in the fold, too.
// What is open after the last round is the user's to rule on first (BC-7).
func resolvable(t Task, r Remark) error {
	n := t.RemarkNumber(r.UID)
	switch {
	case r.Resolved:
		return refuse(CodeTaskState, fmt.Sprintf("remark %d is resolved already", n), "whoever finds it there still: git brew remark confirm "+fmt.Sprint(n))
	case r.Ruling == Rejected:
		return refuse(CodeTaskState, fmt.Sprintf("the user has rejected remark %d: %s", n, r.Reason), "nothing is to be done about it")
	}
	tally := TallyOf(t, r.On)
	blocks := slices.ContainsFunc(tally.Remarks, func(o TalliedRemark) bool { return o.UID == r.UID && o.Blocks })
	if tally.Round >= MaxRounds && r.Ruling == "" && blocks {
		return refuse(CodeBoard, fmt.Sprintf("%d rounds are over, and remark %d is open still", MaxRounds, n),
			fmt.Sprintf("the user decides: git brew remark confirm %d, or git brew remark reject %d -m WHY", n, n))
	}
	return nil
}

func checkBoardReady(t Task, p BoardReadyPayload) error {
	if err := firstError(checkReviewable(t, p.On), checkReviewer(t, p.voter()), checkSaid(p.Reason), checkSeat(t, p.On, p.voter().reviewer())); err != nil {
		return err
	}
	if !t.sees(p.On, p.Seen) {
		return refuse(CodeTaken, t.ShownBoard(p.On)+" was changed meanwhile", "look at what there is now")
	}
	if p.Reviewer == "" && strings.TrimSpace(p.Reason) == "" && TallyOf(t, p.On).Verdict != VerdictReady {
		return refuse(CodeInvalid, "to take what its board has not found ready needs a reason",
			"say why, with -m; a reviewer gives a name, with --reviewer")
	}
	return nil
}

func checkSaid(s string) error {
	if paragraph(s, maxSaid) {
		return nil
	}
	return refuse(CodeInvalid, fmt.Sprintf("the reason is no plain text of at most %d bytes", maxSaid), "shorten it")
}
