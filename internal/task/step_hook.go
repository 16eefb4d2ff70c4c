package task

import (
	"slices"
	"strings"
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

const (
	HookPre  = "pre"
	HookPost = "post"
)

// HookRun is one hook, and what became of it.
type HookRun struct {
	Hook string `json:"hook" is:"line"` // its path in the project
	Kind string `json:"kind" is:"name"` // program, workflow
	// Optional: its failure is a remark, and stops nothing.
	Optional bool        `json:"optional,omitempty"`
	Outcome  HookOutcome `json:"outcome" is:"outcome of a hook"`
	Detail   string      `json:"detail,omitempty" is:"quoted"`
}

// Stops reports a required hook that did not do its part.
func (r HookRun) Stops() bool { return !r.Optional && !r.Done() }

// Done reports a hook that did its part, as far as git brew sees.
func (r HookRun) Done() bool { return r.Outcome == HookPassed || r.Outcome == HookTold }

// StepHooks is the record of the hooks on one side of a step: what became of each of
// them at last. A step that a phase goes through again goes on with its record.
type StepHooks struct {
	UID   UID       `json:"uid" is:"uid"`
	Step  string    `json:"step" is:"name"`
	Phase UID       `json:"phase,omitempty" is:"uid"`
	When  string    `json:"when" is:"side of a step"` // pre, post
	At    string    `json:"at,omitempty" is:"time"`
	Runs  []HookRun `json:"runs" len:"16"`
	// Skipped is why somebody passed the failure over, "" where nobody did.
	Skipped string `json:"skipped,omitempty" is:"reason"`
}

// Name is how people call this side of the step: post-execute.
func (h StepHooks) Name() string { return h.When + "-" + h.Step }

// Failed reports that a required hook did not do its part.
func (h StepHooks) Failed() bool { return slices.ContainsFunc(h.Runs, HookRun.Stops) }

// Due reports that required hooks did not run to their end, and that none failed.
func (h StepHooks) Due() bool {
	failed := func(r HookRun) bool { return r.Stops() && r.Outcome != HookDue }
	return h.Failed() && !slices.ContainsFunc(h.Runs, failed)
}

// TextFailed reports that a required text did not work out, as who followed it says.
// Nobody else can see that, so only a person says that it is good again.
func (h StepHooks) TextFailed() bool { return slices.ContainsFunc(h.Runs, HookRun.textFailed) }

func (r HookRun) textFailed() bool {
	return !r.Optional && r.Kind == hookText && r.Outcome == HookFailed
}

// hookText is the kind of a hook that is a text, as package pipeline calls it.
const hookText = "workflow"

// SameSide: both tell of the same side of the same step.
func (h StepHooks) SameSide(other StepHooks) bool {
	return h.Step == other.Step && h.Phase == other.Phase && h.When == other.When
}

// HookOpen reports a record that holds the pipeline up: of a step that has ended, or of a
// text that failed. A program that failed before a step does not: the step did not
// begin, and the program runs anew when it does.
func (t Task) HookOpen(h StepHooks) bool {
	switch {
	case h.Skipped != "" || !h.Failed():
		return false
	case t.Status.Terminal() && !(h.Step == StepComplete && h.When == HookPost):
		return false // nothing but its end waits for anything
	}
	return h.TextFailed() || h.When == HookPost && !t.takenBack(h)
}

// takenBack reports that the step which hooks followed has not ended any more.
func (t Task) takenBack(h StepHooks) bool {
	p, ofPhase := t.Phase(h.Phase)
	switch h.Step {
	case StepClarify:
		return t.Questions.Open > 0
	case StepPlan:
		return ofPhase && !t.HasDoc(PlanOf(p.UID)) || !ofPhase && !t.HasRoadmap()
	case StepResearch:
		return ofPhase && p.Status == PhaseInProgress || !ofPhase && !t.HasDoc(DocResearch)
	case StepExecute:
		return p.Status == PhaseInProgress
	case StepReview:
		return p.Status == PhaseInProgress || p.Status == PhaseInReview && p.Review == ReviewNone
	case StepRevise:
		return len(t.Children(p.UID, KindFix)) == 0
	case StepComplete:
		return !t.Status.Terminal()
	}
	return false
}

// OpenHooks are the records that hold the pipeline up until their hooks pass, or
// somebody passes them over.
func (t Task) OpenHooks() []StepHooks {
	return slices.DeleteFunc(slices.Clone(t.StepHooks), func(h StepHooks) bool { return !t.HookOpen(h) })
}

// HooksAt is the record of one side of a step; false where there is none.
func (t Task) HooksAt(step string, phase UID, when string) (StepHooks, bool) {
	i := slices.IndexFunc(t.StepHooks, StepHooks{Step: step, Phase: phase, When: when}.SameSide)
	if i < 0 {
		return StepHooks{}, false
	}
	return t.StepHooks[i], true
}

// StepHookPayload is what OpStepHook carries: the hooks on one side of a step
// are due, ran, or could not.
type StepHookPayload struct {
	Step  string `json:"step" is:"name"`
	Phase UID    `json:"phase,omitempty"`
	When  string `json:"when" is:"side of a step"`
	// Record is the one whose hooks ran once more; "" where the step ended anew.
	Record UID       `json:"record,omitempty"`
	Runs   []HookRun `json:"runs" len:"16"`
}

// AsRecord is the record that the payload is by itself.
func (p StepHookPayload) AsRecord(uid UID) StepHooks {
	return StepHooks{UID: uid, Step: p.Step, Phase: p.Phase, When: p.When, Runs: p.Runs}
}

// TellsNew reports whether a record would say something that t does not know:
// a failure that is as it was needs no second one.
func (p StepHookPayload) TellsNew(t Task) bool {
	old, there := t.HooksAt(p.Step, p.Phase, p.When)
	h := p.AsRecord("")
	return !there || !h.Failed() || old.Skipped != "" || !slices.Equal(old.Runs, old.Updated(h, p.Record).Runs)
}

// HookSkipPayload is what OpHookSkip carries: a failure is passed over.
type HookSkipPayload struct {
	Record UID    `json:"record"`
	Reason string `json:"reason" is:"reason"`
}

const (
	StepClarify  = "clarify"
	StepResearch = "research"
	StepPlan     = "plan"
	StepExecute  = "execute"
	StepReview   = "review"
	StepRevise   = "revise"
	StepRetry    = "retry"    // a phase failed, and nothing else is left
	StepEscalate = "escalate" // a phase was tried too often
	StepComplete = "complete" // every phase is done
	StepStart    = "start"    // the task has to be started
	StepResolve  = "resolve"  // a text could not be merged
	StepDone     = "done"     // it has ended
	StepWait     = "wait"     // phases wait for each other
	StepHook     = "hook"     // what runs after a step failed
)

// HooksNamed is a record's side of its step, with the phase.
func HooksNamed(t Task, h StepHooks) string {
	if p, ok := t.Phase(h.Phase); ok {
		return "phase " + p.ID + ": " + h.Name()
	}
	return h.Name()
}

// HooksWords tell a record in a line: what did not do its part, else what did.
func HooksWords(t Task, h StepHooks) string {
	runs := slices.DeleteFunc(slices.Clone(h.Runs), HookRun.Done)
	if len(runs) == 0 {
		runs = h.Runs
	}
	var parts []string
	for _, r := range runs {
		parts = append(parts, r.Words())
	}
	return HooksNamed(t, h) + ": " + strings.Join(parts, ", ")
}

// Words tell in a line what became of a hook.
func (r HookRun) Words() string {
	s := r.Hook + " " + map[HookOutcome]string{
		HookDue: "is due", HookPassed: "passed", HookFailed: "failed", HookUntrusted: "is not trusted",
		HookMissing: "can't be used", HookTold: "was to be followed",
	}[r.Outcome]
	if r.Optional && !r.Done() {
		s += " (optional)"
	}
	if line, _, _ := strings.Cut(r.Detail, "\n"); line != "" && !r.Done() {
		s += ": " + line
	}
	return s
}

// MaxStepHooks is how many records of hooks a task keeps.
const MaxStepHooks = 200

// Updated is the record with what is said later, of the same record or of a new end
// of the step. What had to do its part after a step, and did not, has to do it still,
// whether the later word calls it optional or leaves it out.
func (h StepHooks) Updated(later StepHooks, of UID) StepHooks {
	again := of == h.UID
	if again {
		later.UID, later.Skipped = h.UID, h.Skipped
	}
	later.Runs = slices.Clone(later.Runs)
	var left []HookRun
	for _, r := range h.Runs {
		if !r.Stops() || h.Skipped != "" && !again {
			continue
		}
		i := slices.IndexFunc(later.Runs, func(is HookRun) bool { return is.Hook == r.Hook })
		switch {
		case i >= 0 && !later.Runs[i].Done():
			later.Runs[i].Optional = false
		case i < 0 && (h.When == HookPost || r.textFailed()):
			left = append(left, r)
		}
	}
	later.Runs = append(left, later.Runs...)
	return later
}

// HookRecord is the place of a record, -1 where there is none.
func HookRecord(t Task, uid UID) int {
	return slices.IndexFunc(t.StepHooks, func(h StepHooks) bool { return h.UID == uid })
}
