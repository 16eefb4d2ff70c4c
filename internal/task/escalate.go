package task

// Escalation is a step up a ladder for a phase that did not succeed as it was.
type Escalation struct {
	UID    UID              `json:"uid" is:"uid"` // the operation that recorded it
	At     string           `json:"at" is:"time"`
	Action EscalationAction `json:"action" is:"action"`
	Ladder LadderName       `json:"ladder" is:"ladder"`
	// Attempts is how often work on the phase had begun by then, fixes counted.
	Attempts int    `json:"attempts"`
	Reason   string `json:"reason,omitempty" is:"reason"`
	// Agreed are the agents that wanted it.
	Agreed []string `json:"agreed,omitempty" is:"name" len:"1000"`
}

// MaxEscalations bounds those of one phase.
const MaxEscalations = 100

// Escalatable reports whether p is work that is not done: fixes and verifications
// are parts of other phases' work.
func (p Phase) Escalatable() bool {
	return p.Kind != KindFix && p.Kind != KindVerification && !p.Status.Over()
}

// EscalationAction is what is done about a phase that does not succeed.
type EscalationAction string

// The actions. The task waits for a person after ActionAsk.
const (
	ActionResearch EscalationAction = "research"
	ActionSplit    EscalationAction = "split"
	ActionUpgrade  EscalationAction = "upgrade"
	ActionReassign EscalationAction = "reassign"
	ActionAsk      EscalationAction = "ask"
)

// LadderName names a ladder.
type LadderName string

// The ladders.
const (
	LadderBrew    LadderName = "brew"
	LadderKitchen LadderName = "kitchen"
)

// Above is the tier that an upgrade leads to, "" for none.
func (t Tier) Above() Tier {
	switch t {
	case TierJunior:
		return TierSenior
	case TierSenior, TierAuto:
		return TierExecutive
	case TierExecutive:
	}
	return ""
}
