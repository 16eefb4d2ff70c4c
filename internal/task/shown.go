package task

import (
	"fmt"
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
// phase that is not there, a fix, which a revision makes, or a part.
func (t Task) CheckID(id string) error {
	stem := strings.TrimRight(id, digits)
	number := func(s string) bool { return s != "" && strings.Trim(s, digits) == "" }
	fixed, isFix := strings.CutSuffix(stem, ".")
	if of, n, ok := strings.Cut(strings.ToUpper(id), "F"); ok && number(of) && number(strings.TrimSuffix(n, "V")) {
		fixed, isFix = of, true
	} else {
		isFix = isFix && stem != id && IDTaken(t, fixed)
	}
	if isFix {
		return Refuse(CodeInvalid, fmt.Sprintf("%s is what a fix of phase %s is called", id, fixed),
			"'git brew phase revise "+fixed+"' adds one; choose another id for anything else")
	}
	if of, part, ok := strings.Cut(id, "."); ok && number(of) && strings.Trim(strings.ToLower(part), lowerCase) == "" {
		return Refuse(CodeInvalid, fmt.Sprintf("%s is what a part of phase %s is called", id, of),
			"'git brew phase add TITLE --kind split --of "+of+"' adds one; choose another id for anything else")
	}
	of := strings.TrimRight(stem, "VvRr")
	if len(of)+1 == len(stem) && of != "" && strings.Trim(of, digits) == "" {
		return Refuse(CodeInvalid, fmt.Sprintf("there is no phase %s that %s could belong to", of, id),
			"see 'git brew phase list', or choose another id")
	}
	return nil
}

func IDTaken(t Task, id string) bool {
	for _, p := range t.Phases {
		if strings.EqualFold(p.ID, id) {
			return true
		}
	}
	return false
}
