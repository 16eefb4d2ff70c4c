package task

import (
	"fmt"
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
	UID   UID       `json:"uid"`
	Step  string    `json:"step"`
	Phase UID       `json:"phase,omitempty"`
	When  string    `json:"when"` // pre, post
	At    string    `json:"at,omitempty"`
	Runs  []HookRun `json:"runs"`
	// Settled is what became of a failure: HooksAgain, HooksSkipped, HooksUndone;
	// "": nothing yet.
	Settled string `json:"settled,omitempty"`
	Reason  string `json:"reason,omitempty"` // why it was passed over
}

// What becomes of a failure.
const (
	HooksAgain   = "again"   // they ran again, as a later record tells
	HooksSkipped = "skipped" // somebody passed it over
	HooksUndone  = "undone"  // the step that they followed was taken back
)

// Name is how people call this side of the step: post-execute.
func (h StepHooks) Name() string { return h.When + "-" + h.Step }

// Failed reports that a required hook did not do its part.
func (h StepHooks) Failed() bool { return slices.ContainsFunc(h.Runs, HookRun.Stops) }

// Due reports that one of them did not run to its end.
func (h StepHooks) Due() bool {
	return slices.ContainsFunc(h.Runs, func(r HookRun) bool { return r.Outcome == HookDue })
}

// beside: it tells of the same side of the same step.
func (h StepHooks) beside(other StepHooks) bool {
	return h.Step == other.Step && h.Phase == other.Phase && h.When == other.When
}

// open: it holds the pipeline up. What failed before a step does not: the step
// did not begin, and its hooks run anew when it does.
func (h StepHooks) open() bool { return h.When == HookPost && h.Settled == "" && h.Failed() }

// OpenHooks are the records of hooks that failed after their step, or did not run
// to their end, and hold the pipeline up until they pass or somebody passes them
// over. Of a task that has ended, nothing but its end waits for any.
func (t Task) OpenHooks() []StepHooks {
	var all []StepHooks
	for _, h := range t.StepHooks {
		if h.open() && (h.Step == StepComplete || !t.Status.Terminal()) {
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
	// Record is what said that they are due, and tells from now on how they came
	// out; "" where nothing did.
	Record UID       `json:"record,omitempty"`
	Runs   []HookRun `json:"runs"`
}

func (p StepHookPayload) record(uid UID) StepHooks {
	return StepHooks{UID: uid, Step: p.Step, Phase: p.Phase, When: p.When, Runs: p.Runs}
}

// TellsNew reports whether a record would say something that t does not know:
// a failure that is as it was needs no second one.
func (p StepHookPayload) TellsNew(t Task) bool {
	h := p.record("")
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
	h := p.record(op.ID)
	h.At = cleanTime(op.At)
	if !h.valid() || p.Phase != "" && e.t.phaseIndex(p.Phase) < 0 || e.t.hookRecord(op.ID) >= 0 {
		return false
	}
	all := slices.Clone(e.t.StepHooks)
	e.brain()
	if i := e.t.hookRecord(p.Record); i >= 0 && all[i].beside(h) && all[i].Due() {
		all[i].Runs, all[i].At = h.Runs, h.At
		e.t.StepHooks = all
		return true
	}
	for i, old := range all {
		if old.beside(h) && old.Settled == "" && old.Failed() {
			all[i].Settled = HooksAgain
		}
	}
	if len(all) >= maxStepHooks {
		oldest := slices.IndexFunc(all, func(h StepHooks) bool { return !h.open() })
		if oldest < 0 {
			return false
		}
		all = slices.Delete(all, oldest, oldest+1)
	}
	e.t.StepHooks = append(all, h)
	return true
}

func applyHookSkip(e *editor, _ operation.Operation, p HookSkipPayload) bool {
	i := e.t.hookRecord(p.Record)
	if i < 0 || !e.t.StepHooks[i].open() || !paragraph(p.Reason, MaxReason) {
		return false
	}
	e.t.StepHooks = slices.Clone(e.t.StepHooks)
	e.t.StepHooks[i].Settled, e.t.StepHooks[i].Reason = HooksSkipped, p.Reason
	return true
}

func (t Task) hookRecord(uid UID) int {
	return slices.IndexFunc(t.StepHooks, func(h StepHooks) bool { return h.UID == uid })
}

// valid bounds what a record may hold, whoever made it.
func (h StepHooks) valid() bool {
	settled := h.Settled == "" || slices.Contains([]string{HooksAgain, HooksSkipped, HooksUndone}, h.Settled)
	return h.UID.Valid() && validName(h.Step) && (h.When == HookPre || h.When == HookPost) && times(h.At) && settled &&
		paragraph(h.Reason, MaxReason) && len(h.Runs) > 0 && len(h.Runs) <= maxHookRuns && !slices.ContainsFunc(h.Runs, func(r HookRun) bool { return !r.valid() })
}

func (r HookRun) valid() bool {
	return oneLine(r.Hook, maxHookPath) && validName(r.Kind) && slices.Contains(hookOutcomes, r.Outcome) && paragraph(r.Detail, MaxHookDetail)
}

// validStepHooks checks the records of a state that was read.
func validStepHooks(t Task) bool {
	for i, h := range t.StepHooks {
		if !h.valid() || h.Phase != "" && t.phaseIndex(h.Phase) < 0 || t.hookRecord(h.UID) != i {
			return false
		}
	}
	return len(t.StepHooks) <= maxStepHooks
}

func checkStepHook(t Task, p StepHookPayload) error {
	if p.Phase != "" && t.phaseIndex(p.Phase) < 0 {
		return ErrNoPhase
	}
	if !p.record(operation.ID(strings.Repeat("0", 32))).valid() {
		return refuse(CodeInvalid, "what hooks said can't be recorded like that", "")
	}
	return nil
}

func checkHookSkip(t Task, p HookSkipPayload) error {
	if strings.TrimSpace(p.Reason) == "" {
		return refuse(CodeInvalid, "to pass over a hook that failed needs a reason", "give --reason WHY")
	}
	if i := t.hookRecord(p.Record); i < 0 || !t.StepHooks[i].open() {
		return refuse(CodeTaskState, "no hook that failed is waited for", "see 'git brew next'")
	}
	return checkReason(p.Reason)
}

func sayStepHook(_ operation.Operation, p StepHookPayload, _, after Task) string {
	return after.hooksWords(p.record(""))
}

func sayHookSkip(_ operation.Operation, p HookSkipPayload, before, _ Task) string {
	i := before.hookRecord(p.Record)
	if i < 0 {
		return "hooks: passed over: " + p.Reason
	}
	return before.hooksNamed(before.StepHooks[i]) + ": passed over: " + p.Reason
}

// hooksNamed is a record's side of its step, with the phase.
func (t Task) hooksNamed(h StepHooks) string {
	if p, ok := t.Phase(h.Phase); ok {
		return "phase " + p.ID + ": " + h.Name()
	}
	return h.Name()
}

// hooksWords tell a record in a line: what failed, else what passed.
func (t Task) hooksWords(h StepHooks) string {
	runs := slices.Clone(h.Runs)
	slices.SortStableFunc(runs, func(a, b HookRun) int { return rank(a) - rank(b) })
	var parts []string
	for _, r := range runs {
		parts = append(parts, r.Words())
	}
	return t.hooksNamed(h) + ": " + strings.Join(parts, ", ")
}

// rank puts what matters first.
func rank(r HookRun) int {
	switch {
	case r.Stops():
		return 0
	case !r.done():
		return 1
	}
	return 2
}

// Words tell in a line what became of a hook.
func (r HookRun) Words() string {
	s := r.Hook + " " + map[HookOutcome]string{
		HookDue: "is due", HookPassed: "passed", HookFailed: "failed", HookUntrusted: "is not trusted",
		HookMissing: "can't be used", HookTold: "was to be followed",
	}[r.Outcome]
	if r.Optional && !r.done() {
		s += " (optional)"
	}
	if line, _, _ := strings.Cut(r.Detail, "\n"); line != "" && !r.done() {
		s += ": " + line
	}
	return s
}

// hookFailed is a route: a required hook failed after its step.
func hookFailed(t Task) (Phase, bool) { return Phase{}, len(t.OpenHooks()) > 0 }

func reasonHook(s situation) string {
	h := s.OpenHooks()[0]
	if h.Due() {
		return s.hooksWords(h) + ": it runs just now, or was cut off"
	}
	return s.hooksWords(h)
}

// writeHooks tells which hooks did not do their part, and what became of that;
// what is word for word the same, once.
func writeHooks(b *strings.Builder, t Task) {
	var lines []string
	times := map[string]int{}
	for _, h := range t.StepHooks {
		var parts []string
		for _, r := range h.Runs {
			if !r.done() {
				parts = append(parts, r.Words())
			}
		}
		if len(parts) == 0 {
			continue
		}
		line := inline(t.hooksNamed(h) + ": " + strings.Join(parts, ", "))
		switch h.Settled {
		case HooksAgain:
			line += "; ran again"
		case HooksSkipped:
			line += "; passed over: " + inline(h.Reason)
		case HooksUndone:
			line += "; the step was taken back"
		default:
			if h.Failed() {
				line += "; " + map[string]string{HookPre: "the step did not begin", HookPost: "nothing became of that yet"}[h.When]
			}
		}
		if times[line]++; times[line] == 1 {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if i == 0 {
			b.WriteString("\n## Hooks around steps\n\n")
		}
		if n := times[line]; n > 1 {
			line += fmt.Sprintf(" (%d times)", n)
		}
		fmt.Fprintf(b, "- %s\n", line)
	}
}
