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

// HooksWords tell a record in a line: what failed, else what passed.
func HooksWords(t Task, h StepHooks) string {
	runs := slices.Clone(h.Runs)
	slices.SortStableFunc(runs, func(a, b HookRun) int { return rank(a) - rank(b) })
	var parts []string
	for _, r := range runs {
		parts = append(parts, r.Words())
	}
	return HooksNamed(t, h) + ": " + strings.Join(parts, ", ")
}

// rank puts what matters first.
func rank(r HookRun) int {
	switch {
	case r.Stops():
		return 0
	case !r.Done():
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
	if r.Optional && !r.Done() {
		s += " (optional)"
	}
	if line, _, _ := strings.Cut(r.Detail, "\n"); line != "" && !r.Done() {
		s += ": " + line
	}
	return s
}
