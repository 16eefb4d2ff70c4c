package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// Bounds of decisions.
const (
	maxDecisions    = 500
	maxWhy          = 2048
	maxAlternatives = 10 // of one decision
)

// DecisionsFile is the view of a task's decisions in its tree: made from the
// state, and never read back.
const DecisionsFile = "decisions" + TextExt

// DecisionStatus is whether a decision holds (SP-15).
type DecisionStatus string

// The statuses of a decision.
const (
	DecisionActive     DecisionStatus = "active"
	DecisionSuperseded DecisionStatus = "superseded"
	DecisionRevoked    DecisionStatus = "revoked"
)

var decisionStatuses = []DecisionStatus{DecisionActive, DecisionSuperseded, DecisionRevoked}

// Decision is what was decided, and why. Its number for people, DEC-001, is its
// place in the task's list, as the fold gives it.
type Decision struct {
	UID      UID           `json:"uid"`
	Title    string        `json:"title"`
	Why      string        `json:"why,omitempty"`
	Rejected []Alternative `json:"rejected,omitempty"`
	// Phase is the one that it was made in, or is about.
	Phase  UID            `json:"phase,omitempty"`
	At     string         `json:"at,omitempty"`
	Status DecisionStatus `json:"status"`
	// By is the decision that took its place, Supersedes the one whose place it
	// took.
	By         UID `json:"by,omitempty"`
	Supersedes UID `json:"supersedes,omitempty"`
	// Reason is why it was revoked.
	Reason string `json:"reason,omitempty"`
}

// Alternative is what was not chosen, and why (BC-16).
type Alternative struct {
	What string `json:"what"`
	Why  string `json:"why,omitempty"`
}

// ParseAlternative reads "ALTERNATIVE: why".
func ParseAlternative(s string) Alternative {
	what, why, _ := strings.Cut(s, ": ")
	return Alternative{What: strings.TrimSpace(what), Why: strings.TrimSpace(why)}
}

// DecisionAddPayload is what OpDecisionAdd carries; the decision's UID is the
// operation's id.
type DecisionAddPayload struct {
	Title    string        `json:"title"`
	Why      string        `json:"why,omitempty"`
	Rejected []Alternative `json:"rejected,omitempty"`
	Phase    UID           `json:"phase,omitempty"`
	// Supersedes is the decision whose place it takes.
	Supersedes UID `json:"supersedes,omitempty"`
}

// DecisionRevokePayload is what OpDecisionRevoke carries.
type DecisionRevokePayload struct {
	Decision UID    `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

// valid reports whether a decision's texts can be kept.
func (d Decision) valid() bool {
	return oneLine(d.Title, MaxTitle) && paragraph(d.Why, maxWhy) && paragraph(d.Reason, maxSaid) && len(d.Rejected) <= maxAlternatives &&
		!slices.ContainsFunc(d.Rejected, func(a Alternative) bool { return !oneLine(a.What, MaxTitle) || !paragraph(a.Why, maxSaid) })
}

func validDecisions(t Task) bool {
	seen := map[UID]bool{}
	for _, d := range t.Decisions {
		if !d.UID.Valid() || seen[d.UID] || !d.valid() || !times(d.At) || !slices.Contains(decisionStatuses, d.Status) ||
			d.Phase != "" && t.phaseIndex(d.Phase) < 0 || d.By != "" && !d.By.Valid() || d.Supersedes != "" && !d.Supersedes.Valid() {
			return false
		}
		seen[d.UID] = true
	}
	return len(t.Decisions) <= maxDecisions
}

// ShownDecision is the name that people type for the decision at a place of the
// list.
func ShownDecision(i int) string { return fmt.Sprintf("DEC-%03d", i+1) }

// DecisionID is the name that people type for a decision, "" for none.
func (t Task) DecisionID(uid UID) string {
	if i := decisionIndex(t, uid); i >= 0 {
		return ShownDecision(i)
	}
	return ""
}

func decisionIndex(t Task, uid UID) int {
	return slices.IndexFunc(t.Decisions, func(d Decision) bool { return d.UID == uid })
}

// FindDecision finds the decision that a person means: DEC-001 in any case, its
// number, or the beginning of its uid. Errors wrap ErrNoEntry.
func (t Task) FindDecision(arg string) (Decision, error) {
	i, ok := findNumbered(arg, "DEC-", t.Decisions, func(d Decision) UID { return d.UID })
	if !ok {
		return Decision{}, fmt.Errorf("%w: decision %q; see 'git brew decision list --all'", ErrNoEntry, Clip(arg, MaxName))
	}
	return t.Decisions[i], nil
}

func addDecision(e *editor, op operation.Operation, p DecisionAddPayload) error {
	made := Decision{UID: op.ID, Title: p.Title, Why: p.Why, Rejected: p.Rejected, At: cleanTime(op.At), Status: DecisionActive}
	if err := checkTitle(p.Title); err != nil {
		return err
	}
	switch {
	case !op.ID.Valid(), decisionIndex(e.t, op.ID) >= 0:
		return Refuse(CodeTaken, "the decision has no id of its own", "")
	case len(p.Rejected) > maxAlternatives:
		return Refuse(CodeInvalid, fmt.Sprintf("a decision names at most %d alternatives", maxAlternatives), "name those that were close")
	case !made.valid():
		const bounds = "a reason is a plain text of at most %d bytes, an alternative one line of at most %d, its reason at most %d"
		return Refuse(CodeInvalid, fmt.Sprintf(bounds, maxWhy, MaxTitle, maxSaid), "shorten them")
	case len(e.t.Decisions) >= maxDecisions:
		return Refuse(CodeTaskState, fmt.Sprintf("the task has %d decisions, no more fit", len(e.t.Decisions)), "write the others into the spec")
	}
	if e.t.phaseIndex(p.Phase) >= 0 {
		made.Phase = p.Phase
	}
	all := slices.Clone(e.t.Decisions)
	// Of two that take one decision's place apart, both stay, and the first is
	// named there.
	if i := decisionIndex(e.t, p.Supersedes); i >= 0 {
		made.Supersedes = p.Supersedes
		if all[i].Status == DecisionActive {
			all[i].Status, all[i].By = DecisionSuperseded, op.ID
		}
	}
	e.t.Decisions = append(all, made)
	return nil
}

// askDecisionAdd wants what a decision names to be there, and to hold.
func askDecisionAdd(t Task, p DecisionAddPayload) error {
	if p.Phase != "" {
		if _, err := t.find(p.Phase); err != nil {
			return err
		}
	}
	if p.Supersedes == "" {
		return nil
	}
	return checkActive(t, p.Supersedes)
}

func revokeDecision(e *editor, _ operation.Operation, p DecisionRevokePayload) error {
	if err := cmp.Or(checkActive(e.t, p.Decision), checkSaid(p.Reason)); err != nil {
		return err
	}
	i := decisionIndex(e.t, p.Decision)
	e.t.Decisions = slices.Clone(e.t.Decisions)
	e.t.Decisions[i].Status, e.t.Decisions[i].Reason = DecisionRevoked, p.Reason
	return nil
}

func askDecisionRevoke(_ Task, p DecisionRevokePayload) error {
	if strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "revoking a decision needs a reason", "say why, with -m")
	}
	return nil
}

// checkActive wants a decision that holds.
func checkActive(t Task, uid UID) error {
	i := decisionIndex(t, uid)
	if i < 0 {
		return fmt.Errorf("%w: decision %q; see 'git brew decision list --all'", ErrNoEntry, Clip(string(uid), MaxName))
	}
	d := t.Decisions[i]
	if d.Status == DecisionActive {
		return nil
	}
	return Refuse(CodeTaskState, fmt.Sprintf("%s is %s", ShownDecision(i), decisionStanding(t, d)), "see 'git brew decision list --all'")
}

// decisionStanding is a decision's status, with what took its place.
func decisionStanding(t Task, d Decision) string {
	if by := t.DecisionID(d.By); d.Status == DecisionSuperseded && by != "" {
		return "superseded by " + by
	}
	return string(d.Status)
}
