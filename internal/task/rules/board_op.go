package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// speaker is a reviewer, or without a name the user, and what they have looked at.
type speaker struct {
	task.Reviewer
	seen string
}

// placed finds what a reviewer said before in a list, -1 for nothing: an agent is told by
// its id, a person by the name, in any case of its letters.
func placed[E any](list []E, who task.Reviewer, by func(E) task.Reviewer) int {
	return slices.IndexFunc(list, func(e E) bool {
		r := by(e)
		return r.Voter == who.Voter && (r.Voter != "" || strings.EqualFold(r.Name, who.Name))
	})
}

func ballotBy(b task.Ballot) task.Reviewer { return b.Reviewer }

func voteBy(v task.Vote) task.Reviewer { return v.Reviewer }

// checkSpeaker says why the operation can't speak for somebody on a board: a session's
// reviewers are its own, or its agents', and no agent is the user.
func (e *editor) checkSpeaker(on task.BoardName, who task.Reviewer) error {
	b, there := boardOn(e.t, on)
	session, _, _ := strings.Cut(string(who.Voter), "/")
	switch {
	case e.op.Session != "" && e.op.Session != session:
		return task.Refuse(task.CodeInvalid, "this session can't speak for "+
			task.Clip(cmp.Or(who.Name, "the user"), task.MaxName), "an agent gives --reviewer NAME")
	case !task.ValidBoard(e.t, on):
		return fmt.Errorf("%w: %q can't be reviewed; use a document or a phase", task.ErrNoDocument,
			task.Clip(string(on), task.MaxTitle))
	case who.Name == "" && who.Voter != "":
		return task.Refuse(task.CodeInvalid, "a session that votes has a name", "give --reviewer NAME")
	case !there && len(e.t.Boards) >= task.MaxBoards:
		return full(len(e.t.Boards), task.MaxBoards, "boards", "review what matters")
	case who.Name != "" && placed(b.Reviewers, who, ballotBy) < 0 && len(b.Reviewers) >= task.MaxReviewers:
		return full(len(b.Reviewers), task.MaxReviewers, "reviewers", "see 'git brew remark tally "+e.t.ShownBoard(on)+"'")
	case e.made:
		return checkVoterName(e.t, who)
	}
	return nil
}

// checkVoterName refuses a name that would hide who speaks: one of the other kind, person
// or agent, or a second one of the same agent. Votes are counted by the id, whatever
// the names are, so the fold does not ask.
func checkVoterName(t task.Task, who task.Reviewer) error {
	var all []task.Reviewer
	for _, b := range t.Boards {
		for _, o := range b.Reviewers {
			all = append(all, o.Reviewer)
		}
	}
	for _, r := range t.Remarks {
		for _, v := range r.Votes {
			all = append(all, v.Reviewer)
		}
	}
	if i := placed(all, who, func(r task.Reviewer) task.Reviewer { return r }); i >= 0 {
		if strings.EqualFold(all[i].Name, who.Name) {
			return nil
		}
		return task.Refuse(task.CodeTaken, "this session speaks as "+all[i].Name+": it is one reviewer, and has one vote",
			"give --reviewer "+all[i].Name+"; a sub-agent that it starts has a vote of its own")
	}
	for _, r := range all {
		if !strings.EqualFold(r.Name, who.Name) || (r.Voter == "") == (who.Voter == "") {
			continue
		}
		kind, hint := "an agent", "take another name, or leave --reviewer out to speak as the user"
		if r.Voter == "" {
			kind, hint = "a person", "an agent takes a name of its own"
		}
		return task.Refuse(task.CodeTaken, kind+" speaks as "+r.Name, hint)
	}
	return nil
}

// takeBoard notes that a reviewer finds all of it ready, or that the user takes it as it is.
func takeBoard(e *editor, p task.BoardReadyPayload) error {
	who := speaker{task.Reviewer{Name: p.Reviewer, Voter: p.Voter}, p.Seen}
	err := e.checkSpeaker(p.On, who.Reviewer)
	if err == nil && e.made {
		err = checkReviewable(e.t, p.On)
	}
	switch {
	case err != nil:
		return err
	case !sees(e.t, p.On, p.Seen):
		return task.Refuse(task.CodeTaken, e.t.ShownBoard(p.On)+" was changed meanwhile", "look at what there is now")
	case p.Reviewer != "":
		e.speak(p.On, who, ready)
		return nil
	case e.made && strings.TrimSpace(p.Reason) == "" && TallyOf(e.t, p.On).Verdict != VerdictReady:
		return task.Refuse(task.CodeInvalid, "to take what its board has not found ready needs a reason",
			"say why, with -m; a reviewer gives a name, with --reviewer")
	}
	b, _ := boardOn(e.t, p.On)
	b.Waived = &task.Waiver{Reason: p.Reason, At: e.at}
	e.setBoard(b)
	return nil
}

// spoken is what a reviewer said to a board as a whole.
type spoken int

const (
	heard   spoken = iota // neither
	objects               // something grave is to be done first
	ready                 // nothing grave
)

// said is what a remark of that severity says of the whole.
func said(s task.Severity) spoken {
	if s.Grave() {
		return objects
	}
	return heard
}

// sees reports whether what a speaker has looked at is what there is. Who does not say
// what that was is believed.
func sees(t task.Task, on task.BoardName, seen string) bool {
	return seen == "" || seen == SeenOn(t, on)
}

// speak notes that a reviewer spoke on a board, and opens it where it is new. The user
// has no place on it, nor has who looked at another text.
func (e *editor) speak(on task.BoardName, who speaker, says spoken) {
	b, there := boardOn(e.t, on)
	if who.Name != "" && sees(e.t, on, who.seen) {
		b.Reviewers = slices.Clone(b.Reviewers)
		i := placed(b.Reviewers, who.Reviewer, ballotBy)
		if i < 0 {
			i = len(b.Reviewers)
			b.Reviewers = append(b.Reviewers, task.Ballot{Reviewer: who.Reviewer})
		}
		if says != heard {
			b.Reviewers[i].Ready = says == ready
		}
	} else if there {
		return // what was said of the last text stays told
	}
	e.setBoard(b)
}

// checkReviewable wants something that can be looked at: a document that was
// written, a phase that was begun, or that its parts completed.
func checkReviewable(t task.Task, on task.BoardName) error {
	if uid, work := on.Phase(); work {
		if p, ok := t.Phase(uid); ok && p.Iteration == 0 && p.Status != task.PhaseInReview &&
			p.Status != task.PhaseCompleted {
			return wrongStatus(t, p, "there is nothing to review")
		}
		return nil
	}
	if task.ValidBoard(t, on) && !t.HasDoc(task.DocName(on)) {
		name := t.ShownBoard(on)
		return fmt.Errorf("%w: %s is not written yet; git brew doc set %s -", task.ErrNoDocument, name, name)
	}
	return nil
}

// workOfBoard counts what was worked on a phase: its iterations, and the fixes that were
// begun; of a final review, which is of everything, the iterations of all others, too.
func workOfBoard(t task.Task, n task.BoardName) int {
	uid, work := n.Phase()
	p := t.PhaseAt(uid)
	if !work || p == nil {
		return 0
	}
	count := p.Iteration
	f := reviewedBy(t, p)
	for i := range t.Phases {
		switch q := &t.Phases[i]; {
		case isFixOf(*q, uid) && q.Iteration > 0:
			count++
		case f != nil && !f.inFinalReview(q):
			count += q.Iteration
		}
	}
	return count
}

// SeenOn is the blob of the document that a board looks at, as payloads say what was seen;
// "" where it is on a phase's work, or the document is not known.
func SeenOn(t task.Task, on task.BoardName) string {
	if _, work := on.Phase(); work {
		return ""
	}
	return t.Docs[task.DocName(on)].OID
}

// boardOn is the board as it stands now. What was said of another text, or before the
// phase was worked on again, is not said of what there is. False: there is none yet,
// and this is how it begins.
func boardOn(t task.Task, n task.BoardName) (task.Board, bool) {
	now := task.Board{On: n, Round: 1, Work: workOfBoard(t, n), Text: SeenOn(t, n)}
	kept, there := task.KeptBoard(t, n)
	switch {
	case !there:
		return now, false
	case kept.Work == now.Work && !changedSince(t, kept):
		return kept, true
	}
	now.Round = kept.Round
	return now, true
}

// changedSince reports whether the document is another than the one that was looked at.
func changedSince(t task.Task, b task.Board) bool {
	text := SeenOn(t, b.On)
	return text != "" && text != b.Text
}

func (e *editor) setBoard(b task.Board) {
	e.t.Boards = slices.Clone(e.t.Boards)
	if i := slices.IndexFunc(e.t.Boards, func(o task.Board) bool { return o.On == b.On }); i >= 0 {
		e.t.Boards[i] = b
		return
	}
	e.t.Boards = append(e.t.Boards, b)
}
