package task

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of what reviewers say about a task.
const (
	maxRemarks    = 500
	maxBoards     = 100
	maxReviewers  = 30 // on one board, or about one remark
	maxRemarkText = 1000
	maxSaid       = 500        // bytes of a reason
	MaxLine       = 10_000_000 // that a remark can name
)

// MaxRounds is how often a board looks at the same thing before the user is asked
// what becomes of what is still open (BC-7).
const MaxRounds = 3

// BoardName names what a board of reviewers looks at: a document by its name, or
// a phase's work by "phases/<uid>". People type and see the phase's shown id.
type BoardName string

// BoardOf names the board on a phase's work.
func BoardOf(uid UID) BoardName { return BoardName(phasesDir + string(uid)) }

// phase is the phase that the board looks at, its work or its plan.
func (n BoardName) phase() (uid UID, work bool) {
	rest, ok := strings.CutPrefix(string(n), phasesDir)
	if !ok {
		return "", false
	}
	id, plan := strings.CutSuffix(rest, planName)
	return UID(id), !plan
}

// validBoard reports whether there can be a board of that name.
func validBoard(t Task, n BoardName) bool {
	if uid, _ := n.phase(); uid != "" {
		return t.phaseIndex(uid) >= 0
	}
	return slices.Contains(docNames, DocName(n))
}

// ShownBoard is the name that people type for a board: spec, FR, phases/2,
// phases/2/plan.
func (t Task) ShownBoard(n BoardName) string {
	uid, work := n.phase()
	p, ok := t.Phase(uid)
	switch {
	case !ok:
		return string(n)
	case work && IsNumber(p.ID):
		return phasesDir + p.ID // a number alone is a remark's
	case work:
		return p.ID
	}
	return t.ShownDoc(DocName(n))
}

// ParseBoard finds the board that a person means: a document, or a phase by its
// id, also as "phases/2". Errors wrap ErrNoDocument or ErrNoPhase.
func ParseBoard(t Task, arg string) (BoardName, error) {
	name, err := ParseDocName(t, arg)
	if uid, iteration, ofPhase := name.Phase(); err == nil && (!ofPhase || iteration == 0 && uid != "") {
		return BoardName(name), nil
	}
	p, err := t.FindPhase(strings.TrimPrefix(arg, phasesDir))
	if err != nil {
		return "", fmt.Errorf("%w; a board is on a document (spec, plan, …) or on a phase", err)
	}
	return BoardOf(p.UID), nil
}

// Board is a board's own state; its remarks are the task's.
type Board struct {
	On BoardName `json:"on"`
	// Round is from 1 to MaxRounds. One ends when the last grave remark that counts
	// is resolved.
	Round int `json:"round"`
	// Work and Text are what was looked at: see workOf and textOf.
	Work int    `json:"work,omitempty"`
	Text string `json:"text,omitempty"`
	// Reviewers are who spoke about that in this round.
	Reviewers []Ballot `json:"reviewers,omitempty"`
	// Waived: the user took it as it is, for this reason. A grave remark that is
	// made later opens it again.
	Waived *Waiver `json:"waived,omitempty"`
}

// Ballot is what a reviewer says of the whole; Ready: nothing grave.
type Ballot struct {
	Reviewer
	Ready bool `json:"ready"`
}

// Waiver is the user's word on a whole board: it will do as it is.
type Waiver struct {
	Reason string `json:"reason"`
	At     string `json:"at"`
}

// workOf counts what was worked on a phase: its iterations, and the fixes that were
// begun; of a final review, which is of everything, the iterations of all others, too.
func workOfBoard(t Task, n BoardName) int {
	uid, work := n.phase()
	p := t.phaseAt(uid)
	if !work || p == nil {
		return 0
	}
	count := p.Iteration
	f := reviewedBy(t, p)
	for i := range t.Phases {
		switch q := &t.Phases[i]; {
		case q.fixOf(uid) && q.Iteration > 0:
			count++
		case f != nil && !f.inFinalReview(q):
			count += q.Iteration
		}
	}
	return count
}

// textOf is the blob of the document that a board looks at; "" where it is on a
// phase's work, or the document is not known.
func reviewedText(t Task, n BoardName) string {
	if _, work := n.phase(); work {
		return ""
	}
	return t.Docs[DocName(n)].OID
}

// SeenOn is what a payload says about what its speaker has looked at.
func SeenOn(t Task, on BoardName) string { return reviewedText(t, on) }

// board is the board as it stands now. What was said of another text, or before the
// phase was worked on again, is not said of what there is. False: there is none yet,
// and this is how it begins.
func (t Task) board(n BoardName) (Board, bool) {
	now := Board{On: n, Round: 1, Work: workOfBoard(t, n), Text: reviewedText(t, n)}
	kept, there := keptBoard(t, n)
	switch {
	case !there:
		return now, false
	case kept.Work == now.Work && !changedSince(t, kept):
		return kept, true
	}
	now.Round = kept.Round
	return now, true
}

// keptBoard is the board as somebody spoke on it last.
func keptBoard(t Task, n BoardName) (Board, bool) {
	i := slices.IndexFunc(t.Boards, func(b Board) bool { return b.On == n })
	if i < 0 {
		return Board{}, false
	}
	return t.Boards[i], true
}

// changedSince reports whether the document is another than the one that was looked at.
func changedSince(t Task, b Board) bool {
	text := reviewedText(t, b.On)
	return text != "" && text != b.Text
}

// Boards are the boards that somebody has spoken on: documents first, then
// phases in their order.
func Boards(t Task) []BoardName {
	all := make([]BoardName, 0, len(t.Boards))
	for _, b := range t.Boards {
		all = append(all, b.On)
	}
	place := func(n BoardName) int {
		if uid, _ := n.phase(); uid != "" {
			return len(docNames) + t.phaseIndex(uid)
		}
		return slices.Index(docNames, DocName(n))
	}
	slices.SortStableFunc(all, func(a, b BoardName) int { return place(a) - place(b) })
	return all
}

func (e *editor) setBoard(b Board) {
	e.t.Boards = slices.Clone(e.t.Boards)
	if i := slices.IndexFunc(e.t.Boards, func(o Board) bool { return o.On == b.On }); i >= 0 {
		e.t.Boards[i] = b
		return
	}
	e.t.Boards = append(e.t.Boards, b)
}

func validBoards(t Task) bool {
	seen := map[BoardName]bool{}
	for _, b := range t.Boards {
		if !validBoard(t, b.On) || seen[b.On] || !validRound(b.Round) || b.Work < 0 || !emptyOrOID(b.Text) ||
			len(b.Reviewers) > maxReviewers || slices.ContainsFunc(b.Reviewers, func(b Ballot) bool { return !b.valid() }) ||
			b.Waived != nil && (!paragraph(b.Waived.Reason, maxSaid) || !times(b.Waived.At)) {
			return false
		}
		seen[b.On] = true
	}
	return len(t.Boards) <= maxBoards
}

func validRound(n int) bool { return n >= 1 && n <= MaxRounds }
