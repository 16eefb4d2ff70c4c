package taskview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// OffWords says why the mode restricts nobody, here or anywhere; "" where it may.
func OffWords(v session.View) string {
	switch {
	case v.Off == clone.OffCI:
		return "CI is set: hooks step aside"
	case v.Off != "":
		return string(v.Off) + " is set: agents are kept from nothing"
	case !v.Guarded:
		return "brew.gate is off: the mode restricts nothing"
	}
	return ""
}

// RewrittenWords says what of a range was rewritten, and what stands for it.
func RewrittenWords(r codediff.DiffRange) string { return fmt.Sprintf(r.Moved, ui.Short(r.From)) }

// FromWords says where a branch begins: ", from main 4f1c2aa".
func FromWords(base, commit string) string {
	return ui.Either(commit == "", "", ", from "+ui.Joined(" ", ui.Safe(base), ui.Short(commit)))
}

// BoardWords is a board in a sentence: "plan: READY, nothing grave that counts is open".
func BoardWords(t rules.Tally) string {
	return fmt.Sprintf("%s: %s, %s", ui.Safe(t.Board), t.Verdict, ui.Safe(t.Why))
}

// StatusWord is a task's status as people read it, in its colour.
func StatusWord(style ui.Style, s task.Status) string {
	word := ui.Words(string(s))
	switch s {
	case task.InProgress:
		return style.Busy(word)
	case task.Paused:
		return style.Warn(word)
	case task.Finished:
		return style.Good(word)
	case task.Failed:
		return style.Bad(word)
	case task.Pending, task.Cancelled:
		return style.Dim(word)
	}
	return word
}

// StatusName is a task's status, or "deleted", which is none.
func StatusName(s task.Status, deleted bool) string { return ui.Either(deleted, "deleted", string(s)) }

// PlanTable lists what is done for a step, in its order; with what is wrong with
// it, where that is not told elsewhere.
func PlanTable(e *cli.Env, style ui.Style, p steps.StepPlan, wrong bool) *ui.Table {
	table := e.Facts("  ")
	hooks := func(when pipeline.When) {
		for _, h := range p.Hooks {
			if h.When == when {
				table.Add(when.Side(), ui.Safe(h.Path), hookPlanWords(style, h, wrong))
			}
		}
	}
	hooks(pipeline.Pre)
	if w := p.Workflow; w != nil {
		problem := ui.Either(wrong, style.Warn(ui.Safe(w.Problem)), "")
		words := cmp.Or(problem, ui.Either(w.BuiltIn, w.Read, ""))
		table.Add("workflow", ui.Safe(w.Path), words)
	}
	hooks(pipeline.Post)
	return table
}

// hookPlanWords say how a hook is run, and what is wrong with it.
func hookPlanWords(style ui.Style, h steps.PlannedHook, wrong bool) string {
	follower := ui.Either(h.Mode == pipeline.Subagent, "by a sub-agent", string(h.Mode))
	how := ui.Either(h.Kind == pipeline.KindWorkflow, "followed "+follower, "run by git brew")
	problem := ui.Either(wrong, style.Warn(ui.Safe(h.Problem)), "")
	return ui.Joined("; ", ui.Joined(", ", how, ui.Either(h.Optional, "optional", "")), problem)
}

// PrintPlan says how the step that comes next is taken.
func PrintPlan(e *cli.Env, style ui.Style, p steps.StepPlan) {
	if p.From == "" {
		return
	}
	table := PlanTable(e, style, p, false)
	if p.Commit != nil {
		who := ui.Either(p.Commit.Auto, "by the agent as the work goes", "left to the user")
		table.Add("commits", ui.Safe(p.Commit.Subject)+"…", who)
	}
	e.WriteTable(table)
	for _, line := range p.Problems {
		e.Tell("  %s\n", style.Bad("in the way: "+ui.Safe(line)))
	}
	if len(p.Mend) > 0 {
		e.Tell("  what to do about it: %s\n", strings.Join(p.Mend, ", "))
	}
	for _, line := range p.Remarks {
		e.Tell("  %s\n", style.Dim("remark: "+ui.Safe(line)))
	}
	if p.Pause {
		e.Tell("%s\n", e.Addressed("  pause: go on, or stop here: git brew pause, and later: git brew start"))
	}
}

// LeaseEnd says when a held lock's lease ends or ended: "until 14:02", "its
// lease ran out 3 h ago"; "" where nobody knows.
func LeaseEnd(l lease.Lock, state lock.LockState, now time.Time) string {
	end, err := time.Parse(time.RFC3339, lease.ExpiresAt(l, now))
	switch {
	case err == nil && end.After(now):
		return "until " + ui.Until(end, now)
	case state != lock.LockStale:
		return ""
	case err != nil:
		return "its lease ran out"
	}
	return "its lease ran out " + ui.Ago(end, now)
}

// skipWords names what was skipped, for people: each once, and nothing that is
// due again.
func skipWords(t task.Task) string {
	var words []string
	for _, k := range t.Skips {
		if what := t.ShownStep(k.Passed); !k.Over && k.Told() && !slices.Contains(words, what) {
			words = append(words, what)
		}
	}
	return strings.Join(words, "; ")
}
