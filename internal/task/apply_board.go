package task

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// What is said on boards is open to everybody, so nothing of it ever takes back
// what a holder did: a board keeps what comes next from being made (see
// CheckBoard), and the fold never asks it.

func applyRemarkAdd(e *editor, op operation.Operation, p RemarkAddPayload) bool {
	made := p.remark()
	made.UID, made.At = op.ID, cleanTime(op.At)
	if !op.ID.Valid() || !made.valid() || !e.t.validBoard(p.On) || !e.speaker(op, p.voter()) || e.t.RemarkNumber(op.ID) > 0 {
		return false
	}
	if i := slices.IndexFunc(e.t.Remarks, made.same); i >= 0 {
		return e.vote(i, p.voter(), "", "")
	}
	if len(e.t.Remarks) >= maxRemarks {
		return false
	}
	said := heard
	if p.Severity.grave() {
		said = objects
	}
	b, ok := e.speak(p.On, p.voter(), said)
	if !ok {
		return false
	}
	made.Round = b.Round
	if p.Reviewer == "" {
		made.Ruling = Accepted
	} else {
		made.Votes = []Vote{{Reviewer: p.Reviewer, Seat: p.Seat}}
	}
	e.t.Remarks = append(slices.Clip(e.t.Remarks), made)
	if p.Severity.grave() {
		e.reopen(p.On)
	}
	return true
}

func applyRemarkVote(e *editor, op operation.Operation, p RemarkVotePayload) bool {
	i := e.t.RemarkNumber(p.Remark) - 1
	if i < 0 || !e.speaker(op, p.voter()) || !paragraph(p.Reason, maxSaid) {
		return false
	}
	against := ""
	if p.Against {
		if against = p.Reason; strings.TrimSpace(against) == "" {
			return false
		}
	}
	return e.vote(i, p.voter(), against, p.Reason)
}

// vote counts a vote on the remark at i; who has no name is the user, whose word is a
// ruling. Against is the reason of a vote against it. A remark that is confirmed
// after it was resolved is there again.
func (e *editor) vote(i int, who voter, against, reason string) bool {
	r := e.t.Remarks[i]
	if votable(e.t, r, who.reviewer(), against != "") != nil {
		return false
	}
	spoken := heard
	if r.Severity.grave() && against == "" {
		spoken = objects
	}
	b, ok := e.speak(r.On, who, spoken)
	if !ok {
		return false
	}
	again := r.Resolved
	if again {
		r.Resolved, r.Reason, r.Votes = false, "", nil
	}
	if against == "" {
		r.Round = b.Round
	}
	if who.name == "" {
		r.Ruling, r.Reason = Accepted, reason
		if against != "" {
			r.Ruling = Rejected
		}
	} else {
		r.Votes = slices.Clone(r.Votes)
		v := Vote{Reviewer: who.name, Seat: who.seat, Against: against}
		if at := r.placed(who.reviewer()); at >= 0 {
			v.Reviewer = r.Votes[at].by().goesOn(who.reviewer()).Name
			r.Votes[at] = v
		} else {
			r.Votes = append(r.Votes, v)
		}
	}
	e.setRemark(i, r)
	if r.Severity.grave() && (again || r.Ruling == Accepted) {
		e.reopen(r.On)
	}
	return true
}

func applyRemarkResolve(e *editor, _ operation.Operation, p RemarkResolvePayload) bool {
	i := e.t.RemarkNumber(p.Remark) - 1
	if i < 0 || !paragraph(p.Reason, maxSaid) || resolvable(e.t, e.t.Remarks[i]) != nil {
		return false
	}
	r := e.t.Remarks[i]
	before := TallyOf(e.t, r.On)
	r.Resolved = true
	if p.Reason != "" {
		r.Reason = p.Reason
	}
	e.setRemark(i, r)
	b := before.Board
	// The last of what counted in this round is resolved: whoever reviews looks
	// again. After the last round the user has ruled, and nobody looks again.
	if blocked(before) && !blocked(TallyOf(e.t, r.On)) && r.Round >= b.Round && b.Round < MaxRounds {
		b.Round, b.Voices = b.Round+1, nil
		e.setBoard(b)
	}
	return true
}

func blocked(t Tally) bool {
	return slices.ContainsFunc(t.Remarks, func(r TalliedRemark) bool { return r.Blocks })
}

func applyBoardReady(e *editor, op operation.Operation, p BoardReadyPayload) bool {
	if !e.t.sees(p.On, p.Seen) {
		return false // what is ready is another text
	}
	if !e.t.validBoard(p.On) || !e.speaker(op, p.voter()) || !paragraph(p.Reason, maxSaid) {
		return false
	}
	b, ok := e.speak(p.On, p.voter(), ready)
	if ok && p.Reviewer == "" {
		b.Waived = &Waiver{Reason: p.Reason, At: cleanTime(op.At)}
		return e.setBoard(b)
	}
	return ok
}

// speaker reports whether an operation may speak for a reviewer. Without a name
// it is the user who speaks: no agent does.
func (e *editor) speaker(op operation.Operation, who voter) bool {
	if who.name == "" {
		return op.Session == "" && who.seat == ""
	}
	return validName(who.name) && who.seat.takenBy(op) && CheckVoter(e.t, who.name, who.seat) == nil
}

// spoken is what a reviewer said to a board as a whole.
type spoken int

const (
	heard   spoken = iota // neither
	objects               // something grave is to be done first
	ready                 // nothing grave
)

// sees reports whether what a speaker has looked at is what there is. Who does not say
// what that was is believed.
func (t Task) sees(on BoardName, seen string) bool { return seen == "" || seen == t.textOf(on) }

// speak notes that a reviewer spoke on a board, and opens it where it is new; the
// user, who has no name, has no place on it, nor has who looked at another text: they
// begin no round, and the last one stays known, with what it came to.
func (e *editor) speak(on BoardName, who voter, said spoken) (Board, bool) {
	b, there := e.t.board(on)
	if who.name == "" || !e.t.sees(on, who.seen) {
		if !there && !e.setBoard(b) {
			return b, false
		}
		e.introduce(who)
		return b, true
	}
	b.Voices = slices.Clone(b.Voices)
	at := b.placed(who.reviewer())
	switch {
	case at < 0 && len(b.Voices) >= maxVoices:
		return b, false
	case at < 0:
		b.Voices = append(b.Voices, Voice{Reviewer: who.name, Seat: who.seat, Ready: said == ready})
	case said != heard:
		b.Voices[at].Ready = said == ready
		fallthrough
	default:
		as := b.Voices[at].by().goesOn(who.reviewer())
		b.Voices[at].Reviewer, b.Voices[at].Seat = as.Name, as.Seat
	}
	if !e.setBoard(b) {
		return b, false
	}
	e.introduce(who)
	return b, true
}

// reopen: what the user took as it is has something grave again.
func (e *editor) reopen(on BoardName) {
	if b, _ := e.t.board(on); b.Waived != nil {
		b.Waived = nil
		e.setBoard(b)
	}
}

func (e *editor) setBoard(b Board) bool {
	boards := slices.Clone(e.t.Boards)
	if i := slices.IndexFunc(boards, func(o Board) bool { return o.On == b.On }); i >= 0 {
		boards[i] = b
	} else if len(boards) < maxBoards {
		boards = append(boards, b)
	} else {
		return false
	}
	e.t.Boards = boards
	return true
}

func (e *editor) setRemark(i int, r Remark) {
	e.t.Remarks = slices.Clone(e.t.Remarks)
	e.t.Remarks[i] = r
}
