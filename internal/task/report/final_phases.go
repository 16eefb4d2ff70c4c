package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// maxAbout and maxReport are how much is told of what a task was about, and of a report's
// beginning, in bytes; maxCommits how many commits of a phase.
const (
	maxAbout   = 1000
	maxReport  = 240
	maxCommits = 20
)

func failures(t task.Task) section {
	failed := phasesThat(t, "What failed", task.PhaseFailed)
	if t.Status == task.Failed && t.Reason != "" {
		failed.lines = slices.Insert(failed.lines, 0, "- "+task.Inline(t.Reason)+"\n")
	}
	return failed
}

func phasesThat(t task.Task, heading string, status task.PhaseStatus) section {
	all := section{heading: heading}
	for _, p := range t.Phases {
		if p.Status == status {
			all.add("%s%s", shownPhase(p), because(p.Reason))
		}
	}
	return all
}

func shownPhase(p task.Phase) string { return fmt.Sprintf("Phase %s, %s", p.ID, task.Inline(p.Title)) }

// done tells of each phase what its reports say, and its commits.
func done(t task.Task, story Story) section {
	all := section{heading: "What was done"}
	for _, p := range t.Phases {
		reported := slices.ContainsFunc(t.Reports, func(r task.Report) bool { return r.Phase == p.UID })
		begun := p.Status != task.PhasePending && p.FailedBy == "" || p.Iteration > 0 || reported
		if p.Status == task.PhaseDropped || !begun || len(p.Turns) > 0 && p.Status != task.PhaseCompleted {
			begun = len(story.Commits[p.UID]) > 0 // of workers, only what is merged is done
		}
		if !begun {
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
		if len(story.Commits[p.UID]) == 0 && p.EndCommit != "" && p.EndCommit != p.StartCommit {
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
		all.add("%s%s", line, toldCommits(story.Commits[p.UID]))
	}
	if rest := story.Commits[""]; len(rest) > 0 {
		title := "**Beside the phases**"
		if len(t.Phases) == 0 {
			title = "**Commits**"
		}
		all.add("%s%s", title, toldCommits(rest))
	}
	return all
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
	return "`" + short(p.StartCommit) + ".." + short(p.EndCommit) + "`"
}

// acceptance lists what had to hold, ticked where it was reviewed.
func acceptance(t task.Task) section {
	all := section{heading: "What was asked for"}
	for _, p := range t.Phases {
		if p.Status == task.PhaseDropped {
			continue
		}
		box := "[ ]"
		if p.Status == task.PhaseCompleted {
			box = "[x]"
		}
		for _, a := range p.Acceptance {
			all.add("%s %s (phase %s)", box, task.Inline(a), p.ID)
		}
	}
	return all
}

// checks lists the commands that show it, each once.
func checks(t task.Task) section {
	all := section{heading: "How to check it"}
	for _, p := range t.Phases {
		for _, command := range p.Verification {
			line := "    " + command + "\n"
			// Of several lines, or with a quote, it would leave its line.
			if p.Status != task.PhaseDropped && !slices.Contains(all.lines, line) && !strings.ContainsAny(command, "\n`") {
				all.lines = append(all.lines, line)
			}
		}
	}
	return all
}

// looks tells what a reviewer has to look at: what the code as it is now does not
// show, or was not done as it was planned.
func looks(t task.Task, story Story) section {
	all := section{heading: "What to look at"}
	for _, p := range t.Phases {
		for _, reason := range story.Rejections[p.UID] {
			all.add("%s, was sent back: %s", shownPhase(p), task.Inline(reason))
		}
		for _, d := range p.Deviations {
			all.add("%s, departs from its plan: %s (%s)%s", shownPhase(p), task.Inline(d.What), d.Impact,
				because(d.Reason))
		}
		for _, x := range p.Escalations {
			agreed, how := "", strings.Replace(string(x.Action), string(task.ActionUpgrade), "to a higher tier", 1)
			if len(x.Agreed) > 0 {
				agreed = " (" + strings.Join(x.Agreed, ", ") + " agreed)"
			}
			if len(p.Turns) == 0 || x.Action != task.ActionUpgrade { // of workers it stands in one line
				all.add("%s, was escalated after iteration %d: %s%s%s", shownPhase(p), x.Attempts, how,
					because(x.Reason), agreed)
			}
		}
		all.lines = append(all.lines, workersLooks(p).lines...)
	}
	for _, text := range story.Backlog {
		all.add("Left for later: %s", task.Inline(text))
	}
	for _, tally := range rules.Tallies(t) {
		all.add("%s", boardTold(tally))
	}
	for _, k := range t.Skips {
		if k.Told() {
			open := ""
			if k.Open > 0 {
				open = fmt.Sprintf(" (%d of its questions open)", k.Open)
			}
			all.add("Skipped: %s%s%s", t.ShownStep(k.Passed), open, because(k.Reason))
		}
	}
	for _, h := range t.StepHooks {
		ending := h.Step == task.StepComplete && h.When == task.HookPost // they run when the report is written
		switch words := task.Inline(task.HooksWords(t, h)); {
		case h.Skipped != "":
			all.add("%s; passed over: %s", words, task.Inline(h.Skipped))
		case h.Failed() && !ending:
			all.add("%s", words)
		}
	}
	for _, c := range t.Conflicts {
		all.add("`%s` could not be merged; the other text is `%s`", c.Path, task.ConflictPath(c))
	}
	return all
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
	line := fmt.Sprintf("Reviewers of %s: %s, %s", task.Inline(t.Board), t.Verdict, task.Inline(t.Why))
	if t.Round > 1 {
		line += fmt.Sprintf("; round %d of %d", t.Round, task.MaxRounds)
	}
	if n := len(t.Remarks); n > 0 {
		line += "; " + task.Counted(n, "remark")
	}
	return line
}
