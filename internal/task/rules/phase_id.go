package rules

import (
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// newShownID gives a new phase its id for people: the one asked for where it is
// well-formed and free, else the next free one of its kind. Ids that differ
// only in case are the same.
func newShownID(t task.Task, kind task.PhaseKind, parent task.Phase, want string) string {
	if task.ValidName(want) && !task.IDTaken(t, want) {
		return want
	}
	switch kind {
	case task.KindVerification:
		return numberedID(t, parent.ID+"V")
	case task.KindResearch:
		return numberedID(t, parent.ID+"R")
	case task.KindFinalReview:
		return numberedID(t, "FR")
	case task.KindFix:
		return countedID(t, parent.ID+".")
	case task.KindSplit:
		for letter := 'a'; letter < 'z'; letter++ {
			if id := parent.ID + string(letter); !task.IDTaken(t, id) {
				return id
			}
		}
		return numberedID(t, parent.ID+"z")
	case task.KindExecution:
	}
	return countedID(t, "")
}

// numberedID is stem, else stem2, stem3, …
func numberedID(t task.Task, stem string) string {
	id := stem
	for n := 2; task.IDTaken(t, id); n++ {
		id = stem + strconv.Itoa(n)
	}
	return id
}

// countedID is prefix and the number after the highest one in use, so that a
// number never comes back to life with another meaning.
func countedID(t task.Task, prefix string) string {
	highest := 0
	for _, p := range t.Phases {
		if rest, ok := strings.CutPrefix(p.ID, prefix); ok && task.IsNumber(rest) {
			if n, err := strconv.Atoi(rest); err == nil && n < 1<<30 {
				highest = max(highest, n)
			}
		}
	}
	for n := highest + 1; ; n++ {
		if id := prefix + strconv.Itoa(n); !task.IDTaken(t, id) {
			return id
		}
	}
}

// placeFor returns the index at which a new phase goes: behind after and what
// belongs to it, else behind its parent and what belongs to that, else last.
func placeFor(t task.Task, after, parent task.UID) int {
	f := familyOf(t.Phases)
	for _, uid := range []task.UID{after, parent} {
		for i := len(t.Phases); i > 0 && uid != ""; i-- {
			if f.hangs(&t.Phases[i-1], func(p *task.Phase) bool { return p.UID == uid }) {
				return i
			}
		}
	}
	return len(t.Phases)
}
