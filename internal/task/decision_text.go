package task

import (
	"fmt"
	"strings"
)

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

// writeDecision writes the items of one decision.
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

// day is the date of a time, "" for none.
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
