package rules

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

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
