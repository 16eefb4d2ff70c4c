package task

import (
	"cmp"
	"fmt"
	"slices"
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
	writeReasons(&b, t, "What failed", PhaseFailed)
	writeReasons(&b, t, "What was dropped", PhaseDropped)
	writeAcceptance(&b, t)
	writeChecks(&b, t)
	writePhases(&b, t)
	writeRejections(&b, t, story)
	writeDeviations(&b, t)
	writeEscalations(&b, t)
	writeBoards(&b, t)
	writeDecisions(&b, t)
	writeSkips(&b, t)
	b.WriteString(hooksSection(t))
	writeKnowledge(&b, t)
	writeReports(&b, t, story)
	writeConflicts(&b, t)
	writeMetrics(&b, t, at)
	return b.String()
}

// behindHooks are the headings of what FinalReport tells behind the hooks; the
// last one is in every report.
var behindHooks = []string{"What was learned", "Reports", "Conflicts not resolved", "Metrics"}

// isList reports whether a text of Markdown begins with a list's item.
func isList(s string) bool {
	mark, _, _ := strings.Cut(s, " ")
	return slices.Contains([]string{"-", "*", "+"}, mark) || isNumber(strings.TrimRight(mark, ".)")) && !isNumber(mark)
}

// outcome is one sentence: what became of it.
func outcome(t Task, at string) string {
	n := CountPhases(t)
	s := fmt.Sprintf("**%s** on `%s`", strings.ToUpper(string(t.Status[:1]))+strings.ReplaceAll(string(t.Status[1:]), "_", " "), t.Branch)
	if t.Base != "" && t.BaseCommit != "" { // else it never was
		s += fmt.Sprintf(" (from `%s`)", t.Base)
	}
	if day := cmp.Or(t.FinishedAt, at); len(day) >= len("2006-01-02") {
		s += ", " + day[:len("2006-01-02")]
	}
	if n.Total > 0 {
		s += ": " + n.String()
	}
	s += "."
	if t.Reason != "" {
		s += " Reason: " + inline(t.Reason)
	}
	return s
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
		fmt.Fprintf(b, "%s- %s: %s, %s; round %d of %d, %s, %d resolved, %d rejected\n",
			header, inline(tally.Name), tally.Verdict, inline(tally.Why), tally.Round, MaxRounds, counted(len(tally.Remarks), "remark"), resolved, rejected)
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

// inline makes a text one line of Markdown that can't start anything else.
func inline(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "&lt;", "\\", "\\\\").Replace(s)
}

func cell(s string) string { return strings.ReplaceAll(inline(s), "|", `\|`) }
