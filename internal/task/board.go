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
	maxVoices     = 30 // reviewers on one board, or about one remark
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
func (t Task) validBoard(n BoardName) bool {
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
	case work && isNumber(p.ID):
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
	if uid, iteration, ofPhase := name.phase(); err == nil && (!ofPhase || iteration == 0 && uid != "") {
		return BoardName(name), nil
	}
	p, err := t.FindPhase(strings.TrimPrefix(arg, phasesDir))
	if err != nil {
		return "", fmt.Errorf("%w; a board is on a document (spec, plan, …) or on a phase", err)
	}
	return BoardOf(p.UID), nil
}

// Severity is how much hangs on a remark.
type Severity string

// The severities; the first two keep what they are about from being ready.
const (
	Critical Severity = "critical"
	Major    Severity = "major"
	Minor    Severity = "minor"
	Info     Severity = "info"
)

// Severities are those that reviewers choose from, the gravest first.
var Severities = []Severity{Critical, Major, Minor, Info}

var severityWords = []synonym[Severity]{
	{"blocker", Critical},
	{"high", Major},
	{"medium", Minor},
	{"low", Info},
	{"nit", Info},
}

// ParseSeverity reads a severity, in other reviewers' words too.
func ParseSeverity(s string) (Severity, error) {
	return parseWord("severity", s, Severities, severityWords)
}

// grave remarks keep what they are about from being ready.
func (s Severity) grave() bool { return s == Critical || s == Major }

// Ruling is what the user says of a remark (BC-19): it decides, whatever the
// reviewers said.
type Ruling string

// The rulings.
const (
	Accepted Ruling = "accepted"
	Rejected Ruling = "rejected"
)

// Board is a board's own state; its remarks are the task's.
type Board struct {
	On BoardName `json:"on"`
	// Round is from 1 to MaxRounds. A new one begins when what counted is
	// resolved, when the phase was worked on again, or when a document that
	// somebody has looked at is another.
	Round int `json:"round"`
	// Work tells, of a phase, which work the round is about, and Others of a final
	// review which of the others: see workOf.
	Work   int `json:"work,omitempty"`
	Others int `json:"others,omitempty"`
	// Text is the blob of the document that the round is about.
	Text string `json:"text,omitempty"`
	// Voices are who spoke in this round.
	Voices []Voice `json:"voices,omitempty"`
	// Waived: the user took it as it is, for this reason. A grave remark that is
	// made later opens it again.
	Waived *Waiver `json:"waived,omitempty"`
}

// Voice is a reviewer who spoke in the round; Ready: who had nothing grave to say.
type Voice struct {
	Reviewer string `json:"reviewer"`
	Seat     Seat   `json:"seat,omitempty"`
	Ready    bool   `json:"ready,omitempty"`
}

func (v Voice) by() Reviewer { return Reviewer{v.Reviewer, v.Seat} }

// placed is where a reviewer has spoken in the round, -1 where they have not.
func (b Board) placed(r Reviewer) int { return placed(b.Voices, r, Voice.by) }

// Waiver is the user's word on a whole board: it will do as it is.
type Waiver struct {
	Reason string `json:"reason,omitempty"`
	At     string `json:"at,omitempty"`
}

// Remark is what a reviewer found. Its number for people is its place in the
// task's list, from 1, as the fold gives it.
type Remark struct {
	UID      UID       `json:"uid"`
	On       BoardName `json:"on"`
	Round    int       `json:"round"` // in which it was made, or said to be there still
	Severity Severity  `json:"severity"`
	Text     string    `json:"text"`
	File     string    `json:"file,omitempty"`
	Line     int       `json:"line,omitempty"`
	At       string    `json:"at,omitempty"`
	// Votes are the reviewers', each with one; who made it is the first. The
	// user's own remark has none, and is accepted.
	Votes  []Vote `json:"votes,omitempty"`
	Ruling Ruling `json:"ruling,omitempty"`
	// Reason is why the user ruled so, or what was done about it.
	Reason   string `json:"reason,omitempty"`
	Resolved bool   `json:"resolved,omitempty"`
}

// Vote is a reviewer's: that the remark is right, or why it is not.
type Vote struct {
	Reviewer string `json:"reviewer"`
	Seat     Seat   `json:"seat,omitempty"`
	Against  string `json:"against,omitempty"`
}

func (v Vote) by() Reviewer { return Reviewer{v.Reviewer, v.Seat} }

// placed is where a reviewer's vote is, -1 for none.
func (r Remark) placed(who Reviewer) int { return placed(r.Votes, who, Vote.by) }

// Open: something is still to be done about it, or to be said.
func (r Remark) Open() bool { return !r.Resolved && r.Ruling != Rejected }

// For are the reviewers who made the remark or confirmed it.
func (r Remark) For() []string {
	var all []string
	for _, v := range r.Votes {
		if v.Against == "" {
			all = append(all, v.Reviewer)
		}
	}
	return all
}

// same reports whether two remarks say the same of the same.
func (r Remark) same(o Remark) bool {
	return r.On == o.On && r.Severity == o.Severity && r.File == o.File && r.Line == o.Line && wordsOf(r.Text) == wordsOf(o.Text)
}

// wordsOf is a text without what does not matter in it: its case, and how its words
// are apart. Only ASCII's are looked at: the fold may not depend on which Unicode a
// program was built with.
func wordsOf(s string) string {
	lower := func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}
	return strings.Join(strings.FieldsFunc(strings.Map(lower, s), func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }), " ")
}

// workOf counts what was worked on a phase: its iterations, and the fixes made
// for it; of a final review, which is of everything, the iterations of all others, too.
// What was said about an earlier count is not about what is there now.
func (t Task) workOf(n BoardName) (own, others int) {
	uid, work := n.phase()
	p := t.phaseAt(uid)
	if !work || p == nil {
		return 0, 0
	}
	own = p.Iteration
	f := t.reviewedBy(p)
	for i := range t.Phases {
		q := &t.Phases[i]
		switch {
		case q.fixOf(uid) && q.Iteration > 0:
			own++
		case f != nil && !f.inFinalReview(q):
			others += q.Iteration
		}
	}
	return own, others
}

// textOf is the blob of the document that a board looks at; "" where it is on a
// phase's work, or the document is not known.
func (t Task) textOf(n BoardName) string {
	if _, work := n.phase(); work {
		return ""
	}
	return t.Docs[DocName(n)].OID
}

// SeenOn is what a payload says about what its speaker has looked at.
func SeenOn(t Task, n BoardName) string { return t.textOf(n) }

// board is the board as it stands now: of a phase that was worked on since, or of
// a document that is another since, one where nobody has spoken yet. False: there
// is none yet, and this is how it begins.
func (t Task) board(n BoardName) (Board, bool) {
	now := Board{On: n, Round: 1, Text: t.textOf(n)}
	now.Work, now.Others = t.workOf(n)
	b, there := t.keptBoard(n)
	same := b.Work == now.Work && b.Others == now.Others
	switch {
	case !there:
		return now, false
	case same && !t.changedSince(b):
		return b, true
	}
	// What others worked is something else to look at, and no answer to what was said.
	// What is grave and open in a text is mended in its round, which ends as ever.
	now.Round = b.Round
	if b.spoken() && b.Others == now.Others && (b.Work != now.Work || !t.mending(b)) {
		now.Round = min(b.Round+1, MaxRounds)
	}
	return now, true
}

// mending: something grave that counts was found in the board's round, or before, and
// is open.
func (t Task) mending(b Board) bool {
	return slices.ContainsFunc(t.tally(b).Remarks, func(r TalliedRemark) bool { return r.Blocks && r.Round <= b.Round })
}

// keptBoard is the board as somebody spoke on it last.
func (t Task) keptBoard(n BoardName) (Board, bool) {
	i := slices.IndexFunc(t.Boards, func(b Board) bool { return b.On == n })
	if i < 0 {
		return Board{}, false
	}
	return t.Boards[i], true
}

// changedSince: the document is another than the one that was looked at.
func (t Task) changedSince(b Board) bool {
	text := t.textOf(b.On)
	return text != "" && text != b.Text
}

// spoken: somebody said something in the round, beyond remarks.
func (b Board) spoken() bool { return len(b.Voices) > 0 || b.Waived != nil }

// remark returns the remark named uid, and its number.
func (t Task) remark(uid UID) (Remark, int, error) {
	n := t.RemarkNumber(uid)
	if n == 0 {
		return Remark{}, 0, fmt.Errorf("%w: remark %q; see 'git brew remark list'", ErrNoEntry, clip(string(uid), maxName))
	}
	return t.Remarks[n-1], n, nil
}

// FindRemark finds the remark that a person means, by its number, also as #3, or
// by the beginning of its uid. Errors wrap ErrNoEntry.
func (t Task) FindRemark(arg string) (Remark, int, error) {
	i, ok := findNumbered(arg, "#", t.Remarks, func(r Remark) UID { return r.UID })
	if !ok {
		return Remark{}, 0, fmt.Errorf("%w: remark %q; see 'git brew remark list'", ErrNoEntry, clip(arg, maxName))
	}
	return t.Remarks[i], i + 1, nil
}

// RemarkNumber is the number that people see of a remark, 0 for none.
func (t Task) RemarkNumber(uid UID) int {
	return 1 + slices.IndexFunc(t.Remarks, func(r Remark) bool { return r.UID == uid })
}

// SameRemark finds the remark that a payload makes, or adds its vote to.
func (t Task) SameRemark(p RemarkAddPayload) (Remark, bool) {
	i := slices.IndexFunc(t.Remarks, p.remark().same)
	if i < 0 {
		return Remark{}, false
	}
	return t.Remarks[i], true
}

// minUID is how much of a uid has to be typed: less could be a number.
const minUID = 10

// findNumbered finds an entry by its number from 1, with or without a prefix in
// any case, or by the beginning of its uid, where that is one's alone.
func findNumbered[E any](arg, prefix string, all []E, uid func(E) UID) (int, bool) {
	number := arg
	if len(arg) > len(prefix) && strings.EqualFold(arg[:len(prefix)], prefix) {
		number = arg[len(prefix):]
	}
	if n := atoi(number); n > 0 && n <= len(all) {
		return n - 1, true
	}
	found := -1
	for i, e := range all {
		if len(arg) >= minUID && strings.HasPrefix(string(uid(e)), arg) {
			if found >= 0 {
				return -1, false
			}
			found = i
		}
	}
	return found, found >= 0
}

// atoi is the number that s is in decimal digits, 0 for none that is small.
func atoi(s string) int {
	if !isNumber(s) || len(s) > 6 {
		return 0
	}
	n := 0
	for _, c := range []byte(s) {
		n = 10*n + int(c-'0')
	}
	return n
}
