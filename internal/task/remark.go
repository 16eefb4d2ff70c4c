package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Severity is how much hangs on a remark.
type Severity string

// The severities; the first two keep what they are about from being ready.
const (
	Critical Severity = "critical"
	Major    Severity = "major"
	Minor    Severity = "minor"
	Info     Severity = "info"
)

// Grave remarks keep what they are about from being ready.
func (s Severity) Grave() bool { return s == Critical || s == Major }

// Ruling is what the user says of a remark (BC-19): it decides, whatever the
// reviewers said.
type Ruling string

const (
	Accepted Ruling = "accepted"
	Rejected Ruling = "rejected"
)

// Remark is what a reviewer found. Its number for people is its place in the
// task's list, from 1, as the fold gives it.
type Remark struct {
	UID      UID       `json:"uid" is:"uid"`
	On       BoardName `json:"on"`
	Round    int       `json:"round" len:"3"` // in which it was made, or said to be there still
	Severity Severity  `json:"severity" is:"severity"`
	Text     string    `json:"text" is:"remark"`
	File     string    `json:"file" is:"file"`
	Line     int       `json:"line" len:"10000000"`
	At       string    `json:"at" is:"time"`
	// Votes are the reviewers', each with one; who made it is the first. The
	// user's own remark has none, and is accepted.
	Votes  []Vote `json:"votes" len:"30"`
	Ruling Ruling `json:"ruling" is:"ruling"`
	// Reason is why the user ruled so, or what was done about it.
	Reason   string `json:"reason" is:"said"`
	Resolved bool   `json:"resolved"`
}

// Vote is a reviewer's: that the remark is right, or why it is not.
type Vote struct {
	Reviewer
	Confirms bool   `json:"confirms"`
	Reason   string `json:"reason,omitempty" is:"said"`
}

// State is what people see of a remark: open, resolved or rejected.
func (r Remark) State() string {
	switch {
	case r.Resolved:
		return "resolved"
	case r.Ruling == Rejected:
		return "rejected"
	}
	return "open"
}

// Open: something is still to be done about it, or to be said.
func (r Remark) Open() bool { return r.State() == "open" }

// For are the reviewers who made the remark or confirmed it.
func (r Remark) For() []string {
	var all []string
	for _, v := range r.Votes {
		if v.Confirms {
			all = append(all, v.Name)
		}
	}
	return all
}

// RemarkOf returns the remark named uid, and its number.
func RemarkOf(t Task, uid UID) (Remark, int, error) {
	n := t.RemarkNumber(uid)
	if n == 0 {
		return Remark{}, 0, noRemark(t, string(uid))
	}
	return t.Remarks[n-1], n, nil
}

// FindRemark finds the remark that a person means, by its number, also as #3. Errors
// wrap ErrNoEntry.
func (t Task) FindRemark(arg string) (Remark, int, error) {
	i := placeOf(arg, "#", len(t.Remarks))
	if i < 0 {
		return Remark{}, 0, noRemark(t, arg)
	}
	return t.Remarks[i], i + 1, nil
}

// noRemark names the board of a phase, too: its number alone is a remark's.
func noRemark(t Task, arg string) error {
	if p, err := t.FindPhase(arg); err == nil {
		return fmt.Errorf("%w: remark %q; the board of phase %s is %s", ErrNoEntry, Clip(arg, MaxName), p.ID,
			phasesDir+p.ID)
	}
	return fmt.Errorf("%w: remark %q; see 'git brew remark list'", ErrNoEntry, Clip(arg, MaxName))
}

// RemarkNumber is the number that people see of a remark, 0 for none.
func (t Task) RemarkNumber(uid UID) int {
	return 1 + slices.IndexFunc(t.Remarks, func(r Remark) bool { return r.UID == uid })
}

// placeOf is the place in a list of so many that a number means, from 1, with or without a
// prefix in any case; -1 for none.
func placeOf(arg, prefix string, many int) int {
	if len(arg) > len(prefix) && strings.EqualFold(arg[:len(prefix)], prefix) {
		arg = arg[len(prefix):]
	}
	if n, err := strconv.Atoi(arg); err == nil && IsNumber(arg) && n <= many {
		return n - 1
	}
	return -1
}

// Deviation is what a reviewer says about work that was not as planned (SP-13).
type Deviation struct {
	// What is a path in the work tree, or the title of a task of the phase's plan.
	What   string `json:"what" is:"line"`
	Impact Impact `json:"impact" is:"impact"`
	Reason string `json:"reason,omitempty" is:"said"`
}

// Impact is how much a deviation matters.
type Impact string

const (
	ImpactLow    Impact = "low"
	ImpactMedium Impact = "medium"
	ImpactHigh   Impact = "high"
)

// ParseDeviation reads WHAT=IMPACT or WHAT=IMPACT:REASON. In WHAT there may be
// signs of equality, too: the first impact behind one counts.
func ParseDeviation(s string) (Deviation, error) {
	for i := range len(s) {
		if s[i] != '=' {
			continue
		}
		impact, reason, _ := strings.Cut(s[i+1:], ":")
		if impact = strings.ToLower(impact); CheckWord("impact", impact) == nil {
			d := Deviation{What: s[:i], Impact: Impact(impact), Reason: strings.TrimSpace(reason)}
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
