package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// What is said on boards is open to everybody, so nothing of it ever takes back
// what a holder did: a board keeps what comes next from being made (see
// CheckBoard), and the fold never asks it.

// BoardReadyPayload is what OpBoardReady carries: a reviewer has nothing grave to
// say, or, without a reviewer, the user takes it as it is.
type BoardReadyPayload struct {
	On       BoardName `json:"on"`
	Reviewer string    `json:"reviewer,omitempty"`
	Voter    VoterID   `json:"voter,omitempty"`
	// Seen is the blob of the document that was looked at: whoever has seen another
	// than there is, after a merge, has not spoken about this one.
	Seen   string `json:"seen,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func (p BoardReadyPayload) speaker() speaker {
	return speaker{Reviewer{p.Reviewer, p.Voter}, p.Seen}
}

// askBoardReady wants something that can be looked at, names that tell people from
// agents, and the user's reason where reviewers see it otherwise.
func askBoardReady(t Task, p BoardReadyPayload) error {
	if err := cmp.Or(checkReviewable(t, p.On), checkVoterName(t, p.speaker().Reviewer)); err != nil {
		return err
	}
	if p.Reviewer == "" && strings.TrimSpace(p.Reason) == "" && TallyOf(t, p.On).Verdict != VerdictReady {
		return Refuse(CodeInvalid, "to take what its board has not found ready needs a reason",
			"say why, with -m; a reviewer gives a name, with --reviewer")
	}
	return nil
}

func takeBoard(e *editor, op operation.Operation, p BoardReadyPayload) error {
	switch err := cmp.Or(checkSpeaker(e.t, op, p.On, p.speaker().Reviewer), checkSaid(p.Reason)); {
	case err != nil:
		return err
	case !sees(e.t, p.On, p.Seen):
		return Refuse(CodeTaken, e.t.ShownBoard(p.On)+" was changed meanwhile", "look at what there is now")
	case p.Reviewer != "":
		e.speak(p.On, p.speaker(), ready)
		return nil
	}
	b, _ := e.t.board(p.On)
	b.Waived = &Waiver{Reason: p.Reason, At: cleanTime(op.At)}
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
func sees(t Task, on BoardName, seen string) bool { return seen == "" || seen == reviewedText(t, on) }

// speak notes that a reviewer spoke on a board, and opens it where it is new. The user
// has no place on it, nor has who looked at another text.
func (e *editor) speak(on BoardName, who speaker, said spoken) {
	b, there := e.t.board(on)
	if who.Name != "" && sees(e.t, on, who.seen) {
		b.Reviewers = slices.Clone(b.Reviewers)
		i := placed(b.Reviewers, who.Reviewer, Ballot.by)
		if i < 0 {
			i = len(b.Reviewers)
			b.Reviewers = append(b.Reviewers, Ballot{Reviewer: who.Reviewer})
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
func checkReviewable(t Task, on BoardName) error {
	if uid, work := on.phase(); work {
		if p, ok := t.Phase(uid); ok && p.Iteration == 0 && p.Status != PhaseInReview && p.Status != PhaseCompleted {
			return Refuse(CodeTransition, fmt.Sprintf("phase %s is %s: there is nothing to review", p.ID, p.Status), nextHint(t, p))
		}
		return nil
	}
	if validBoard(t, on) && !t.HasDoc(DocName(on)) {
		name := t.ShownBoard(on)
		return fmt.Errorf("%w: %s is not written yet; git brew doc set %s -", ErrNoDocument, name, name)
	}
	return nil
}

func checkSaid(s string) error {
	if paragraph(s, maxSaid) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("the reason is no plain text of at most %d bytes", maxSaid), "shorten it")
}
