package report

import (
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// writeHooks tells which hooks did not do their part, and what became of that. What is
// after the end of a task runs when the report is written.
func writeHooks(b *strings.Builder, t task.Task) {
	around := section{heading: "Hooks around steps"}
	for _, h := range t.StepHooks {
		var parts []string
		for _, r := range h.Runs {
			if !r.Done() {
				parts = append(parts, r.Words())
			}
		}
		if len(parts) > 0 && !(h.Step == task.StepComplete && h.When == task.HookPost) {
			around.add("%s", task.Inline(task.HooksNamed(t, h)+": "+strings.Join(parts, ", "))+became(h))
		}
	}
	around.write(b)
}

// became says what became of a failure, behind it.
func became(h task.StepHooks) string {
	switch {
	case h.Skipped != "":
		return "; passed over: " + task.Inline(h.Skipped)
	case !h.Failed():
		return ""
	case h.When == task.HookPre:
		return "; the step did not begin"
	}
	return "; nothing became of that yet"
}
