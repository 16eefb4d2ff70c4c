package task

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of what reviewers say about a task.
const (
	MaxRemarks    = 500
	MaxBoards     = 100
	MaxReviewers  = 30 // on one board, or about one remark
	MaxRemarkText = 1000
	MaxSaid       = 500        // bytes of a reason
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

// Phase is the phase that the board looks at, its work or its plan.
func (n BoardName) Phase() (uid UID, work bool) {
	rest, ok := strings.CutPrefix(string(n), phasesDir)
	if !ok {
		return "", false
	}
	id, plan := strings.CutSuffix(rest, planName)
	return UID(id), !plan
}

// ValidBoard reports whether there can be a board of that name.
func ValidBoard(t Task, n BoardName) bool {
	if uid, _ := n.Phase(); uid != "" {
		return t.PhaseIndex(uid) >= 0
	}
	return slices.Contains(docNames, DocName(n))
}

// ShownBoard is the name that people type for a board: spec, FR, phases/2,
// phases/2/plan.
func (t Task) ShownBoard(n BoardName) string {
	uid, work := n.Phase()
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
	Round int `json:"round" len:"3"`
	// Work and Text are what was looked at.
	Work int    `json:"work,omitempty"`
	Text string `json:"text,omitempty" is:"oid"`
	// Reviewers are who spoke about that in this round.
	Reviewers []Ballot `json:"reviewers,omitempty" len:"30"`
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
	Reason string `json:"reason" is:"said"`
	At     string `json:"at" is:"time"`
}

// KeptBoard is the board as somebody spoke on it last.
func KeptBoard(t Task, n BoardName) (Board, bool) {
	i := boardIndex(t, n)
	if i < 0 {
		return Board{}, false
	}
	return t.Boards[i], true
}

func boardIndex(t Task, n BoardName) int {
	return slices.IndexFunc(t.Boards, func(b Board) bool { return b.On == n })
}

// VoterID is whose vote it is, whatever name it is given under: an agent's session
// ("s1"), or an agent that this one started ("s1/reviewer"). Empty: a person's, who is
// known by the name alone.
type VoterID string

func (v VoterID) Valid() bool {
	session, agent, of := strings.Cut(string(v), "/")
	return v == "" || safeSession(session) && (!of || ValidName(agent))
}

// Reviewer is who speaks on a board; without a name it is the user.
type Reviewer struct {
	Name  string  `json:"name" is:"name"`
	Voter VoterID `json:"voter,omitempty" is:"voter"`
}
