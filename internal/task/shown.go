package task

import (
	"fmt"
	"strconv"
	"strings"
)

// shownID gives a new phase its id for people: the one asked for where it is
// well-formed and free, else the next free one of its kind. Ids that differ
// only in case are the same.
func newShownID(t Task, kind PhaseKind, parent Phase, want string) string {
	if validName(want) && !idTaken(t, want) {
		return want
	}
	switch kind {
	case KindVerification:
		return numberedID(t, parent.ID+"V")
	case KindResearch:
		return numberedID(t, parent.ID+"R")
	case KindFinalReview:
		return numberedID(t, "FR")
	case KindFix:
		return countedID(t, parent.ID+".")
	case KindSplit:
		for n := 1; ; n++ {
			if id := parent.ID + letters(n); !idTaken(t, id) {
				return id
			}
		}
	case KindExecution:
	}
	return countedID(t, "")
}

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
		isFix = isFix && stem != id && idTaken(t, fixed)
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
		return Refuse(CodeInvalid, fmt.Sprintf("there is no phase %s that %s could belong to", of, id), "see 'git brew phase list', or choose another id")
	}
	return nil
}

const (
	digits    = "0123456789"
	lowerCase = "abcdefghijklmnopqrstuvwxyz"
)

func idTaken(t Task, id string) bool {
	for _, p := range t.Phases {
		if strings.EqualFold(p.ID, id) {
			return true
		}
	}
	return false
}

// numbered is stem, else stem2, stem3, …
func numberedID(t Task, stem string) string {
	id := stem
	for n := 2; idTaken(t, id); n++ {
		id = stem + strconv.Itoa(n)
	}
	return id
}

// counted is prefix and the number after the highest one in use, so that a
// number never comes back to life with another meaning.
func countedID(t Task, prefix string) string {
	highest := 0
	for _, p := range t.Phases {
		if rest, ok := strings.CutPrefix(p.ID, prefix); ok && IsNumber(rest) {
			if n, err := strconv.Atoi(rest); err == nil && n < 1<<30 {
				highest = max(highest, n)
			}
		}
	}
	for n := highest + 1; ; n++ {
		if id := prefix + strconv.Itoa(n); !idTaken(t, id) {
			return id
		}
	}
}

// letters counts a, b, …, z, aa, ab, …
func letters(n int) string {
	var s []byte
	for ; n > 0; n = (n - 1) / 26 {
		s = append([]byte{byte('a' + (n-1)%26)}, s...)
	}
	return string(s)
}

// place returns the index at which a new phase goes: behind after and what
// belongs to it, else behind its parent and what belongs to that, else last.
func placeFor(t Task, after, parent UID) int {
	for _, uid := range []UID{after, parent} {
		if uid == "" {
			continue
		}
		if last := lastBelow(t, uid); last >= 0 {
			return last + 1
		}
	}
	return len(t.Phases)
}

// lastOf returns the index of the last phase that is uid or hangs below it, -1
// for none.
func lastBelow(t Task, uid UID) int {
	parents := make(map[UID]UID, len(t.Phases))
	for _, p := range t.Phases {
		parents[p.UID] = p.Parent
	}
	last := -1
	for i, p := range t.Phases {
		at := p.UID
		for range MaxDepth + 1 {
			if at == uid {
				last = i
				break
			}
			if at = parents[at]; at == "" {
				break
			}
		}
	}
	return last
}
