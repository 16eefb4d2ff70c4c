package task

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// KindOf is the kind of phase that an id for people tells, and the phase it
// belongs to: 1V verifies 1, 1R2 is research for it, FR is the final review. Of other
// ids ok is false.
func (t Task) KindOf(id string) (kind PhaseKind, parent Phase, ok bool) {
	stem := strings.TrimRight(id, digits)
	if strings.EqualFold(stem, "FR") {
		return KindFinalReview, Phase{}, true
	}
	for _, k := range []struct {
		mark string
		kind PhaseKind
	}{{"V", KindVerification}, {"R", KindResearch}} {
		if of, has := strings.CutSuffix(stem, k.mark); has {
			for _, p := range t.Phases {
				if strings.EqualFold(p.ID, of) {
					return k.kind, p, true
				}
			}
		}
	}
	return "", Phase{}, false
}

// CheckID refuses, for a phase of no other kind, an id that says it is of one: of a
// phase that is not there (9V, 9R), a fix, which a revision makes (1.1, 1F2), or a part (2.a).
func (t Task) CheckID(id string) error {
	for _, form := range []struct{ form, what string }{
		{`(?i)^([0-9]+)[VR][0-9]*$`, ""},
		{`(?i)^([0-9]+)(F[0-9]+V?|\.[0-9]+)$`, "a fix"},
		{`(?i)^([0-9]+)\.[A-Z]*$`, "a part"},
	} {
		of := regexp.MustCompile(form.form).FindStringSubmatch(id)
		switch {
		case of == nil:
		case form.what == "":
			return Refuse(CodeInvalid, fmt.Sprintf("there is no phase %s that %s could belong to", of[1], id),
				"see 'git brew phase list', or choose another id")
		case !strings.HasPrefix(of[len(of)-1], ".") || IDTaken(t, of[1]):
			return Refuse(CodeInvalid, fmt.Sprintf("%s is what %s of phase %s is called", id, form.what, of[1]),
				"'git brew phase add -h' says how one is added; choose another id for anything else")
		}
	}
	return nil
}

// IDTaken reports whether a phase has that id, in any case of its letters.
func IDTaken(t Task, id string) bool {
	return slices.ContainsFunc(t.Phases, func(p Phase) bool { return strings.EqualFold(p.ID, id) })
}

// OpenFixesOf are the open fix phases made for uid itself.
func (t Task) OpenFixesOf(uid UID) []Phase {
	var all []Phase
	for _, p := range t.Phases {
		if p.Kind == KindFix && p.Fixes == uid && p.Open() {
			all = append(all, p)
		}
	}
	return all
}

// FailedItself reports whether p failed, and not only with another phase that is
// failed still: to try it again is something that can be done.
func (t Task) FailedItself(p Phase) bool {
	by, ok := t.Phase(p.FailedBy)
	return p.Status == PhaseFailed && (!ok || by.Status != PhaseFailed)
}

// WorkOf is the phase whose work p is a part of: what a fix repairs, what a verification
// verifies; a fix of a fix belongs to the phase that that belongs to, and carries its
// number. Iterations and escalations are counted there.
func (t Task) WorkOf(p Phase) Phase {
	for range MaxDepth {
		if p.Kind != KindFix && p.Kind != KindVerification {
			break
		}
		parent, ok := t.Phase(p.Parent)
		if !ok {
			break
		}
		p = parent
	}
	return p
}

// DependenciesOf are the phases that the work on p depends on: its own ones, and of a
// part those of what it is a part of.
func (t Task) DependenciesOf(p Phase) []UID { return DependenciesOf(&p, t.PhaseAt) }

func DependenciesOf(p *Phase, find func(UID) *Phase) []UID {
	all := p.DependsOn
	for n := 0; p.Kind == KindSplit && n <= MaxDepth; n++ {
		if p = find(p.Parent); p == nil {
			break
		}
		for _, uid := range p.DependsOn {
			if !slices.Contains(all, uid) {
				all = append(slices.Clip(all), uid)
			}
		}
	}
	return all
}

// PhaseClaim says which worker took a phase, of several that work side by side.
// It stays until the phase is started again.
type PhaseClaim struct {
	UID    UID    `json:"uid" is:"uid"` // the operation that claimed it
	Worker string `json:"worker,omitempty" is:"name"`
	// Session and Fence are the lock's that the worker worked under.
	Session string `json:"session,omitempty" is:"session"`
	Fence   uint64 `json:"fence,omitempty"`
	At      string `json:"at" is:"time"`
}

// By names a claim's worker, for people.
func (c PhaseClaim) By() string {
	if c.Worker == "" && c.Session != "" {
		return "session " + ShortSession(c.Session)
	}
	return cmp.Or(c.Worker, "a worker")
}

// AgentName is the name that an agent's reports are filed under, from the one
// that a client gives it: without its plugin's ("team:Developer" is
// "Developer"), without what git brew's own have in front in a project
// ("brew-developer"), and what can't stand in a path is a dash. Empty where
// nothing is left.
func AgentName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && (ValidName(string(r)) || r == '.' || r == '_') {
			return r
		}
		return '-'
	}, strings.TrimSpace(s[strings.LastIndexByte(s, ':')+1:]))
	s = strings.TrimPrefix(s, "brew-")
	s = strings.Trim(strings.ReplaceAll(s, "..", "--")[:min(len(s), MaxName)], "-._")
	if name, is := strings.CutSuffix(s, ".lock"); is { // which git keeps for itself
		return name + "-lock"
	}
	return s
}

// CleanSession is a session's name as it may stand in a state.
func CleanSession(s string) string {
	if OneLine(s, MaxTitle) {
		return s
	}
	return ""
}

// SessionName returns id if it may stand in a ref, a file's name or a line as it
// is, and a name made of its hash if not. Whatever says which session it is
// gives its id through this, so that all mean the same one. A name stays as it
// is.
func SessionName(id string) string {
	if id == "" || safeSession(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x-" + hex.EncodeToString(sum[:16])
}

func safeSession(id string) bool { return refPart(id, 128) }

// ShortSession is how a session's id is shown: its first eight characters.
func ShortSession(id string) string {
	if r := []rune(SubjectLine(id)); len(r) > 8 {
		return string(r[:8])
	}
	return SubjectLine(id)
}

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
