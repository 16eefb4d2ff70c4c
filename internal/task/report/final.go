// Package report makes texts from states: the sentence and the trailers of an
// operation's commit, the summary of an iteration, the final report.
package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Story is what the final report tells beside the state.
type Story struct {
	About string // what the task was about
	// Rejections are the reasons of reviews that wanted changes, in order.
	Rejections map[task.UID][]string
	// Reports are the beginnings of reports, by the reports' ids.
	Reports map[task.UID]string
	// Commits are each phase's, the first one first, and under "" those of no phase;
	// each stands once.
	Commits map[task.UID][]ToldCommit
	// Stat is git's diffstat of the whole task, "" for none.
	Stat string
	// Backlog is what came up in it that is open yet, and beyond it.
	Backlog []string
}

// ToldCommit is a commit as the final report names it.
type ToldCommit struct{ ID, Subject string }

// FinalReport tells a task's whole story in Markdown (BC-34, BC-44), as the description
// of a pull request: what was done and why, in which commits, what was decided, what a
// reviewer has to look at. What there is none of is not told. at is when, RFC 3339 in
// UTC, and stands for an end that is not recorded.
func FinalReport(t task.Task, story Story, at string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", task.Inline(t.Title))
	if story.About != "" {
		fmt.Fprintf(&b, "\n%s\n", task.Clip(task.Inline(story.About), maxAbout))
	}
	for _, part := range []section{failures(t), done(t, story), phasesThat(t, "What was dropped", task.PhaseDropped)} {
		part.write(&b)
	}
	if story.Stat != "" {
		b.WriteString("\n## Changes\n\n")
		for line := range strings.Lines(story.Stat) {
			b.WriteString("    " + strings.TrimSpace(line) + "\n")
		}
	}
	for _, part := range []section{decisions(t), acceptance(t), checks(t), looks(t, story), workers(t), learned(t)} {
		part.write(&b)
	}
	writeTask(&b, t, at)
	return b.String()
}

// section is a part of the report that stands there where it has an item.
type section struct {
	heading string
	lines   []string
}

func (s *section) add(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf("- "+format+"\n", args...))
}

func (s *section) write(b *strings.Builder) {
	if len(s.lines) > 0 {
		b.WriteString("\n## " + s.heading + "\n\n" + strings.Join(s.lines, ""))
	}
}

// decisions tells the decisions that hold, each with its reasons.
func decisions(t task.Task) section {
	all := section{heading: "What was decided"}
	for i, d := range t.Decisions {
		if d.Status != task.DecisionActive {
			continue
		}
		line := task.ShownDecision(i) + " " + task.Inline(d.Title) + because(d.Why)
		for _, a := range d.Rejected {
			line += "; not " + task.Inline(a.What)
			if a.Why != "" {
				line += " (" + task.Inline(a.Why) + ")"
			}
		}
		all.add("%s", line)
	}
	return all
}

func learned(t task.Task) section {
	all := section{heading: "What was learned"}
	for _, k := range []knowledge.Kind{knowledge.Avoid, knowledge.Practice, knowledge.Fact} {
		for _, e := range t.Knowledge {
			if e.T == k && !e.Handoff() {
				all.add("**%s** %s", k, task.Inline(e.Txt))
			}
		}
	}
	return all
}

// writeTask says what became of the task, and in how much work.
func writeTask(b *strings.Builder, t task.Task, at string) {
	n, iterations, seconds := task.CountPhases(t), 0, int64(0)
	for _, p := range t.Phases {
		iterations += p.Iteration
		seconds += p.WorkedSeconds
	}
	branch := func(name string) string { return "`" + strings.ReplaceAll(name, "`", "'") + "`" } // git has such names
	fmt.Fprintf(b, "\n## The task\n\n`%s` on %s", t.ID, branch(t.Branch))
	if t.Base != "" && t.BaseCommit != "" { // else it never was
		fmt.Fprintf(b, " (from %s)", branch(t.Base))
	}
	fmt.Fprintf(b, ": %s", t.Status)
	if day := cmp.Or(t.FinishedAt, at); len(day) >= len("2006-01-02") {
		b.WriteString(" on " + day[:len("2006-01-02")])
	}
	if t.Status != task.Failed { // that is told first
		b.WriteString(strings.TrimRight(because(t.Reason), "."))
	}
	var parts []string
	if n.Completed > 0 {
		parts = append(parts, n.String())
	}
	if iterations > n.Completed {
		parts = append(parts, task.Counted(iterations, "iteration"))
	}
	if words := worked(seconds); words != "" {
		parts = append(parts, "worked "+words)
	}
	if len(parts) > 0 {
		b.WriteString(". " + task.Sentence(strings.Join(parts, ", ")))
	}
	b.WriteString(".\n")
}

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
	reports := section{heading: "Reports"}
	for _, r := range t.Reports {
		if r.Phase == p.UID && r.Iteration == p.Iteration {
			reports.add("`%s`", task.ReportPath(t, r))
		}
	}
	for _, path := range task.MissingReports(t, p) {
		reports.add("`%s` is MISSING", path)
	}
	reports.write(&b)
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
