package task

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
)

// Story is what the final report tells beside the state.
type Story struct {
	About string // what the task was about, see Lead
	// Rejections are the reasons of reviews that wanted changes, in order.
	Rejections map[UID][]string
	// Reports are the beginnings of reports, by the reports' ids.
	Reports map[UID]string
}

// FinalReport tells a task's whole story in Markdown (BC-34, BC-44): fit to be a pull request's
// description. at is when, RFC 3339 in UTC, and stands for an end that is not
// recorded.
func FinalReport(t Task, story Story, at string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", inline(t.Title))
	if story.About != "" {
		if isList(story.About) { // a list says nothing without a heading
			b.WriteString("## What it is about\n\n")
		}
		fmt.Fprintf(&b, "%s\n\n", story.About)
	}
	fmt.Fprintf(&b, "%s\n", outcome(t, at))
	writeFailures(&b, t)
	writeAcceptance(&b, t)
	writeChecks(&b, t)
	writePhases(&b, t)
	writeRejections(&b, t, story)
	writeEscalations(&b, t)
	writeBoards(&b, t)
	writeDecisions(&b, t)
	writeSkips(&b, t)
	writeHooks(&b, t)
	writeKnowledge(&b, t)
	writeReports(&b, t, story)
	writeConflicts(&b, t)
	writeMetrics(&b, t, at)
	return b.String()
}

// isList reports whether a text of Markdown begins with a list's item.
func isList(s string) bool {
	mark, _, _ := strings.Cut(s, " ")
	return slices.Contains([]string{"-", "*", "+"}, mark) || isNumber(strings.TrimRight(mark, ".)")) && !isNumber(mark)
}

// outcome is one sentence: what became of it.
func outcome(t Task, at string) string {
	done := 0
	for _, p := range t.Phases {
		if p.Status == PhaseCompleted {
			done++
		}
	}
	s := fmt.Sprintf("**%s** on `%s`", strings.ToUpper(string(t.Status[:1]))+strings.ReplaceAll(string(t.Status[1:]), "_", " "), t.Branch)
	if t.Base != "" && t.BaseCommit != "" { // else it never was
		s += fmt.Sprintf(" (from `%s`)", t.Base)
	}
	if day := cmp.Or(t.FinishedAt, at); len(day) >= len("2006-01-02") {
		s += ", " + day[:len("2006-01-02")]
	}
	switch n := len(t.Phases); {
	case n == 1:
		s += fmt.Sprintf(": %d of 1 phase completed.", done)
	case n > 1:
		s += fmt.Sprintf(": %d of %d phases completed.", done, n)
	default:
		s += "."
	}
	if t.Reason != "" {
		s += " " + inline(t.Reason)
	}
	return s
}

func writeFailures(b *strings.Builder, t Task) {
	header := "\n## What failed\n\n"
	for _, p := range t.Phases {
		if p.Status == PhaseFailed {
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

// writeAcceptance lists what had to hold, ticked where it was reviewed.
func writeAcceptance(b *strings.Builder, t Task) {
	header := "\n## What was asked for\n\n"
	for _, p := range t.Phases {
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
			if seen[command] || strings.ContainsAny(command, "\n`") {
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
		line := t.ShownStep(k.Step, k.Phase)
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

// writeBoards tells in a line what each board of reviewers came to.
func writeBoards(b *strings.Builder, t Task) {
	header := "\n## What reviewers said\n\n"
	for _, on := range Boards(t) {
		tally := TallyOf(t, on)
		resolved, rejected := 0, 0
		for _, r := range tally.Remarks {
			switch {
			case r.Resolved:
				resolved++
			case r.Ruling == Rejected:
				rejected++
			}
		}
		fmt.Fprintf(b, "%s- %s: %s, %s; round %d of %d, %d remarks, %d resolved, %d rejected\n",
			header, inline(tally.Name), tally.Verdict, inline(tally.Why), tally.Round, MaxRounds, len(tally.Remarks), resolved, rejected)
		header = ""
	}
}

// writeDecisions tells the decisions that hold, each with its reasons.
func writeDecisions(b *strings.Builder, t Task) {
	header := "\n## What was decided\n\n"
	for i, d := range t.Decisions {
		if d.Status != DecisionActive {
			continue
		}
		fmt.Fprintf(b, "%s- %s %s", header, ShownDecision(i), inline(d.Title))
		if d.Why != "" {
			fmt.Fprintf(b, ": %s", inline(d.Why))
		}
		for _, a := range d.Rejected {
			fmt.Fprintf(b, "; not %s", inline(a.What))
			if a.Why != "" {
				fmt.Fprintf(b, " (%s)", inline(a.Why))
			}
		}
		b.WriteString("\n")
		header = ""
	}
}

func writeKnowledge(b *strings.Builder, t Task) {
	header := "\n## What was learned\n\n"
	for _, k := range []knowledge.Kind{knowledge.Avoid, knowledge.Practice, knowledge.Fact} {
		for _, e := range t.Knowledge {
			if e.T == k && !e.Handoff() {
				fmt.Fprintf(b, "%s- **%s** %s\n", header, k, inline(e.Txt))
				header = ""
			}
		}
	}
}

// maxReport is how much of a report's beginning is told, in bytes.
const maxReport = 240

// writeReports says in a line what each report says; its path alone, where that
// begins with no text, opens in no forge.
func writeReports(b *strings.Builder, t Task, story Story) {
	header := "\n## Reports\n\n"
	for _, p := range t.Phases {
		for _, r := range t.Reports {
			if r.Phase == p.UID {
				line := "`" + ReportPath(t, r) + "`"
				if lead := story.Reports[r.UID]; lead != "" {
					line = fmt.Sprintf("%s, iteration %d, %s: %s", p.ID, r.Iteration, r.Agent, clip(inline(lead), maxReport))
				}
				fmt.Fprintf(b, "%s- %s\n", header, line)
				header = ""
			}
		}
	}
}

func writeConflicts(b *strings.Builder, t Task) {
	header := "\n## Conflicts not resolved\n\n"
	for _, c := range t.Conflicts {
		fmt.Fprintf(b, "%s- `%s` beside `%s%s`\n", header, c.Path, conflictsDir, c.UID)
		header = ""
	}
}

func writeMetrics(b *strings.Builder, t Task, at string) {
	iterations, fixes, seconds := 0, 0, int64(0)
	for _, p := range t.Phases {
		iterations += p.Iteration
		seconds += p.WorkedSeconds
		if p.Kind == KindFix {
			fixes++
		}
	}
	counts := knowledge.Count(t.Knowledge)
	b.WriteString("\n## Metrics\n\n| | |\n|---|---|\n")
	row := func(name string, value any) { fmt.Fprintf(b, "| %s | %v |\n", name, value) }
	row("Phases", len(t.Phases))
	row("Fix phases", fixes)
	row("Iterations", iterations)
	row("Worked", cmp.Or(worked(seconds), "0s"))
	if t.StartedAt != "" {
		row("From start to end", cmp.Or(worked(secondsBetween(t.StartedAt, cmp.Or(t.FinishedAt, at))), "0s"))
	}
	row("Reports", len(t.Reports))
	row("Knowledge", fmt.Sprintf("%d avoid, %d practice, %d fact", counts.Avoid, counts.Practice, counts.Fact))
	row("Task", "`"+string(t.ID)+"`")
}

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

// maxLead bounds it, in bytes: a paragraph, not the document.
const maxLead = 1000

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

// inline makes a text one line of Markdown that can't start anything else.
func inline(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "&lt;", "\\", "\\\\").Replace(s)
}

func cell(s string) string { return strings.ReplaceAll(inline(s), "|", `\|`) }
