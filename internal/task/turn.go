package task

import "slices"

// RunWorker is the name that 'git brew run' claims phases under.
const RunWorker = "run"

// RunPrefix begins the names of sessions that are runs.
const RunPrefix = "run-"

// ForWorkers reports a phase that 'git brew run' can do. What verifies or reviews others' work,
// promises reports, or is completed by a verification, is for people and their agents.
func (t Task) ForWorkers(p Phase) bool {
	return p.Kind != KindVerification && p.Kind != KindFinalReview && len(p.Agents) == 0 &&
		len(t.Children(p.UID, KindVerification)) == 0
}

// WithWorkers reports a phase that 'git brew run' has begun.
func (t Task) WithWorkers(p Phase) bool {
	return p.Claim.Worker == RunWorker && p.Review != ReviewChanges && t.ForWorkers(p) &&
		(p.Status == PhaseInProgress || p.Status == PhaseInReview)
}

// TurnPayload is what OpPhaseTurn carries: a worker that 'git brew run' started on a phase
// has ended, or what was done about its work: checks, a review, a decision, a look at the whole.
type TurnPayload struct {
	Phase     UID `json:"phase"`
	Iteration int `json:"iteration"`
	Turn
}

// Turn is one run of a worker on a phase, or what was done about its work.
type Turn struct {
	At string `json:"at,omitempty" is:"time"` // in a state only
	// By is who was at work: a tier's worker, or the runner's own checks; or at what an executive was.
	By TurnBy `json:"by" is:"turn by"`
	// Client is the program that it was.
	Client string `json:"client,omitempty" is:"name"`
	// Outcome is how it came out, Reason why, in a sentence.
	Outcome TurnOutcome `json:"outcome" is:"outcome of a turn"`
	Reason  string      `json:"reason,omitempty" is:"reason"`
	// Commit is the work that it left, on the phase's own branch.
	Commit string `json:"commit,omitempty" is:"oid"`
	// Until is when a worker of this client may begin again, after a limit.
	Until string `json:"until,omitempty" is:"time"`
	Cost
}

// Cost is what turns took: MS is time, in milliseconds, Input and Output are tokens, and
// MicroUSD is money, in millionths of a dollar.
type Cost struct {
	MS       int64 `json:"ms,omitempty"`
	Input    int64 `json:"input_tokens,omitempty"`
	Output   int64 `json:"output_tokens,omitempty"`
	MicroUSD int64 `json:"micro_usd,omitempty"`
}

// Plus is the sum of two costs.
func (c Cost) Plus(d Cost) Cost {
	return Cost{c.MS + d.MS, c.Input + d.Input, c.Output + d.Output, c.MicroUSD + d.MicroUSD}
}

// maxCost bounds each number of a cost, so that no sum of them overflows.
const maxCost = 1 << 40

// Valid reports whether no number of the cost is negative, or beyond all that a turn costs.
func (c Cost) Valid() bool {
	return min(c.MS, c.Input, c.Output, c.MicroUSD) >= 0 && max(c.MS, c.Input, c.Output, c.MicroUSD) <= maxCost
}

// TurnBy says who was at work in a turn.
type TurnBy string

// Who can be at work. ByChecks: nobody was; the runner checked what was done.
const (
	ByJunior           = TurnBy(TierJunior)
	BySenior           = TurnBy(TierSenior)
	ByExecutive        = TurnBy(TierExecutive)
	ByChecks    TurnBy = "checks"
	// What else an executive does: it reviews a phase's work, decides on a phase that would fail,
	// or looks at the task as a whole once this phase is completed.
	ByReview   TurnBy = "review"
	ByDecision TurnBy = "decision"
	ByLook     TurnBy = "look"
	// BySupervisor: a program that watches the run decided.
	BySupervisor TurnBy = "supervisor"
	// ByPerson: somebody reset the phase, and said why.
	ByPerson TurnBy = "person"
)

// Worker reports that a worker was at work on the phase.
func (b TurnBy) Worker() bool { return b == ByJunior || b == BySenior || b == ByExecutive }

// TurnOutcome is how a turn came out.
type TurnOutcome string

// The outcomes: what a worker said of its work, or what became of that.
const (
	TurnComplete    TurnOutcome = "complete"     // it says that the work is done
	TurnAlreadyDone TurnOutcome = "already_done" // it says that earlier work did it
	TurnAbsorbed    TurnOutcome = "absorbed"     // it says that another phase's work did it
	TurnBlocked     TurnOutcome = "blocked"      // it says that it can't go on
	TurnSilent      TurnOutcome = "silent"       // it did not say how its work stands
	TurnFailed      TurnOutcome = "failed"       // it ended with an error, or was ended
	TurnLimited     TurnOutcome = "limited"      // its account's limit was reached
	TurnStopped     TurnOutcome = "stopped"      // the run was interrupted
	TurnRejected    TurnOutcome = "rejected"     // what it says is done is not proved
	TurnConflict    TurnOutcome = "conflict"     // its work does not merge
	TurnPassed      TurnOutcome = "passed"       // a review passed it
	TurnRetried     TurnOutcome = "retried"      // it was decided to try it again, its attempts begin anew
	TurnPaused      TurnOutcome = "paused"       // it was decided to pause the task, its attempts begin anew
	TurnSkipped     TurnOutcome = "skipped"      // it was decided to leave it failed
	TurnOnTrack     TurnOutcome = "on_track"     // with it done, the work as a whole is on its way
	TurnConcerns    TurnOutcome = "concerns"     // somebody should look at the work as a whole
	TurnRemediated  TurnOutcome = "remediated"   // phases were added to put the whole right
)

// MaxTurns is how many turns of a phase its state keeps, the last ones. The cost of all is
// summed up.
const MaxTurns = 60

// Attempts counts the turns since the phase came to its tier that did not succeed.
func (p Phase) Attempts() (n int) {
	for _, turn := range p.Turns[min(p.TierSince, len(p.Turns)):] {
		if turn.Outcome == TurnSilent || turn.Outcome == TurnFailed || turn.Outcome == TurnRejected {
			n++
		}
	}
	return n
}

// Reviewed reports that a review of workers' work passed.
func (p Phase) Reviewed() bool {
	return slices.ContainsFunc(p.Turns, func(turn Turn) bool { return turn.By == ByReview && turn.Outcome == TurnPassed })
}

// LastTurn is the turn about this phase that ended last; the zero value for none.
func (p Phase) LastTurn() Turn {
	for _, turn := range slices.Backward(p.Turns) {
		if turn.By != ByLook {
			return turn
		}
	}
	return Turn{}
}
