package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoPhase says that a task has no such phase.
var ErrNoPhase = errors.New("no such phase")

// Phase returns the phase named uid.
func (t Task) Phase(uid UID) (Phase, bool) {
	i := t.PhaseIndex(uid)
	if i < 0 {
		return Phase{}, false
	}
	return t.Phases[i], true
}

// PhaseIndex is asked for every phase of every phase: it copies none, and looks for
// no parent where there is none.
func (t Task) PhaseIndex(uid UID) int {
	if uid == "" {
		return -1
	}
	for i := range t.Phases {
		if t.Phases[i].UID == uid {
			return i
		}
	}
	return -1
}

// PhaseAt is the phase in its place, to be read alone; nil where there is none.
func (t Task) PhaseAt(uid UID) *Phase {
	if i := t.PhaseIndex(uid); i >= 0 {
		return &t.Phases[i]
	}
	return nil
}

// CurrentPhase returns the phase that was started last and is not completed.
func (t Task) CurrentPhase() (Phase, bool) { return t.Phase(t.Current) }

// FindPhase returns the phase that a person means by arg: its shown id in any
// case, in the spelling of other systems too (1F2 and 01.2 for 1.2, 1F2V for 1.2V,
// phase-02.1 for 2.1), or its UID. Otherwise the error wraps ErrNoPhase.
func (t Task) FindPhase(arg string) (Phase, error) {
	for _, same := range []func(Phase) bool{
		func(p Phase) bool { return p.ID == arg },
		func(p Phase) bool { return strings.EqualFold(p.ID, arg) },
		func(p Phase) bool { return strings.EqualFold(p.ID, plainID(arg)) },
		func(p Phase) bool { return string(p.UID) == arg },
	} {
		if i := slices.IndexFunc(t.Phases, same); i >= 0 {
			return t.Phases[i], nil
		}
	}
	return Phase{}, fmt.Errorf("%w: %q; see 'git brew phase list'", ErrNoPhase, Clip(arg, MaxName))
}

// plainID takes the spellings of other systems back to ours.
func plainID(s string) string {
	if len(s) > len("phase-") && strings.EqualFold(s[:len("phase-")], "phase-") {
		s = s[len("phase-"):]
	}
	for len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		s = s[1:]
	}
	if i := strings.LastIndexAny(s, "Ff"); i > 0 && IsNumber(s[:i]) && IsNumber(strings.TrimRight(s[i+1:], "Vv")) {
		return s[:i] + "." + s[i+1:]
	}
	return s
}

func IsNumber(s string) bool {
	return s != "" && hasOnly(s, digits)
}

// Children returns the phases of a kind that belong to uid. What was dropped is none
// of them.
func (t Task) Children(uid UID, kind PhaseKind) []Phase {
	var all []Phase
	for _, p := range t.Phases {
		if p.Parent == uid && p.Kind == kind && p.Status != PhaseDropped {
			all = append(all, p)
		}
	}
	return all
}

// PhaseCounts is how far a task's phases are.
type PhaseCounts struct {
	Total     int `json:"total"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Dropped   int `json:"dropped"`
}

// CountPhases counts the phases of a task.
func CountPhases(t Task) PhaseCounts {
	n := PhaseCounts{Total: len(t.Phases)}
	for i := range t.Phases {
		switch t.Phases[i].Status {
		case PhaseCompleted:
			n.Completed++
		case PhaseFailed:
			n.Failed++
		case PhaseDropped:
			n.Dropped++
		case PhasePending, PhaseInProgress, PhaseInReview:
		}
	}
	return n
}

// Wanted is how many phases are to be completed: all but those that were dropped.
func (n PhaseCounts) Wanted() int { return n.Total - n.Dropped }

// Place says which one of the wanted phases uid is, from 1.
func (t Task) Place(uid UID) int {
	place := 1
	for i := range t.Phases {
		if t.Phases[i].UID == uid {
			break
		}
		if t.Phases[i].Status != PhaseDropped {
			place++
		}
	}
	return place
}

// Done says how many of the wanted phases are completed: "2 of 3 phases completed".
func (n PhaseCounts) Done() string {
	return fmt.Sprintf("%d of %s completed", n.Completed, Counted(n.Wanted(), "phase"))
}

// String is Done, and how many were dropped: "2 of 3 phases completed, 1 dropped".
func (n PhaseCounts) String() string {
	switch {
	case n.Dropped == 0:
		return n.Done()
	case n.Wanted() == 0:
		return Counted(n.Dropped, "phase") + " dropped"
	}
	return n.Done() + fmt.Sprintf(", %d dropped", n.Dropped)
}

// MaxDepth is how deep phases hang below one another: a fix of a part of a part
// is three. Every climb along parents is bounded by it.
const MaxDepth = 8

// Belongs reports whether p is uid or hangs below it.
func Belongs(t Task, p Phase, uid UID) bool {
	for range MaxDepth + 1 {
		if p.UID == uid {
			return true
		}
		if p.Parent == "" {
			return false
		}
		p, _ = t.Phase(p.Parent)
	}
	return false
}

// DepthOf is the number of phases above p.
func DepthOf(t Task, p Phase) int {
	n := 0
	for p.Parent != "" && n <= MaxDepth {
		p, _ = t.Phase(p.Parent)
		n++
	}
	return n
}

// Open reports whether work on p is still to come: a failed phase is not
// open, and not over either.
func (p Phase) Open() bool { return !p.Status.Over() && p.Status != PhaseFailed }

// InProgress reports whether the phase is being worked on.
func (p Phase) InProgress() bool { return p.Status == PhaseInProgress }

// InReview reports whether the work on the phase is done, and not judged yet.
func (p Phase) InReview() bool { return p.Status == PhaseInReview }

// OpenFixes are the fix phases of uid that are still to be done.
func OpenFixes(t Task, uid UID) []Phase {
	return slices.DeleteFunc(t.Children(uid, KindFix), func(p Phase) bool { return !p.Open() })
}

// Slug is the readable part of an id, without its random tail.
func (id ID) Slug() string {
	if n := len(id) - tailLength - 1; n > 0 && id[n] == '-' {
		return string(id[:n])
	}
	return string(id)
}

// ShownIDs joins the shown ids of phases.
func ShownIDs(phases []Phase) string {
	ids := make([]string, len(phases))
	for i, p := range phases {
		ids[i] = p.ID
	}
	return strings.Join(ids, ", ")
}
