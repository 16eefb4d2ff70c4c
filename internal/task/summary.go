package task

import (
	"fmt"
	"strings"
)

// maxLead bounds it, in bytes: a paragraph, not the document.
const maxLead = 1000

// Lead is the first paragraph of a document: what it is about, in a few lines;
// "" where it begins with anything else than a heading and plain text.
func Lead(text []byte) string {
	var lead []string
	size := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch level, _ := parseHeading(line); {
		case len(lead) == 0 && (line == "" || level > 0):
			continue
		case line == "" || level > 0:
			return strings.Join(lead, "\n")
		case opensFence(line) != "" || strings.HasPrefix(line, "|") || parseBox(line) != nil:
			return strings.Join(lead, "\n")
		}
		if size += len(line); size > maxLead {
			break
		}
		lead = append(lead, inline(line))
	}
	return strings.Join(lead, "\n")
}

// Summary tells one phase's current iteration in Markdown (BC-43), from the
// state alone.
func Summary(t Task, p Phase) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Phase %s, iteration %d: %s\n\n", p.ID, p.Iteration, inline(p.Title))
	fmt.Fprintf(&b, "- Status: %s\n", standing(p))
	if p.Reason != "" {
		fmt.Fprintf(&b, "- Reason: %s\n", inline(p.Reason))
	}
	if s := worked(p.WorkedSeconds); s != "" {
		fmt.Fprintf(&b, "- Worked: %s\n", s)
	}
	if s := commits(p); s != "" {
		fmt.Fprintf(&b, "- Commits: %s\n", s)
	}
	for _, c := range p.Acceptance {
		fmt.Fprintf(&b, "- Accepted when: %s\n", inline(c))
	}
	for _, fix := range t.children(p.UID, KindFix) {
		fmt.Fprintf(&b, "- Fix %s: %s, %s\n", fix.ID, inline(fix.Title), standing(fix))
	}
	header := "\n## Reports\n\n"
	for _, r := range t.Reports {
		if r.Phase == p.UID && r.Iteration == p.Iteration {
			fmt.Fprintf(&b, "%s- `%s`\n", header, ReportPath(t, r))
			header = ""
		}
	}
	for _, path := range MissingReports(t, p) {
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
