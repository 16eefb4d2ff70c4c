package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// writeReasons tells under a heading why phases have a status.
func writeReasons(b *strings.Builder, t Task, header string, status PhaseStatus) {
	header = "\n## " + header + "\n\n"
	for _, p := range t.Phases {
		if p.Status == status {
			fmt.Fprintf(b, "%s- %s %s: %s%s\n", header, p.ID, inline(p.Title), inline(p.Reason), escalated(p))
			header = ""
		}
	}
}

// escalated says in brackets what was done about a phase, "" for nothing.
func escalated(p Phase) string {
	if len(p.Escalations) == 0 {
		return ""
	}
	actions := make([]string, len(p.Escalations))
	for i, x := range p.Escalations {
		actions[i] = string(x.Action)
	}
	return " (escalated: " + strings.Join(actions, ", ") + ")"
}

// writeEscalations tells what did not succeed at first, and what was done.
func writeEscalations(b *strings.Builder, t Task) {
	header := "\n## What was escalated\n\n"
	for _, p := range t.Phases {
		for _, x := range p.Escalations {
			fmt.Fprintf(b, "%s- %s %s, after iteration %d: %s", header, p.ID, inline(p.Title), x.Attempts, x.Action)
			if x.Reason != "" {
				b.WriteString(": " + inline(x.Reason))
			}
			if len(x.Agreed) > 0 {
				b.WriteString(" (" + strings.Join(x.Agreed, ", ") + " agreed)")
			}
			b.WriteString("\n")
			header = ""
		}
	}
}

// writeAcceptance lists what had to hold, ticked where it was reviewed; nobody asks any
// more for what was dropped.
func writeAcceptance(b *strings.Builder, t Task) {
	header := "\n## What was asked for\n\n"
	for _, p := range t.Phases {
		if p.Status == PhaseDropped {
			continue
		}
		box := "[ ]"
		if p.Status == PhaseCompleted {
			box = "[x]"
		}
		for _, a := range p.Acceptance {
			fmt.Fprintf(b, "%s- %s %s (phase %s)\n", header, box, inline(a), p.ID)
			header = ""
		}
	}
}

// writeChecks lists the commands that show it, each once.
func writeChecks(b *strings.Builder, t Task) {
	header := "\n## How to check it\n\n"
	seen := map[string]bool{}
	for _, p := range t.Phases {
		for _, command := range p.Verification {
			if p.Status == PhaseDropped || seen[command] || strings.ContainsAny(command, "\n`") {
				continue // it would leave its line
			}
			seen[command] = true
			fmt.Fprintf(b, "%s    %s\n", header, command)
			header = ""
		}
	}
}

func writePhases(b *strings.Builder, t Task) {
	if len(t.Phases) == 0 {
		return
	}
	columns := []struct {
		name string
		of   func(Phase) string
	}{
		{"#", func(p Phase) string { return p.ID }},
		{"Phase", func(p Phase) string { return cell(p.Title) }},
		{"Status", func(p Phase) string { return cell(standing(p)) }},
		{"Iterations", func(p Phase) string { return strconv.Itoa(p.Iteration) }},
		{"Worked", func(p Phase) string { return worked(p.WorkedSeconds) }},
		{"Commits", commits},
	}
	rows := make([]string, len(t.Phases)+2)
	for _, c := range columns {
		if !slices.ContainsFunc(t.Phases, func(p Phase) bool { return c.of(p) != "" }) {
			continue
		}
		rows[0] += "| " + c.name + " "
		rows[1] += "|---"
		for i, p := range t.Phases {
			rows[i+2] += "| " + c.of(p) + " "
		}
	}
	b.WriteString("\n## Phases\n\n" + strings.Join(rows, "|\n") + "|\n")
}

// writeRejections tells what reviews found, which the code as it is now hides.
func writeRejections(b *strings.Builder, t Task, story Story) {
	header := "\n## What reviews sent back\n\n"
	for _, p := range t.Phases {
		for _, reason := range story.Rejections[p.UID] {
			fmt.Fprintf(b, "%s- %s %s: %s\n", header, p.ID, inline(p.Title), inline(reason))
			header = ""
		}
	}
}

// writeSkips tells which steps were passed over.
func writeSkips(b *strings.Builder, t Task) {
	header := "\n## What was skipped\n\n"
	for _, k := range t.Skips {
		line := k.Shown(t)
		if k.Open > 0 {
			line += fmt.Sprintf(" (%d of its questions open)", k.Open)
		}
		if k.Reason != "" {
			line += ": " + inline(k.Reason)
		}
		fmt.Fprintf(b, "%s- %s\n", header, line)
		header = ""
	}
}

// commits is the span of a phase's code.
func commits(p Phase) string {
	short := func(s string) string { return s[:min(len(s), 7)] }
	switch {
	case p.StartCommit == "":
		return ""
	case p.EndCommit == "" || p.EndCommit == p.StartCommit:
		return "`" + short(p.StartCommit) + "`"
	}
	return "`" + short(p.StartCommit) + ".." + short(p.EndCommit) + "`"
}
