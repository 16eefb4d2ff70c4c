package task

import (
	"fmt"
	"slices"
	"strings"
)

// MaxDecisions bounds those of one task.
const MaxDecisions = 500

// DecisionsFile is the view of a task's decisions in its tree: made from the
// state, and never read back.
const DecisionsFile = "decisions" + TextExt

// DecisionStatus is whether a decision holds (SP-15).
type DecisionStatus string

const (
	DecisionActive     DecisionStatus = "active"
	DecisionSuperseded DecisionStatus = "superseded"
	DecisionRevoked    DecisionStatus = "revoked"
)

// Decision is what was decided, and why. Its number for people, DEC-001, is its
// place in the task's list, as the fold gives it.
type Decision struct {
	UID      UID           `json:"uid" is:"uid"`
	Title    string        `json:"title" is:"title"`
	Why      string        `json:"why,omitempty" is:"item"`
	Rejected []Alternative `json:"rejected,omitempty" len:"10"`
	// Phase is the one that it was made in, or is about.
	Phase  UID            `json:"phase,omitempty" is:"uid"`
	At     string         `json:"at,omitempty" is:"time"`
	Status DecisionStatus `json:"status" is:"status of a decision"`
	// By is the decision that took its place, Supersedes the one whose place it
	// took.
	By         UID `json:"by,omitempty" is:"uid"`
	Supersedes UID `json:"supersedes,omitempty" is:"uid"`
	// Reason is why it was revoked.
	Reason string `json:"reason,omitempty" is:"said"`
}

// Alternative is what was not chosen, and why (BC-16).
type Alternative struct {
	What string `json:"what" is:"title"`
	Why  string `json:"why,omitempty" is:"said"`
}

// ShownDecision is the name that people type for the decision at a place of the
// list.
func ShownDecision(i int) string { return fmt.Sprintf("DEC-%03d", i+1) }

// DecisionID is the name that people type for a decision, "" for none.
func (t Task) DecisionID(uid UID) string {
	if i := DecisionIndex(t, uid); i >= 0 {
		return ShownDecision(i)
	}
	return ""
}

func DecisionIndex(t Task, uid UID) int {
	return slices.IndexFunc(t.Decisions, func(d Decision) bool { return d.UID == uid })
}

// FindDecision finds the decision that a person means: DEC-001 in any case, or
// its number. Errors wrap ErrNoEntry.
func (t Task) FindDecision(arg string) (Decision, error) {
	i := placeOf(arg, "DEC-", len(t.Decisions))
	if i < 0 {
		return Decision{}, fmt.Errorf("%w: decision %q; see 'git brew decision list --all'", ErrNoEntry, Clip(arg, MaxName))
	}
	return t.Decisions[i], nil
}

// DecisionStanding is a decision's status, with what took its place.
func DecisionStanding(t Task, d Decision) string {
	if by := t.DecisionID(d.By); d.Status == DecisionSuperseded && by != "" {
		return "superseded by " + by
	}
	return string(d.Status)
}

// DecisionsText is the text of decisions.md, nil for no decisions: the log of
// them, then each with its reasons (SP-15, BC-16). It stands in the task's tree,
// so its bytes are part of the format: they follow from the state alone.
func DecisionsText(t Task) []byte {
	if len(t.Decisions) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("# Decisions\n\n| # | date | decision | status |\n|---|---|---|---|\n")
	active := 0
	for i, d := range t.Decisions {
		if d.Status == DecisionActive {
			active++
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", ShownDecision(i), day(d.At), cell(d.Title), DecisionStanding(t, d))
	}
	fmt.Fprintf(&b, "\n%d recorded, %d active.\n", len(t.Decisions), active)
	for i, d := range t.Decisions {
		fmt.Fprintf(&b, "\n## %s: %s\n\n", ShownDecision(i), Inline(d.Title))
		writeDecision(&b, t, d)
	}
	return []byte(b.String())
}

func writeDecision(b *strings.Builder, t Task, d Decision) {
	fmt.Fprintf(b, "- Status: %s\n", DecisionStanding(t, d))
	for _, item := range [][2]string{
		{"Revoked because", d.Reason},
		{"Instead of", t.DecisionID(d.Supersedes)},
		{"Phase", decisionPhase(t, d)},
		{"Why", d.Why},
	} {
		if item[1] != "" {
			fmt.Fprintf(b, "- %s: %s\n", item[0], Inline(item[1]))
		}
	}
	for _, a := range d.Rejected {
		fmt.Fprintf(b, "- Rejected: %s", Inline(a.What))
		if a.Why != "" {
			fmt.Fprintf(b, ", because %s", Inline(a.Why))
		}
		b.WriteString("\n")
	}
}

func decisionPhase(t Task, d Decision) string {
	p, ok := t.Phase(d.Phase)
	if !ok {
		return ""
	}
	return p.ID + " " + p.Title
}

func day(at string) string {
	const length = len("2006-01-02")
	if len(at) < length {
		return ""
	}
	return at[:length]
}

// Decided is what a session is told of a task's decisions.
type Decided struct {
	Active int `json:"active,omitempty"`
	// Newest are the newest that hold, the last one first.
	Newest []DecidedTitle `json:"newest,omitempty"`
}

// DecidedTitle is a decision in a line.
type DecidedTitle struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// MaxDecided is how many decisions a session is told of.
const MaxDecided = 3

// DecidedOf counts the decisions that hold, and takes the newest.
func DecidedOf(t Task) Decided {
	var out Decided
	for i := len(t.Decisions) - 1; i >= 0; i-- {
		d := t.Decisions[i]
		if d.Status != DecisionActive {
			continue
		}
		out.Active++
		if len(out.Newest) < MaxDecided {
			out.Newest = append(out.Newest, DecidedTitle{ID: ShownDecision(i), Title: d.Title})
		}
	}
	return out
}
