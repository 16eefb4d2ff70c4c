package task

import (
	"fmt"
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
	of := id[:len(id)-len(strings.TrimLeft(id, digits))]
	rest := strings.ToUpper(id[len(of):])
	if of == "" || rest == "" {
		return nil
	}
	mark, left := rest[:1], rest[1:]
	what := ""
	switch {
	case (mark == "V" || mark == "R") && hasOnly(left, digits):
		return Refuse(CodeInvalid, fmt.Sprintf("there is no phase %s that %s could belong to", of, id),
			"see 'git brew phase list', or choose another id")
	case mark == "F" && IsNumber(strings.TrimSuffix(left, "V")), mark == "." && IsNumber(left) && IDTaken(t, of):
		what = "a fix"
	case mark == "." && hasOnly(left, upperCase):
		what = "a part"
	default:
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%s is what %s of phase %s is called", id, what, of),
		"'git brew phase add -h' says how one is added; choose another id for anything else")
}

// IDTaken reports whether a phase has that id, in any case of its letters.
func IDTaken(t Task, id string) bool {
	return slices.ContainsFunc(t.Phases, func(p Phase) bool { return strings.EqualFold(p.ID, id) })
}
