package task

import (
	"fmt"
	"slices"
	"strings"
)

// behindHooks are the headings of what FinalReport tells behind the hooks; the
// last one is in every report.
var behindHooks = []string{"What was learned", "The task"}

// hooksNamed is a record's side of its step, with the phase.
func HooksNamed(t Task, h StepHooks) string {
	if p, ok := t.Phase(h.Phase); ok {
		return "phase " + p.ID + ": " + h.Name()
	}
	return h.Name()
}

// hooksWords tell a record in a line: what failed, else what passed.
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

// hooksSection tells which hooks did not do their part, and what became of that;
// what is word for word the same, once. It is "" where all did.
func HooksSection(t Task) string {
	var b strings.Builder
	var lines []string
	times := map[string]int{}
	for i, h := range t.StepHooks {
		var parts []string
		for _, r := range h.Runs {
			if !r.done() {
				parts = append(parts, r.Words())
			}
		}
		if len(parts) == 0 {
			continue
		}
		line := Inline(HooksNamed(t, h)+": "+strings.Join(parts, ", ")) + t.became(i)
		if times[line]++; times[line] == 1 {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if i == 0 {
			b.WriteString(hooksHeading)
		}
		if n := times[line]; n > 1 {
			line += fmt.Sprintf(" (%d times)", n)
		}
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return b.String()
}

// hooksHeading begins that section of the final report.
const hooksHeading = "\n## Hooks around steps\n\n"

// became says what became of what record i tells, behind it.
func (t Task) became(i int) string {
	h := t.StepHooks[i]
	switch {
	case h.Settled == HooksSkipped:
		return "; passed over: " + Inline(h.Reason)
	case h.Settled == HooksUndone:
		return "; the step was taken back"
	case !h.Failed():
		return ""
	case t.ranAgain(i):
		return "; ran again"
	case h.When == HookPre:
		return "; the step did not begin"
	}
	return "; nothing became of that yet"
}

// RetellHooks makes a final report, which says of hooks what held in was, say what
// holds in now. It is false where the report is not git brew's in that.
func RetellHooks(report string, was, now Task) (string, bool) {
	told, tells := HooksSection(was), HooksSection(now)
	if told != "" {
		before, after, found := strings.Cut(report, told)
		if !found || after != "" && !strings.HasPrefix(after, "\n") {
			return report, false
		}
		return before + tells + after, true
	}
	if strings.Contains(report, hooksHeading) {
		return report, false
	}
	for _, heading := range behindHooks {
		if at := strings.Index(report, "\n## "+heading+"\n"); at >= 0 {
			return report[:at] + tells + report[at:], true
		}
	}
	return report, false
}
