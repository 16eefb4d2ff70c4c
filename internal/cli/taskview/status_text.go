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

// Page is an empty table, of a width that is read at a glance.
func Page(e *cli.Env, indent string) *ui.Table {
	table := e.Table(indent)
	if table.Width != cli.Endless {
		table.Width = min(table.Width, MaxStatusWidth)
	}
	return table
}

func (v Status) Print() {
	t, w, room := v.Task, v.Env.Out, v.Env.Room(0, 0)
	head := v.Style.Bright(v.Name) + "  " + ui.Safe(t.Title)
	if ui.Width(head) > room && ui.Width(v.Name)+leastTitle > room {
		head = v.Style.Bright(v.Name) + "\n" + ui.Truncate(ui.Safe(t.Title), room)
	} else {
		head = ui.Truncate(head, room)
	}
	fmt.Fprintln(w, head)
	fmt.Fprint(w, ui.Wrap(v.State()+"\n", room))
	ahead := v.aheadOf()
	fmt.Fprintln(w, ui.Truncate(ui.Safe(t.Branch), max(leastTitle, room-ui.Width(ahead)))+ahead)
	if len(t.Phases) > 0 {
		fmt.Fprintln(w)
		v.Env.WriteTable(v.AddPhases(Page(v.Env, "  ")))
	}
	fmt.Fprintln(w)
	v.Env.WriteTable(v.facts())
}

// leastTitle is what a title has beside a name, or it stands below it.
const leastTitle = 20

// State is where the task stands, in its colour; with the mode, where the mode decides
// something: while somebody works on it.
func (v Status) State() string {
	words := ui.State(*v.Task)
	if v.Archived {
		words += ", in the archive"
	}
	if v.Task.Status == task.InProgress && v.Mode != "" {
		words += "; " + string(v.Mode) + " mode"
	}
	status := ui.Words(string(v.Task.Status))
	return StatusWord(v.Style, v.Task.Status) + strings.TrimPrefix(words, status)
}

func (v Status) aheadOf() string {
	switch base := ui.Truncate(ui.Safe(v.Task.Base), 20); {
	case v.Ahead < 0:
		return ""
	case base == "":
		return ", " + ui.Plural(v.Ahead, "commit")
	default:
		return ", " + apartWords(v.Ahead, v.Behind, base)
	}
}

// apartWords say how far a branch and its base are apart.
func apartWords(ahead, behind int, base string) string {
	switch {
	case ahead > 0 && behind > 0:
		return fmt.Sprintf("%d ahead, %d behind %s", ahead, behind, base)
	case ahead > 0:
		return fmt.Sprintf("%d ahead of %s", ahead, base)
	case behind > 0:
		return fmt.Sprintf("%d behind %s", behind, base)
	}
	return "even with " + base
}

// facts are the lines below the phases.
func (v Status) facts() *ui.Table {
	t := v.Task
	table := v.Env.Facts("  ")
	// The next step's reason tells it too, most of the time.
	if t.Reason != "" && !strings.Contains(v.Next.Reason, t.Reason) {
		table.Add("reason", ui.Safe(t.Reason))
	}
	if t.Priority != "" {
		table.Add("priority", string(t.Priority))
	}
	if len(t.Issues) > 0 {
		table.Add("issues", strings.Join(t.Issues, ", "))
	}
	for i, s := range v.Services {
		table.Add(cli.FirstOnly("services", i), ui.Safe(s.Path)+"  "+v.serviceWords(s))
	}
	table.Add("lock", v.lock())
	v.addWarnings(table)
	if words := syncWords(v.Sync); words != "" {
		table.Add(ui.Truncate(ui.Safe(v.Remote), 20), words)
	}
	if v.Sync.Failed != "" {
		table.Add("sync", v.Style.Warn("failed: "+ui.Safe(v.Sync.Failed)))
	}
	next := ui.Safe(v.Next.Reason)
	if v.Next.Ask != "" && v.Env.IsAgent() {
		next = "ask the user: " + ui.Safe(v.Next.Ask)
	}
	table.Add("next", next)
	if v.Next.Command != "" {
		table.Add("", v.Style.Bright(ui.Safe(v.Next.Command)))
	}
	return table
}

// addWarnings adds what keeps the task, or wants a look.
func (v Status) addWarnings(table *ui.Table) {
	t := v.Task
	if words := OffWords(v.View); words != "" {
		table.Add("gate", v.Style.Warn(words))
	}
	if k := v.Knowledge; k.Total() > 0 {
		table.Add("knowledge", knowledgeWords(k))
	}
	if t.Questions.Open > 0 {
		table.Add("questions", fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total))
	}
	if stuck := route.DeadlockReason(*t); stuck != "" && !strings.Contains(v.Next.Reason, stuck) {
		table.Add("stuck", v.Style.Warn(ui.Safe(stuck)))
	}
	if words := skipWords(*t); words != "" {
		table.Add("skipped", ui.Safe(words))
	}
	if v.BranchGone {
		table.Add("branch", v.Style.Warn(ui.Safe(t.Branch)+" is gone; what was recorded of it is kept"))
	}
	for i, id := range v.OffBranch {
		words := fmt.Sprintf("phase %s's are not on %s any more: it was rebased or squashed", id, t.Branch)
		table.Add(cli.FirstOnly("commits", i), v.Style.Warn(ui.Safe(words)))
	}
	if n := len(t.Conflicts); n > 0 {
		table.Add("conflicts", v.Style.Warn(ui.Plural(n, "text")+
			v.Env.Addressed(" could not be merged; see 'git brew doc list'")))
	}
	if v.Untrusted > 0 {
		table.Add("trust", v.Style.Warn(fmt.Sprintf("%d not trusted; see 'git brew trust list'", v.Untrusted)))
	}
}

// knowledgeWords count what was learned, by kind, without the kinds that nothing is of.
func knowledgeWords(k knowledge.Counts) string {
	var parts []string
	for _, c := range []struct {
		n    int
		kind knowledge.Kind
	}{{k.Avoid, knowledge.Avoid}, {k.Practice, knowledge.Practice}, {k.Fact, knowledge.Fact}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.kind))
		}
	}
	return strings.Join(parts, " · ")
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
	case s.Base == "":
		return ui.Plural(s.Ahead, "commit")
	}
	return apartWords(s.Ahead, s.Behind, ui.Truncate(ui.Safe(s.Base), 20))
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
	if renewed, err := time.Parse(time.RFC3339, l.RenewedAt); err == nil {
		words += ", " + ByClock("renewed", renewed, v.Now)
	}
	switch {
	case v.Arbiter == "":
		return words
	case v.Confirmed:
		return words + ", confirmed by " + ui.Safe(v.Arbiter)
	}
	return words + ", not confirmed by " + ui.Safe(v.Arbiter)
}

func syncWords(s app.SyncState) string {
	var parts []string
	if s.Ahead > 0 {
		parts = append(parts, ui.Plural(s.Ahead, "operation")+" to push")
	}
	if s.Behind > 0 {
		parts = append(parts, fmt.Sprintf("%d to merge", s.Behind))
	}
	return strings.Join(parts, ", ")
}
