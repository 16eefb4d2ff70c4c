package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

func readySpeaker(p task.BoardReadyPayload) speaker {
	return speaker{task.Reviewer{Name: p.Reviewer, Voter: p.Voter}, p.Seen}
}

// askBoardReady wants something that can be looked at, names that tell people from
// agents, and the user's reason where reviewers see it otherwise.
func askBoardReady(t task.Task, p task.BoardReadyPayload) error {
	if err := cmp.Or(checkReviewable(t, p.On), checkVoterName(t, readySpeaker(p).Reviewer)); err != nil {
		return err
	}
	if p.Reviewer == "" && strings.TrimSpace(p.Reason) == "" && TallyOf(t, p.On).Verdict != VerdictReady {
		return task.Refuse(task.CodeInvalid, "to take what its board has not found ready needs a reason",
			"say why, with -m; a reviewer gives a name, with --reviewer")
	}
	return nil
}

func takeBoard(e *editor, p task.BoardReadyPayload) error {
	switch err := checkSpeaker(e.t, e.op, p.On, readySpeaker(p).Reviewer); {
	case err != nil:
		return err
	case !sees(e.t, p.On, p.Seen):
		return task.Refuse(task.CodeTaken, e.t.ShownBoard(p.On)+" was changed meanwhile", "look at what there is now")
	case p.Reviewer != "":
		e.speak(p.On, readySpeaker(p), ready)
		return nil
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

// sees reports whether what a speaker has looked at is what there is. Who does not say
// what that was is believed.
func sees(t task.Task, on task.BoardName, seen string) bool {
	return seen == "" || seen == reviewedText(t, on)
}

// speak notes that a reviewer spoke on a board, and opens it where it is new. The user
// has no place on it, nor has who looked at another text.
func (e *editor) speak(on task.BoardName, who speaker, said spoken) {
	b, there := boardOn(e.t, on)
	if who.Name != "" && sees(e.t, on, who.seen) {
		b.Reviewers = slices.Clone(b.Reviewers)
		i := placed(b.Reviewers, who.Reviewer, ballotBy)
		if i < 0 {
			i = len(b.Reviewers)
			b.Reviewers = append(b.Reviewers, task.Ballot{Reviewer: who.Reviewer})
		}
		if said != heard {
			b.Reviewers[i].Ready = said == ready
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

// reviewedText is the blob of the document that a board looks at; "" where it is on a
// phase's work, or the document is not known.
func reviewedText(t task.Task, n task.BoardName) string {
	if _, work := n.Phase(); work {
		return ""
	}
	return t.Docs[task.DocName(n)].OID
}

// SeenOn is what a payload says about what its speaker has looked at.
func SeenOn(t task.Task, on task.BoardName) string { return reviewedText(t, on) }

// boardOn is the board as it stands now. What was said of another text, or before the
// phase was worked on again, is not said of what there is. False: there is none yet,
// and this is how it begins.
func boardOn(t task.Task, n task.BoardName) (task.Board, bool) {
	now := task.Board{On: n, Round: 1, Work: workOfBoard(t, n), Text: reviewedText(t, n)}
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
	text := reviewedText(t, b.On)
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
