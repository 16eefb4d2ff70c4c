package task

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// HookOutcome is what became of a hook around a step.
type HookOutcome string

// The outcomes. Told: it is a text, and whoever took the step was told to follow
// it. Due is none yet: the step that it follows has ended, and it did not run to
// its end, because it runs just now or because it was cut off.
const (
	HookDue       HookOutcome = "due"
	HookPassed    HookOutcome = "passed"
	HookFailed    HookOutcome = "failed"
	HookUntrusted HookOutcome = "untrusted" // nobody has trusted what it holds
	HookMissing   HookOutcome = "missing"   // it is not there, or no file that can be used
	HookTold      HookOutcome = "told"
)

var hookOutcomes = []HookOutcome{HookDue, HookPassed, HookFailed, HookUntrusted, HookMissing, HookTold}

// The sides of a step.
const (
	HookPre  = "pre"
	HookPost = "post"
)

// HookRun is one hook, and what became of it.
type HookRun struct {
	Hook string `json:"hook"` // its path in the project
	Kind string `json:"kind"` // program, workflow
	// Optional: its failure is a remark, and stops nothing.
	Optional bool        `json:"optional,omitempty"`
	Outcome  HookOutcome `json:"outcome"`
	Detail   string      `json:"detail,omitempty"`
}

// Stops reports a required hook that did not do its part.
func (r HookRun) Stops() bool { return !r.Optional && !r.done() }

func (r HookRun) done() bool { return r.Outcome == HookPassed || r.Outcome == HookTold }

// StepHooks is the record of the hooks on one side of a step, in their order.
type StepHooks struct {
	UID   UID    `json:"uid"`
	Step  string `json:"step"`
	Phase UID    `json:"phase,omitempty"`
	When  string `json:"when"` // pre, post
	// Of is the first record of the same end of a step, where this one tells of it
	// once more; "" where it is the first.
	Of   UID       `json:"of,omitempty"`
	At   string    `json:"at,omitempty"`
	Runs []HookRun `json:"runs"`
	// Settled is what was done about the record: HooksSkipped, HooksUndone; "":
	// nothing. That they ran again says no record but the later one, see ranAgain.
	Settled string `json:"settled,omitempty"`
	Reason  string `json:"reason,omitempty"` // why it was passed over
}

// What is done about a record.
const (
	HooksSkipped = "skipped" // somebody passed its failure over
	HooksUndone  = "undone"  // the step that they followed was taken back
)

// Name is how people call this side of the step: post-execute.
func (h StepHooks) Name() string { return h.When + "-" + h.Step }

// Failed reports that a required hook did not do its part.
func (h StepHooks) Failed() bool { return slices.ContainsFunc(h.Runs, HookRun.Stops) }

// Due reports that they did not run to their end, which is not for a failure of
// one of them.
func (h StepHooks) Due() bool {
	due := func(r HookRun) bool { return r.Outcome == HookDue }
	return slices.ContainsFunc(h.Runs, due) && !slices.ContainsFunc(h.Runs, func(r HookRun) bool { return r.Stops() && !due(r) })
}

// first is the first record of the end of a step that h tells of.
func (h StepHooks) first() UID { return cmp.Or(h.Of, h.UID) }

// tellsOf reports that h says of all that stops in another record how it came
// out, and that what was required there is not optional by now.
func (h StepHooks) tellsOf(other StepHooks) bool {
	return !slices.ContainsFunc(other.Runs, func(r HookRun) bool {
		return r.Stops() && !slices.ContainsFunc(h.Runs, func(is HookRun) bool { return is.Hook == r.Hook && (is.done() || !is.Optional) })
	})
}

// Unmet are the required hooks that did not do their part, by what the records
// say of each at last, the newest record first.
func Unmet(records []StepHooks) []HookRun {
	var unmet []HookRun
	said := map[string]bool{}
	for _, h := range records {
		for _, r := range h.Runs {
			if r.Stops() && !said[r.Hook] {
				unmet = append(unmet, r)
			}
		}
		for _, r := range h.Runs {
			said[r.Hook] = true
		}
	}
	return unmet
}

// beside: it tells of the same side of the same step.
func (h StepHooks) beside(other StepHooks) bool {
	return h.Step == other.Step && h.Phase == other.Phase && h.When == other.When
}

// TextFailed reports that a required text did not work out, as who followed it says.
// Nobody else can see that, so only a person says that it is good again.
func (h StepHooks) TextFailed() bool {
	return slices.ContainsFunc(h.Runs, func(r HookRun) bool {
		return !r.Optional && r.Kind == hookText && r.Outcome == HookFailed
	})
}

// hookText is the kind of a hook that is a text, as package pipeline calls it.
const hookText = "workflow"

// open: record i holds the pipeline up. A program that failed before a step does not:
// the step did not begin, and the program runs anew when it does.
func (t Task) open(i int) bool {
	h := t.StepHooks[i]
	return (h.When == HookPost || h.TextFailed()) && h.Settled == "" && h.Failed() && !t.ranAgain(i)
}

// ranAgain: a later record, of a step that was not taken back, tells how the hooks
// of record i came out since.
func (t Task) ranAgain(i int) bool {
	h := t.StepHooks[i]
	return slices.ContainsFunc(t.StepHooks[i+1:], func(later StepHooks) bool {
		return later.beside(h) && later.Settled != HooksUndone && later.tellsOf(h)
	})
}

// OpenHooks are the records of hooks that failed after their step, or did not run
// to their end, and of texts that failed, and hold the pipeline up until they pass or
// somebody passes them over. Of a task that has ended, nothing but its end waits for
// any.
func (t Task) OpenHooks() []StepHooks {
	var all []StepHooks
	for i, h := range t.StepHooks {
		if t.open(i) && (h.Step == StepComplete && h.When == HookPost || !t.Status.Terminal()) {
			all = append(all, h)
		}
	}
	return all
}

// StepHookPayload is what OpStepHook carries: the hooks on one side of a step
// are due, ran, or could not.
type StepHookPayload struct {
	Step  string `json:"step"`
	Phase UID    `json:"phase,omitempty"`
	When  string `json:"when"`
	// Record is the one that this tells of once more, what said that they are due
	// above all; "" where none did.
	Record UID       `json:"record,omitempty"`
	Runs   []HookRun `json:"runs"`
}

func (p StepHookPayload) AsRecord(uid UID) StepHooks {
	return StepHooks{UID: uid, Step: p.Step, Phase: p.Phase, When: p.When, Runs: p.Runs}
}

// TellsNew reports whether a record would say something that t does not know:
// a failure that is as it was needs no second one.
func (p StepHookPayload) TellsNew(t Task) bool {
	h := p.AsRecord("")
	for _, old := range slices.Backward(t.StepHooks) {
		if old.beside(h) {
			return !h.Failed() || old.Settled != "" || !slices.Equal(old.Runs, h.Runs)
		}
	}
	return true
}

// HookSkipPayload is what OpHookSkip carries: a failure is passed over.
type HookSkipPayload struct {
	Record UID    `json:"record"`
	Reason string `json:"reason"`
}

func (p StepHookPayload) phase() UID { return p.Phase }

// Bounds on what a task keeps of hooks.
const (
	maxStepHooks  = 200 // records
	maxHookRuns   = 16  // of one record
	maxHookPath   = 600
	MaxHookDetail = 2000
)

func applyStepHook(e *editor, op operation.Operation, p StepHookPayload) bool {
	h := p.AsRecord(op.ID)
	h.At = cleanTime(op.At)
	if !h.valid() || p.Phase != "" && e.t.phaseIndex(p.Phase) < 0 || HookRecord(e.t, op.ID) >= 0 {
		return false
	}
	all := slices.Clone(e.t.StepHooks)
	if i := HookRecord(e.t, p.Record); i >= 0 && all[i].beside(h) {
		if all[i].Due() && h.tellsOf(all[i]) {
			all[i].Runs, all[i].At = h.Runs, h.At
			e.t.StepHooks = all
			return true
		}
		h.Of = all[i].first()
	}
	if len(all) >= maxStepHooks {
		spare := e.t.spareHooks()
		if spare < 0 {
			return false
		}
		all = slices.Delete(all, spare, spare+1)
	}
	e.t.StepHooks = append(all, h)
	return true
}

// spareHooks is the record that can best be done without, -1 for none: the oldest
// one of which nothing failed, or that has a later word; else the oldest one that
// is not open. What failed before a step was taken back is asked for again when
// that ends again.
func (t Task) spareHooks() int {
	spare := -1
	for i, h := range t.StepHooks {
		switch {
		case !h.Failed() || t.ranAgain(i):
			return i
		case spare < 0 && !t.open(i):
			spare = i
		}
	}
	return spare
}

func applyHookSkip(e *editor, _ operation.Operation, p HookSkipPayload) bool {
	i := HookRecord(e.t, p.Record)
	if i < 0 || !e.t.open(i) || !paragraph(p.Reason, MaxReason) {
		return false
	}
	e.t.StepHooks = slices.Clone(e.t.StepHooks)
	e.t.StepHooks[i].Settled, e.t.StepHooks[i].Reason = HooksSkipped, p.Reason
	return true
}

func HookRecord(t Task, uid UID) int {
	return slices.IndexFunc(t.StepHooks, func(h StepHooks) bool { return h.UID == uid })
}

// valid bounds what a record may hold, whoever made it.
func (h StepHooks) valid() bool {
	settled := h.Settled == "" || h.Settled == HooksSkipped || h.Settled == HooksUndone
	return h.UID.Valid() && (h.Of == "" || h.Of.Valid()) && validName(h.Step) && (h.When == HookPre || h.When == HookPost) && times(h.At) && settled &&
		paragraph(h.Reason, MaxReason) && len(h.Runs) > 0 && len(h.Runs) <= maxHookRuns && !slices.ContainsFunc(h.Runs, func(r HookRun) bool { return !r.valid() })
}

func (r HookRun) valid() bool {
	return oneLine(r.Hook, maxHookPath) && validName(r.Kind) && slices.Contains(hookOutcomes, r.Outcome) && paragraph(r.Detail, MaxHookDetail)
}

// validStepHooks checks the records of a state that was read.
func validStepHooks(t Task) bool {
	for i, h := range t.StepHooks {
		if !h.valid() || h.Phase != "" && t.phaseIndex(h.Phase) < 0 || HookRecord(t, h.UID) != i {
			return false
		}
	}
	return len(t.StepHooks) <= maxStepHooks
}

func checkStepHook(t Task, p StepHookPayload) error {
	if p.Phase != "" && t.phaseIndex(p.Phase) < 0 {
		return ErrNoPhase
	}
	if !p.AsRecord(operation.ID(strings.Repeat("0", 32))).valid() {
		return Refuse(CodeInvalid, "what hooks said can't be recorded like that", "")
	}
	return nil
}

func checkHookSkip(t Task, p HookSkipPayload) error {
	if strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "skipping a failed hook needs a reason", "give -m WHY")
	}
	if i := HookRecord(t, p.Record); i < 0 || !t.open(i) {
		return Refuse(CodeTaskState, "no failed hook holds up the task", "see 'git brew next'")
	}
	return checkReason(p.Reason)
}
