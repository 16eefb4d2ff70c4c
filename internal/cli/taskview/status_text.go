// Package taskview is how a task looks to people, wherever several commands show it: its
// standing, its phases, its lock, the plan of a step, and the words that they share.
package taskview

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// Status prints a status for people.
type Status struct {
	app.TaskStatus
	Env    *cli.Env
	Name   string // what people call the task
	HeldBy string // whoever holds its lock, fit to be printed
	Style  ui.Style
	Now    time.Time
}

// MaxStatusWidth: beyond it, the right column is too far away to be read.
const MaxStatusWidth = 100

func (v Status) Print() {
	t, w, room := v.Task, v.Env.Out, v.Env.Room(0, 0)
	fmt.Fprintln(w, ui.Truncate(v.Style.Bright(v.Name)+"  "+ui.Safe(t.Title), room))
	fmt.Fprint(w, ui.Wrap(v.State()+"\n", room))
	ahead := apart(v.Ahead, v.Behind, t.Base)
	branch := ui.Truncate(ui.Safe(t.Branch), max(20, room-ui.Width(", "+ahead)))
	fmt.Fprintln(w, ui.Joined(", ", branch, ahead))
	if len(t.Phases) > 0 {
		fmt.Fprintln(w)
		v.printPhases()
	}
	if v.Run != nil {
		columns, rows := v.Env.Size()
		if room == cli.Endless {
			columns = room // no terminal
		}
		fmt.Fprintln(w, "\nA run is at work:")
		for _, line := range v.Style.Run(*v.Run, v.Now, min(columns, room+1)-2, (rows-4)/2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
	fmt.Fprintln(w)
	v.Env.WriteTable(v.facts())
}

// State is where the task stands, in its colour; with the mode, where the mode decides
// something: while somebody works on it.
func (v Status) State() string {
	rest := strings.TrimPrefix(ui.State(*v.Task), ui.Words(string(v.Task.Status)))
	archived := ui.Either(v.Archived, ", in the archive", "")
	mode := ui.Either(v.Task.Status == task.InProgress && v.Mode != "", "; "+string(v.Mode)+" mode", "")
	return StatusWord(v.Style, v.Task.Status) + rest + archived + mode
}

// apart says how far a branch and its base are apart; "" where nobody counted.
func apart(ahead, behind int, base string) string {
	base = ui.Truncate(ui.Safe(base), 20)
	switch {
	case ahead < 0:
		return ""
	case base == "":
		return ui.Plural(ahead, "commit")
	case ahead > 0 && behind > 0:
		return fmt.Sprintf("%d ahead, %d behind %s", ahead, behind, base)
	case ahead > 0:
		return fmt.Sprintf("%d ahead of %s", ahead, base)
	case behind > 0:
		return fmt.Sprintf("%d behind %s", behind, base)
	}
	return "even with " + base
}

// facts are the lines below the phases: those that have something to say.
func (v Status) facts() *ui.Table {
	t := v.Task
	table := v.Env.Facts("  ")
	warn := func(name, words string) { table.Fact(name, v.Style.Warn(ui.Safe(words))) }
	told := strings.Contains(v.Next.Reason, t.Reason) // most of the time
	table.Fact("reason", ui.Either(told, "", ui.Safe(t.Reason)))
	table.Fact("priority", string(t.Priority))
	table.Fact("issues", strings.Join(t.Issues, ", "))
	for _, s := range v.Services {
		table.Fact("services", ui.Safe(s.Path)+"  "+v.serviceWords(s))
	}
	table.Fact("lock", v.lock())
	warn("gate", OffWords(v.View))
	table.Fact("knowledge", knowledgeWords(v.Knowledge))
	questions := fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total)
	table.Fact("questions", ui.Either(t.Questions.Open > 0, questions, ""))
	stuck := route.DeadlockReason(*t)
	warn("stuck", ui.Either(strings.Contains(v.Next.Reason, stuck), "", stuck))
	table.Fact("skipped", ui.Safe(skipWords(*t)))
	warn("branch", ui.Either(v.BranchGone, t.Branch+" is gone; what was recorded of it is kept", ""))
	for _, id := range v.OffBranch {
		warn("commits", fmt.Sprintf("phase %s's are not on %s any more: it was rebased or squashed", id,
			t.Branch))
	}
	warn("commits", ui.Either(v.Pull == "", "", "not all are here yet: "+v.Pull))
	conflicts := ui.Plural(len(t.Conflicts), "text") + v.Env.Addressed(" could not be merged; see 'git brew doc list'")
	warn("conflicts", ui.Either(len(t.Conflicts) > 0, conflicts, ""))
	untrusted := fmt.Sprintf("%d not trusted; see 'git brew trust list'", v.Untrusted)
	warn("trust", ui.Either(v.Untrusted > 0, untrusted, ""))
	table.Fact(ui.Truncate(ui.Safe(v.Remote), 20), syncWords(v.Sync))
	warn("sync", ui.Either(v.Sync.Failed == "", "", "failed: "+v.Sync.Failed))
	asks := v.Next.Ask != "" && v.Env.IsAgent()
	table.Add("next", ui.Either(asks, "ask the user: "+ui.Safe(v.Next.Ask), ui.Safe(v.Next.Reason)))
	table.Fact("", v.Style.Bright(ui.Safe(v.Next.Command)))
	return table
}

// knowledgeWords count what was learned, by kind, without the kinds that nothing is of.
func knowledgeWords(k knowledge.Counts) string {
	some := func(n int, kind knowledge.Kind) string { return ui.Either(n > 0, fmt.Sprintf("%d %s", n, kind), "") }
	return ui.Joined(" · ", some(k.Avoid, knowledge.Avoid), some(k.Practice, knowledge.Practice),
		some(k.Fact, knowledge.Fact))
}

// serviceWords say where a service stands, against the task's branch.
func (v Status) serviceWords(s worktree.ServiceState) string {
	switch {
	case !s.There:
		return v.Style.Warn("not checked out")
	case s.On == "":
		return v.Style.Warn("no branch checked out")
	case s.On != v.Task.Branch:
		return v.Style.Warn("on " + ui.Truncate(ui.Safe(s.On), 24))
	case s.Ahead < 0:
		return "on the branch"
	}
	return apart(s.Ahead, s.Behind, s.Base)
}

func (v Status) lock() string {
	l := v.Lock
	switch {
	case !l.Held && v.Unheard != "":
		return v.Style.Warn("free; " + ui.Safe(v.Unheard))
	case !l.Held:
		return v.Style.Dim("free")
	}
	words := v.HeldBy
	if v.LockState == lock.LockStale {
		return v.Style.Warn(words + ", " + LeaseEnd(l, v.LockState, v.Now))
	}
	renewed := ui.Either(l.RenewedAt == "", "", ", renewed "+cli.Ago(v.Env, l.RenewedAt))
	return words + renewed + Confirmation(v.Arbiter, v.Confirmed)
}

// Confirmation is what the arbiter says of a held lock, behind others' words; "" where there
// is none.
func Confirmation(arbiter string, confirmed bool) string {
	words := ui.Either(confirmed, ", confirmed by ", ", not confirmed by ") + ui.Safe(arbiter)
	return ui.Either(arbiter == "", "", words)
}

func syncWords(s app.SyncState) string {
	push := ui.Either(s.Ahead > 0, ui.Plural(s.Ahead, "operation")+" to push", "")
	merge := ui.Either(s.Behind > 0, fmt.Sprintf("%d to merge", s.Behind), "")
	return ui.Joined(", ", push, merge)
}
