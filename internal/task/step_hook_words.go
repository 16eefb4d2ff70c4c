package task

import (
	"slices"
	"strings"
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
