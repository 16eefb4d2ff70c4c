package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

func addPhase(e *editor, p task.PhaseAddPayload) error {
	phase, err := e.newPhase(p)
	if err == nil && e.made {
		err = askPhaseAdd(e.t, p)
	}
	if err != nil {
		return err
	}
	m := moment{}
	if parent := e.t.PhaseIndex(phase.Parent); parent >= 0 {
		switch phase.Kind {
		case task.KindSplit:
			if err := e.phaseEvent(parent, EventSplit, m); err != nil {
				return err
			}
		case task.KindFix:
			e.firePhase(parent, EventRevise, m)
			if phase.Fixes != phase.Parent {
				e.firePhase(e.t.PhaseIndex(phase.Fixes), EventRevise, m)
			}
		case task.KindExecution, task.KindVerification, task.KindResearch, task.KindFinalReview: // change no other phase
		}
	}
	at := placeFor(e.t, p.After, phase.Parent)
	e.t.Phases = slices.Insert(e.phases(), at, phase)
	return nil
}

// newPhase returns the phase that the payload describes. An id that is taken, and
// dependencies that can't be, are left out: what was added meanwhile elsewhere is no
// reason to lose a phase. Who adds one is told.
func (e *editor) newPhase(p task.PhaseAddPayload) (task.Phase, error) {
	t := e.t
	if err := full(len(t.Phases), task.MaxPhases, "phases", "begin another task"); err != nil {
		return task.Phase{}, err
	}
	phase := task.Phase{
		UID: e.op.ID, Title: p.Title, Kind: cmp.Or(p.Kind, task.KindExecution), Status: task.PhasePending,
		Review:     task.ReviewNone,
		Acceptance: p.Acceptance, Verification: p.Verification, Tier: cmp.Or(p.Tier, task.TierAuto), Agents: p.Agents,
	}
	parent, err := parentOf(t, phase.Kind, p.Parent)
	if err != nil {
		return phase, err
	}
	if phase.Kind == task.KindFix {
		parent, phase.Fixes = repairedBy(t, parent)
		if err := checkAbove(t, task.Phase{ID: "of this", Parent: parent.UID, Fixes: phase.Fixes}); err != nil {
			return phase, err
		}
	}
	if parent.UID != "" && task.DepthOf(t, parent) >= task.MaxDepth {
		return phase, task.Refuse(task.CodeInvalid,
			fmt.Sprintf("phase %s hangs below %d others, no more fit", parent.ID, task.MaxDepth), "add it higher up")
	}
	phase.Parent = parent.UID
	phase.ID = newShownID(t, phase.Kind, parent, p.ShownID)
	if t.PhaseIndex(phase.UID) >= 0 {
		return phase, errNoID()
	}
	phase.DependsOn, err = e.dependencies(phase, p)
	return phase, err
}

// dependencies are those that a new phase can have: on phases that exist, and do not wait
// for it. What it belongs to it need not name.
func (e *editor) dependencies(phase task.Phase, p task.PhaseAddPayload) (on []task.UID, err error) {
	if len(p.DependsOn) == 0 {
		return nil, nil
	}
	wait := waitersFor(e.t, phase)
	named, _ := e.t.Phase(p.Parent)
	for _, uid := range p.DependsOn {
		dep, known := e.t.Phase(uid)
		switch {
		case !known && e.made:
			return nil, noDependency(uid)
		case known && !wait[uid] && !slices.Contains(on, uid):
			on = append(on, uid)
		case wait[uid] && e.made && !task.Belongs(e.t, named, uid):
			return nil, task.Refuse(task.CodeCycle, fmt.Sprintf("this phase can't depend on %s, which waits for it", dep.ID),
				"leave that dependency out")
		}
	}
	return on, nil
}

// parentOf is the phase that one of a kind is added to, none where it needs none.
func parentOf(t task.Task, kind task.PhaseKind, uid task.UID) (task.Phase, error) {
	needs := kind == task.KindVerification || kind == task.KindFix || kind == task.KindSplit
	switch {
	case uid == "" && needs:
		return task.Phase{}, task.Refuse(task.CodeInvalid, fmt.Sprintf("a %s phase belongs to another phase", kind),
			"name that with --of")
	case uid == "", !needs && kind != task.KindResearch:
		return task.Phase{}, nil
	}
	parent, ok := t.Phase(uid)
	switch {
	case !ok:
		return parent, noPhase(uid)
	case kind == task.KindFix:
		return parent, nil
	case parent.Kind == task.KindVerification:
		return parent, task.Refuse(task.CodeInvalid, fmt.Sprintf("%s is a verification itself", parent.ID),
			"name the phase it verifies")
	case parent.Status.Over():
		return parent, task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s", parent.ID, parent.Status),
			resetOf(t, parent))
	}
	return parent, nil
}

// askPhaseAdd says what keeps a phase from being added now: the fold passes over it.
func askPhaseAdd(t task.Task, p task.PhaseAddPayload) error {
	parent, _ := t.Phase(p.Parent)
	switch {
	case t.Status.Terminal():
		return ended(t)
	case p.ShownID != "" && task.IDTaken(t, p.ShownID):
		return task.Refuse(task.CodeTaken, fmt.Sprintf("there is a phase %s already", p.ShownID), "choose another id")
	case p.After != "" && t.PhaseIndex(p.After) < 0:
		return noPhase(p.After)
	case p.Kind == task.KindFix:
		return checkFix(t, parent)
	case p.Kind == task.KindSplit: // to split a spent one is a rung of the ladder
		return CheckSpent(t, parent)
	}
	return nil
}

// checkFix says why no fix of p can be added now.
func checkFix(t task.Task, p task.Phase) error {
	root := t.WorkOf(p)
	if p.Status != task.PhaseInReview && (root.Status != task.PhaseInReview ||
		p.Kind == task.KindFix && p.Status == task.PhaseDropped) {
		return wrongStatus(t, p, "only a phase in review is revised")
	}
	if ResearchFirst(t, root) {
		return task.Refuse(task.CodeDependencies,
			fmt.Sprintf("phase %s waits for its research: %s", root.ID, task.ShownIDs(t.Children(root.UID, task.KindResearch))),
			"see 'git brew next'")
	}
	return CheckSpent(t, root)
}

func noDependency(uid task.UID) error {
	return task.Refuse(task.CodeUnknownDep,
		fmt.Sprintf("there is no phase %q to depend on", task.Clip(string(uid), task.MaxName)), "see 'git brew phase list'")
}

// repairedBy are the phase that a fix of p hangs below, and the one that it repairs:
// of a verification, what that verifies.
func repairedBy(t task.Task, p task.Phase) (parent task.Phase, fixes task.UID) {
	parent = t.WorkOf(p)
	if p.Kind == task.KindVerification {
		return parent, parent.UID
	}
	return parent, p.UID
}

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
		for n := 1; ; n++ { // a, b, …, z, aa, ab, …, as in histories that are stored
			letters := ""
			for left := n; left > 0; left = (left - 1) / 26 {
				letters = string(rune('a'+(left-1)%26)) + letters
			}
			if id := parent.ID + letters; !task.IDTaken(t, id) {
				return id
			}
		}
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
