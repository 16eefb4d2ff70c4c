package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// quorum is a row of the table of boards: how many reviewers it takes, and how
// many of them have to agree.
type quorum struct {
	board string // what it is about, in words
	on    func(Task, BoardName) bool
	// seats is how many reviewers have to speak in a round, at least.
	seats int
	// votes is how many have to have made or confirmed a remark before it counts;
	// 0: the majority of those who spoke, as if every seat were taken.
	votes int
	// ready: as many have to say besides that it is ready; elsewhere it is enough
	// that nothing grave counts.
	ready bool
}

// quorums is the table of boards; the first row that fits counts. A plan that
// has no spec came from plan mode, where two reviewers look at it (BC-17).
func quorums() []quorum {
	return []quorum{
		{board: "the final review", on: Task.isFinalReview, seats: 3, ready: true},
		{board: "a plan made from a spec", on: Task.isPlanOfSpec, seats: 3, votes: 2},
		{board: "a plan from plan mode", on: Task.isPlan, seats: 2, votes: 2},
		{board: "the spec, another document, a phase", on: Task.validBoard, seats: 1, votes: 1},
	}
}

func (t Task) isFinalReview(n BoardName) bool {
	uid, work := n.phase()
	p, ok := t.Phase(uid)
	return ok && work && p.Kind == KindFinalReview
}

func (t Task) isPlan(n BoardName) bool { return n == BoardName(DocPlan) }

func (t Task) isPlanOfSpec(n BoardName) bool { return t.isPlan(n) && t.HasDoc(DocSpec) }

func (t Task) quorumOf(n BoardName) quorum {
	for _, q := range quorums() {
		if q.on(t, n) {
			return q
		}
	}
	return quorum{seats: 1, votes: 1}
}

// needs is how many votes it takes where that many spoke.
func (q quorum) needs(spoke int) int {
	if q.votes > 0 {
		return q.votes
	}
	return max(q.seats, spoke)/2 + 1
}

// Verdict is what a board comes to.
type Verdict string

// The verdicts.
const (
	VerdictReady   Verdict = "READY"
	VerdictReview  Verdict = "REVIEW"  // reviewers have to speak first
	VerdictChanges Verdict = "CHANGES" // grave remarks count and are open
	VerdictAsk     Verdict = "ASK"     // so they are after the last round: the user decides
)

// Tally is a board as people see it.
type Tally struct {
	Board
	Name  string // as people type it
	Seats int    // reviewers that have to speak
	Needs int    // votes that a remark needs to count
	// ReadyNeeds is how many have to say that it is ready; 0: nobody has to.
	ReadyNeeds int
	Remarks    []TalliedRemark
	Verdict    Verdict
	Why        string
	// Command is what is to be typed next; empty where it is ready.
	Command string
	// Changed: the document is another since somebody spoke about it.
	Changed bool
}

// TalliedRemark is a remark as the board sees it.
type TalliedRemark struct {
	Remark
	N      int  // its number for people
	Counts bool // enough reviewers agree, or the user accepted it
	Blocks bool // it keeps the board from being ready
}

// Ready is how many reviewers say that it is ready.
func (t Tally) Ready() int {
	n := 0
	for _, v := range t.Voices {
		if v.Ready {
			n++
		}
	}
	return n
}

// TallyOf counts what was said on a board.
func TallyOf(t Task, on BoardName) Tally {
	b, _ := t.board(on)
	out := t.tally(b)
	if kept, there := t.keptBoard(on); there && kept.spoken() && t.changedSince(kept) {
		out.Changed = true
		since := fmt.Sprintf("it changed since round %d looked at it", kept.Round)
		if t.tally(kept).Verdict == VerdictReady {
			since = "it changed since it was READY"
		}
		out.Why = since + "; " + out.Why
	}
	return out
}

// tally counts what was said on a board as it is given.
func (t Task) tally(b Board) Tally {
	on := b.On
	q := t.quorumOf(on)
	out := Tally{Board: b, Name: t.ShownBoard(on), Seats: q.seats, Needs: q.needs(len(b.Voices))}
	if q.ready {
		out.ReadyNeeds = out.Needs
	}
	for i, r := range t.Remarks {
		if r.On != on {
			continue
		}
		counts := r.Ruling == Accepted || r.Ruling != Rejected && len(r.For()) >= out.Needs
		out.Remarks = append(out.Remarks, TalliedRemark{Remark: r, N: i + 1, Counts: counts, Blocks: counts && r.Open() && r.Severity.grave()})
	}
	out.decide()
	return out
}

// decide gives the verdict.
func (t *Tally) decide() {
	var blocking, unruled []int
	for _, r := range t.Remarks {
		if r.Blocks {
			blocking = append(blocking, r.N)
			if r.Ruling == "" {
				unruled = append(unruled, r.N)
			}
		}
	}
	confirm := "git brew remark confirm " + t.Name + " --reviewer " + t.nextReviewer()
	switch {
	case t.Waived != nil:
		t.Verdict, t.Why = VerdictReady, "the user took it as it is"
		if t.Waived.Reason != "" {
			t.Why += ": " + t.Waived.Reason
		}
	case len(unruled) > 0 && t.Round >= MaxRounds:
		t.Verdict, t.Command = VerdictAsk, fmt.Sprintf("git brew remark confirm %d", unruled[0])
		t.Why = fmt.Sprintf("%d rounds are over and %s open: the user confirms or rejects each", MaxRounds, remarksAre(unruled))
	case len(blocking) > 0:
		t.Verdict, t.Command = VerdictChanges, fmt.Sprintf("git brew remark resolve %d", blocking[0])
		t.Why = remarksAre(blocking) + " open"
	case len(t.Voices) < t.Seats:
		t.Verdict, t.Command = VerdictReview, confirm
		t.Why = fmt.Sprintf("%d of %s spoke in round %d", len(t.Voices), reviewers(t.Seats), t.Round)
	case t.Ready() < t.ReadyNeeds:
		t.Verdict, t.Command = VerdictReview, confirm
		t.Why = fmt.Sprintf("%d of %s say that it is ready, %d have to", t.Ready(), reviewers(len(t.Voices)), t.ReadyNeeds)
	default:
		t.Verdict, t.Why = VerdictReady, "nothing grave that counts is open"
	}
}

// nextReviewer is a name that nobody has spoken under in this round.
func (t *Tally) nextReviewer() string {
	for n := len(t.Voices) + 1; ; n++ {
		name := "reviewer-" + strconv.Itoa(n)
		if !slices.ContainsFunc(t.Voices, func(v Voice) bool { return v.Reviewer == name }) {
			return name
		}
	}
}

func reviewers(n int) string { return counted(n, "reviewer") }

// counted is "1 remark", "2 remarks".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// remarksAre is "remark 2 is", "remarks 2, 5 are".
func remarksAre(numbers []int) string {
	const most = 5
	all := make([]string, 0, most+1)
	for _, n := range numbers[:min(len(numbers), most)] {
		all = append(all, strconv.Itoa(n))
	}
	if len(numbers) > most {
		all = append(all, "…")
	}
	if len(all) == 1 {
		return "remark " + all[0] + " is"
	}
	return "remarks " + strings.Join(all, ", ") + " are"
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

// CheckBoard says why what a board looks at is not ready: nil where it is, and,
// unless it must have one, where nobody opened a board.
func CheckBoard(t Task, on BoardName, must bool) error {
	if _, opened := t.board(on); !opened && !must {
		return nil
	}
	tally := TallyOf(t, on)
	if tally.Verdict == VerdictReady {
		return nil
	}
	what := tally.Name
	if uid, work := on.phase(); work && uid != "" {
		what = "phase " + what
	}
	hint := tally.Command
	if must && len(tally.Voices) == 0 && len(tally.Remarks) == 0 {
		hint += "; a person alone: git brew remark confirm " + tally.Name + " -m WHY"
	}
	return &RefusedError{
		Code: CodeBoard, Msg: fmt.Sprintf("%s is not READY: %s", what, tally.Why), Hint: hint + "; see 'git brew remark tally " + tally.Name + "'",
		Findings: blocking(tally),
	}
}

func blocking(t Tally) []string {
	var all []string
	for _, r := range t.Remarks {
		if r.Blocks {
			all = append(all, fmt.Sprintf("%d %s: %s", r.N, r.Severity, clip(strings.Join(strings.Fields(r.Text), " "), MaxTitle)))
		}
	}
	return all
}

// stageGates are the documents that have to be ready, where a board looks at
// them, before a task goes to a stage (BC-7, BC-17).
var stageGates = []struct {
	doc   DocName
	stage Stage
}{
	{DocSpec, StagePlan},
	{DocPlan, StageExecute},
}

// checkStageGates says why the task can't go on to a stage.
func checkStageGates(t Task, to Stage) error {
	for _, g := range stageGates {
		at := slices.Index(stages, g.stage)
		if slices.Index(stages, t.Stage) >= at || slices.Index(stages, to) < at {
			continue
		}
		if err := CheckBoard(t, BoardName(g.doc), false); err != nil {
			return err
		}
	}
	return nil
}

// checkFirstStart keeps the work from beginning on a plan that a board found
// wanting. Research goes on: a plan may need it.
func checkFirstStart(t Task, p Phase) error {
	if t.hasWork() || p.Kind == KindResearch {
		return nil
	}
	for _, g := range stageGates {
		if err := CheckBoard(t, BoardName(g.doc), false); err != nil {
			return err
		}
	}
	return nil
}
