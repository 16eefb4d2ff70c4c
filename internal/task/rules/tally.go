package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/task"
)

// quorum is how many reviewers a board takes, and how many of them have to agree.
type quorum struct {
	// speak is how many reviewers have to speak in a round, at least.
	speak int
	// votes is how many have to have made or confirmed a remark before it counts;
	// 0: the majority of those who spoke, as if as many as have to had spoken.
	votes int
	// ready: as many have to say besides that it is ready; elsewhere it is enough
	// that nothing grave counts.
	ready bool
}

// quorumOf is the quorum of a board. A plan that has no spec came from plan mode (BC-17).
func quorumOf(t task.Task, n task.BoardName) quorum {
	uid, work := n.Phase()
	p, _ := t.Phase(uid)
	plan := n == task.BoardName(task.DocPlan)
	switch {
	case work && p.Kind == task.KindFinalReview:
		return quorum{speak: 3, ready: true}
	case plan && t.HasDoc(task.DocSpec):
		return quorum{speak: 3, votes: 2}
	case plan:
		return quorum{speak: 2, votes: 2}
	}
	return quorum{speak: 1, votes: 1}
}

// needs is how many votes it takes where that many spoke.
func (q quorum) needs(spoke int) int {
	if q.votes > 0 {
		return q.votes
	}
	return max(q.speak, spoke)/2 + 1
}

// Verdict is what a board comes to.
type Verdict string

const (
	VerdictReady   Verdict = "READY"
	VerdictReview  Verdict = "REVIEW"  // reviewers have to speak first
	VerdictChanges Verdict = "CHANGES" // grave remarks count and are open
	VerdictAsk     Verdict = "ASK"     // so they are after the last round: the user decides
)

// Tally is a board as people and scripts see it.
type Tally struct {
	Board   string  `json:"board"` // as people type it
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why"`
	// Changed: the document is another since somebody spoke about it.
	Changed bool   `json:"changed"`
	Command string `json:"command"` // what is to be typed next; empty where it is ready
	Round   int    `json:"round"`
	Rounds  int    `json:"rounds"`
	// Quorum is how many reviewers have to speak, Needs how many votes make a remark
	// count, ReadyNeeds how many have to say that it is ready; 0: nobody has to.
	Quorum     int           `json:"quorum"`
	Needs      int           `json:"needs"`
	ReadyNeeds int           `json:"ready_needs"`
	Reviewers  []task.Ballot `json:"reviewers"`
	// Waived: the user took it as it is, for this reason.
	Waived  *task.Waiver    `json:"waived"`
	Remarks []TalliedRemark `json:"remarks"`
}

// TalliedRemark is a remark as the board sees it.
type TalliedRemark struct {
	N     int    `json:"n"`     // its number for people
	Board string `json:"board"` // as people type it
	State string `json:"state"` // open, resolved, rejected
	task.Remark
	Counts bool `json:"counts"` // enough reviewers agree, or the user accepted it
	Blocks bool `json:"blocks"` // it keeps the board from being ready
}

// asksUser reports whether a remark that is open in the last round waits for the user.
func (r TalliedRemark) asksUser() bool { return r.Blocks && r.Ruling == "" }

// blocking are the remarks that keep the board from being ready.
func (t Tally) blocking() []TalliedRemark {
	return slices.DeleteFunc(slices.Clone(t.Remarks), func(r TalliedRemark) bool { return !r.Blocks })
}

// Ready is how many reviewers say that it is ready.
func (t Tally) Ready() int {
	n := 0
	for _, b := range t.Reviewers {
		if b.Ready {
			n++
		}
	}
	return n
}

// Tallies counts what was said on all boards.
func Tallies(t task.Task) []Tally {
	all := []Tally{}
	for _, b := range t.Boards {
		all = append(all, TallyOf(t, b.On))
	}
	return all
}

// TallyOf counts what was said on a board.
func TallyOf(t task.Task, on task.BoardName) Tally {
	b, _ := boardOn(t, on)
	q := quorumOf(t, on)
	out := Tally{
		Board: t.ShownBoard(on), Round: b.Round, Rounds: task.MaxRounds, Quorum: q.speak, Needs: q.needs(len(b.Reviewers)),
		Reviewers: append([]task.Ballot{}, b.Reviewers...), Waived: b.Waived, Remarks: []TalliedRemark{},
	}
	if q.ready {
		out.ReadyNeeds = out.Needs
	}
	for i, r := range t.Remarks {
		if r.On == on {
			counts := r.Ruling == task.Accepted || r.Ruling != task.Rejected && len(r.For()) >= out.Needs
			out.Remarks = append(out.Remarks, TalliedRemark{
				N: i + 1, Board: out.Board, State: r.State(), Remark: r, Counts: counts,
				Blocks: counts && r.Open() && r.Severity.Grave(),
			})
		}
	}
	out.decide()
	if kept, there := task.KeptBoard(t, on); there && (len(kept.Reviewers) > 0 || kept.Waived != nil) &&
		changedSince(t, kept) {
		out.Changed = true
		out.Why = "it changed since it was looked at; " + out.Why
	}
	return out
}

// decide gives the verdict.
func (t *Tally) decide() {
	blocking := t.blocking()
	unruled := slices.DeleteFunc(slices.Clone(blocking), func(r TalliedRemark) bool { return !r.asksUser() })
	confirm := "git brew remark confirm " + t.Board + " --reviewer " + t.nextReviewer()
	switch {
	case t.Waived != nil:
		t.Verdict, t.Why = VerdictReady, task.WithReason("the user took it as it is", t.Waived.Reason)
	case len(unruled) > 0 && t.Round >= task.MaxRounds:
		t.Verdict, t.Command = VerdictAsk, fmt.Sprintf("git brew remark confirm %d", unruled[0].N)
		t.Why = fmt.Sprintf("%d rounds are over and %s open: the user confirms or rejects each", task.MaxRounds,
			remarksAre(unruled))
	case len(blocking) > 0:
		t.Verdict, t.Command = VerdictChanges, fmt.Sprintf("git brew remark resolve %d", blocking[0].N)
		t.Why = remarksAre(blocking) + " open"
	case len(t.Reviewers) < t.Quorum:
		t.Verdict, t.Command = VerdictReview, confirm
		t.Why = fmt.Sprintf("%d of %s spoke in round %d", len(t.Reviewers), task.Counted(t.Quorum, "reviewer"), t.Round)
	case t.Ready() < t.ReadyNeeds:
		t.Verdict, t.Command = VerdictReview, confirm
		t.Why = fmt.Sprintf("%d of %s say that it is ready, %d have to", t.Ready(),
			task.Counted(len(t.Reviewers), "reviewer"), t.ReadyNeeds)
	default:
		t.Verdict, t.Why = VerdictReady, "nothing grave that counts is open"
	}
}

// nextReviewer is a name that nobody has spoken under in this round: that of git brew's own
// agent, then with numbers.
func (t *Tally) nextReviewer() string {
	for n := 1; ; n++ {
		name := "reviewer"
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		if !slices.ContainsFunc(t.Reviewers, func(b task.Ballot) bool { return b.Name == name }) {
			return name
		}
	}
}

// remarksAre is "remark 2 is", "3 remarks are".
func remarksAre(all []TalliedRemark) string {
	if len(all) == 1 {
		return fmt.Sprintf("remark %d is", all[0].N)
	}
	return task.Counted(len(all), "remark") + " are"
}
