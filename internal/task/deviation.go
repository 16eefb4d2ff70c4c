package task

import (
	"fmt"
	"slices"
	"strings"
)

// Deviation is what a reviewer says about work that was not as planned (SP-13).
type Deviation struct {
	// What is a path in the work tree, or the title of a task of the phase's plan.
	What   string `json:"what"`
	Impact Impact `json:"impact"`
	Reason string `json:"reason,omitempty"`
}

// Impact is how much a deviation matters.
type Impact string

// The impacts.
const (
	ImpactLow    Impact = "low"
	ImpactMedium Impact = "medium"
	ImpactHigh   Impact = "high"
)

// Impacts are those that a reviewer chooses from.
var Impacts = []Impact{ImpactLow, ImpactMedium, ImpactHigh}

// maxDeviations bounds what one review says.
const (
	maxDeviations = 200
	maxDeviates   = 1000 // bytes of a path, or a title
)

// ParseDeviation reads WHAT=IMPACT or WHAT=IMPACT:REASON. In WHAT there may be
// signs of equality, too: the first impact behind one counts.
func ParseDeviation(s string) (Deviation, error) {
	for i := range len(s) {
		if s[i] != '=' {
			continue
		}
		impact, reason, _ := strings.Cut(s[i+1:], ":")
		if slices.Contains(Impacts, Impact(strings.ToLower(impact))) {
			d := Deviation{What: s[:i], Impact: Impact(strings.ToLower(impact)), Reason: strings.TrimSpace(reason)}
			return d, checkDeviations([]Deviation{d})
		}
	}
	return Deviation{}, Refuse(CodeInvalid, fmt.Sprintf("%q says no impact", Clip(s, maxDeviates)), "give PATH=low, PATH=medium or PATH=high, and behind a colon why")
}

// validDeviations reports what can be kept: each is about something else.
func validDeviations(all []Deviation) bool {
	seen := map[string]bool{}
	return len(all) <= maxDeviations && !slices.ContainsFunc(all, func(d Deviation) bool {
		twice := seen[d.What]
		seen[d.What] = true
		return twice || !oneLine(d.What, maxDeviates) || !slices.Contains(Impacts, d.Impact) || !paragraph(d.Reason, maxSaid)
	})
}

func checkDeviations(all []Deviation) error {
	if validDeviations(all) {
		return nil
	}
	return Refuse(CodeInvalid, "what is said about deviations does not fit",
		fmt.Sprintf("each once, at most %d, with a plain reason of at most %d bytes", maxDeviations, maxSaid))
}

// deviates puts what a review says about deviations in the place of what the one
// before said.
func (e *editor) deviates(i int, all []Deviation) {
	if len(all)+len(e.t.Phases[i].Deviations) == 0 {
		return
	}
	e.phases()[i].Deviations = all
}
