package task

import (
	"fmt"
	"slices"
	"strings"
)

// Deviation is what a reviewer says about work that was not as planned (SP-13).
type Deviation struct {
	// What is a path in the work tree, or the title of a task of the phase's plan.
	What   string `json:"what" is:"line"`
	Impact Impact `json:"impact" is:"impact"`
	Reason string `json:"reason,omitempty" is:"said"`
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
			return d, Check(d)
		}
	}
	return Deviation{}, Refuse(CodeInvalid, fmt.Sprintf("%q says no impact", Clip(s, MaxTitle)),
		"give PATH=low, PATH=medium or PATH=high, and behind a colon why")
}

// Rejection is the user's word that a phase is not done: no agent approves it before
// it was worked on again, whatever else is said of it meanwhile. It stays until the
// user takes it back; whether it still stands, StandingRejection says. A fix is a part
// of what it repairs: what is said of it stands in the way of that, too.
type Rejection struct {
	// N counts the user's rejections of a task, from 1.
	N int `json:"n"`
	// Of is what was rejected: the phase itself, or its verification.
	Of     UID    `json:"of" is:"uid"`
	Reason string `json:"reason" is:"reason"`
}
