package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// maxReport is how much of a report's beginning is told, in bytes; maxCommits how many
// commits of a phase.
const (
	maxReport  = 240
	maxCommits = 20
)

func writeFailures(b *strings.Builder, t task.Task) {
	failed := section{heading: "What failed"}
	if t.Status == task.Failed && t.Reason != "" {
		failed.add("%s", task.Inline(t.Reason))
	}
	for _, p := range t.Phases {
		if p.Status == task.PhaseFailed {
			failed.add("%s: %s", shownPhase(p), task.Inline(p.Reason))
		}
	}
	failed.write(b)
}

// writeDropped tells why phases were not wanted any more.
func writeDropped(b *strings.Builder, t task.Task) {
	dropped := section{heading: "What was dropped"}
	for _, p := range t.Phases {
		if p.Status == task.PhaseDropped {
			dropped.add("%s: %s", shownPhase(p), task.Inline(p.Reason))
		}
	}
	dropped.write(b)
}

// shownPhase is a phase in a sentence.
func shownPhase(p task.Phase) string { return fmt.Sprintf("phase %s, %s", p.ID, task.Inline(p.Title)) }

// writeDone tells of each phase what its reports say, and its commits.
func writeDone(b *strings.Builder, t task.Task, story Story) {
	done := section{heading: "What was done"}
	for _, p := range t.Phases {
		reported := slices.ContainsFunc(t.Reports, func(r task.Report) bool { return r.Phase == p.UID })
		begun := p.Status != task.PhasePending || p.Iteration > 0 || reported
		if (p.Status == task.PhaseDropped || !begun) && len(story.Commits[p.UID]) == 0 {
			continue
		}
		var facts []string
		if p.Kind == task.KindFix || p.Kind == task.KindResearch {
			facts = append(facts, string(p.Kind))
		}
		if p.Status != task.PhaseCompleted {
			facts = append(facts, rules.ShownStatus(p))
		}
		if p.Iteration > 1 {
			facts = append(facts, task.Counted(p.Iteration, "iteration"))
		}
		if len(story.Commits[p.UID]) == 0 && p.StartCommit != "" {
			facts = append(facts, commits(p))
		}
		line := fmt.Sprintf("**%s %s**", p.ID, task.Inline(p.Title))
		if len(facts) > 0 {
			line += " (" + strings.Join(facts, ", ") + ")"
		}
		for _, r := range t.Reports {
			switch lead := story.Reports[r.UID]; {
			case r.Phase != p.UID:
			case lead == "": // it begins with no text
				line += fmt.Sprintf("\n  - %s: `%s`", r.Agent, task.ReportPath(t, r))
			default:
				line += fmt.Sprintf("\n  - %s: %s", r.Agent, task.Clip(task.Inline(lead), maxReport))
			}
		}
		done.add("%s%s", line, toldCommits(story.Commits[p.UID]))
	}
	if rest := story.Commits[""]; len(rest) > 0 {
		title := "**Beside the phases**"
		if len(t.Phases) == 0 {
			title = "**Commits**"
		}
		done.add("%s%s", title, toldCommits(rest))
	}
	done.write(b)
}

func toldCommits(all []ToldCommit) string {
	var b strings.Builder
	for _, c := range all[:min(len(all), maxCommits)] {
		fmt.Fprintf(&b, "\n  - `%s` %s", c.ID[:min(len(c.ID), 7)], task.Inline(c.Subject))
	}
	if more := len(all) - maxCommits; more > 0 {
		fmt.Fprintf(&b, "\n  - and %s", task.Counted(more, "commit"))
	}
	return b.String()
}

// commits is the span of a phase's code.
func commits(p task.Phase) string {
	short := func(s string) string { return s[:min(len(s), 7)] }
	if p.EndCommit == "" || p.EndCommit == p.StartCommit {
		return "`" + short(p.StartCommit) + "`"
	}
	return "`" + short(p.StartCommit) + ".." + short(p.EndCommit) + "`"
}

// writeAcceptance lists what had to hold, ticked where it was reviewed.
func writeAcceptance(b *strings.Builder, t task.Task) {
	asked := section{heading: "What was asked for"}
	for _, p := range t.Phases {
		if p.Status == task.PhaseDropped {
			continue
		}
		box := "[ ]"
		if p.Status == task.PhaseCompleted {
			box = "[x]"
		}
		for _, a := range p.Acceptance {
			asked.add("%s %s (phase %s)", box, task.Inline(a), p.ID)
		}
	}
	asked.write(b)
}

// writeChecks lists the commands that show it, each once.
func writeChecks(b *strings.Builder, t task.Task) {
	header := "\n## How to check it\n\n"
	seen := map[string]bool{}
	for _, p := range t.Phases {
		if p.Status == task.PhaseDropped {
			continue
		}
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

// writeLooks tells what a reviewer has to look at: what the code as it is now does not
// show, or was not done as it was planned.
func writeLooks(b *strings.Builder, t task.Task, story Story) {
	looks := section{heading: "What to look at"}
	for _, p := range t.Phases {
		for _, reason := range story.Rejections[p.UID] {
			looks.add("%s, was sent back: %s", upperFirst(shownPhase(p)), task.Inline(reason))
		}
		for _, d := range p.Deviations {
			looks.add("%s, departs from its plan: %s (%s)%s", upperFirst(shownPhase(p)), task.Inline(d.What), d.Impact,
				because(d.Reason))
		}
		for _, x := range p.Escalations {
			agreed := ""
			if len(x.Agreed) > 0 {
				agreed = " (" + strings.Join(x.Agreed, ", ") + " agreed)"
			}
			looks.add("%s, was escalated after iteration %d: %s%s%s", upperFirst(shownPhase(p)), x.Attempts, x.Action,
				because(x.Reason), agreed)
		}
	}
	for _, on := range task.Boards(t) {
		looks.add("%s", boardTold(rules.TallyOf(t, on)))
	}
	for _, k := range t.Skips {
		if k.Told() {
			open := ""
			if k.Open > 0 {
				open = fmt.Sprintf(" (%d of its questions open)", k.Open)
			}
			looks.add("Skipped: %s%s%s", k.Shown(t), open, because(k.Reason))
		}
	}
	for _, c := range t.Conflicts {
		looks.add("`%s` could not be merged; the other text is `%s`", c.Path, task.ConflictPath(c))
	}
	looks.write(b)
}

// because is a reason behind what it is for, "" for none.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + task.Inline(reason)
}

// boardTold tells in a line what a board of reviewers came to.
func boardTold(t rules.Tally) string {
	resolved, rejected := 0, 0
	for _, r := range t.Remarks {
		if r.Resolved {
			resolved++
		} else if r.Ruling == task.Rejected {
			rejected++
		}
	}
	line := fmt.Sprintf("Reviewers of %s: %s, %s", task.Inline(t.Board), t.Verdict, task.Inline(t.Why))
	if t.Round > 1 {
		line += fmt.Sprintf("; round %d of %d", t.Round, task.MaxRounds)
	}
	if n := len(t.Remarks); n > 0 {
		line += "; " + task.Counted(n, "remark")
	}
	if resolved > 0 {
		line += fmt.Sprintf(", %d resolved", resolved)
	}
	if rejected > 0 {
		line += fmt.Sprintf(", %d rejected", rejected)
	}
	return line
}
