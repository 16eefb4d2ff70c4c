package report

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Summary tells one phase's current iteration in Markdown (BC-43), from the
// state alone.
func Summary(t task.Task, p task.Phase) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Phase %s, iteration %d: %s\n\n", p.ID, p.Iteration, task.Inline(p.Title))
	fmt.Fprintf(&b, "- Status: %s\n", rules.ShownStatus(p))
	if p.Reason != "" {
		fmt.Fprintf(&b, "- Reason: %s\n", task.Inline(p.Reason))
	}
	if s := worked(p.WorkedSeconds); s != "" {
		fmt.Fprintf(&b, "- Worked: %s\n", s)
	}
	if s := commits(p); s != "" {
		fmt.Fprintf(&b, "- Commits: %s\n", s)
	}
	for _, c := range p.Acceptance {
		fmt.Fprintf(&b, "- Accepted when: %s\n", task.Inline(c))
	}
	for _, fix := range t.Children(p.UID, task.KindFix) {
		fmt.Fprintf(&b, "- Fix %s: %s, %s\n", fix.ID, task.Inline(fix.Title), rules.ShownStatus(fix))
	}
	header := "\n## Reports\n\n"
	for _, r := range t.Reports {
		if r.Phase == p.UID && r.Iteration == p.Iteration {
			fmt.Fprintf(&b, "%s- `%s`\n", header, task.ReportPath(t, r))
			header = ""
		}
	}
	for _, path := range task.MissingReports(t, p) {
		fmt.Fprintf(&b, "%s- `%s` is MISSING\n", header, path)
		header = ""
	}
	return b.String()
}

// worked is a length of time in its two largest units, "" for none.
func worked(seconds int64) string {
	switch {
	case seconds <= 0:
		return ""
	case seconds < 60:
		return fmt.Sprintf("%ds", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%dm", seconds/60)
	}
	return fmt.Sprintf("%dh %dm", seconds/3600, seconds%3600/60)
}
