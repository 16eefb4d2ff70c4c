package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// statusView prints a status for people.
type statusView struct {
	workflow.Standing
	name   string // what people call the task
	heldBy string // whoever holds its lock, fit to be printed
	style  ui.Style
	// width is where the right column ends, page what the phases have, line what
	// a text of one line has; see env.room.
	width, page, line int
	now               time.Time
}

// maxStatusWidth: beyond it, the right column is too far away to be read.
const maxStatusWidth = 100

// pageWidth is how wide a table of phases may be.
func (e *env) pageWidth() int {
	if room := e.room(0, 0); room == endless {
		return room
	}
	return min(e.width(), maxStatusWidth)
}

func (v statusView) write(w io.Writer) error {
	width := v.width
	t := v.Task
	state := " · " + string(t.Stage)
	if v.Archived {
		state += " · archived"
	}
	title := ui.Truncate(ui.Safe(t.Title), v.page-ui.Width(v.name+ui.Words(string(t.Status))+state)-4)
	fmt.Fprintln(w, justify(v.style.Bright(v.name)+"  "+title, statusWord(v.style, t.Status)+state, width))
	mode := string(v.Mode) + " mode"
	branch := ui.Truncate(ui.Safe(t.Branch), v.page-30-len(mode))
	fmt.Fprintln(w, justify(branch+v.aheadOf(), mode, width))
	if len(t.Phases) > 0 {
		fmt.Fprintln(w)
		if err := v.phases(v.page).Write(w); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	return v.facts().Write(w)
}

// justify puts one text at the left edge, one at the right.
func justify(left, right string, width int) string {
	return left + strings.Repeat(" ", max(2, width-ui.Width(left)-ui.Width(right))) + right
}

func (v statusView) aheadOf() string {
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
func (v statusView) facts() *ui.Table {
	t := v.Task
	table := &ui.Table{Indent: "  "}
	// The next step's reason tells it too, most of the time.
	if t.Reason != "" && !strings.Contains(v.Next.Reason, t.Reason) {
		table.Add("reason", ui.Truncate(ui.Safe(t.Reason), v.line-14))
	}
	if t.Priority != "" {
		table.Add("priority", string(t.Priority))
	}
	if len(t.Issues) > 0 {
		table.Add("issues", ui.Truncate(strings.Join(t.Issues, ", "), v.line-14))
	}
	for i, s := range v.Services {
		table.Add(firstOnly("services", i), ui.Truncate(ui.Safe(s.Path), v.line-40)+"  "+v.serviceWords(s))
	}
	table.Add("lock", v.lock())
	if words := offWords(v.View); words != "" {
		table.Add("gate", v.style.Warn(words))
	}
	if k := v.Knowledge; k.Total() > 0 {
		table.Add("knowledge", fmt.Sprintf("%d avoid · %d practice · %d fact", k.Avoid, k.Practice, k.Fact))
	}
	if t.Questions.Open > 0 {
		table.Add("questions", fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total))
	}
	if stuck := task.DeadlockReason(*t); stuck != "" && !strings.Contains(v.Next.Reason, stuck) {
		table.Add("stuck", v.style.Warn(ui.Truncate(ui.Safe(stuck), v.line-14)))
	}
	if words := skipWords(*t); words != "" {
		table.Add("skipped", ui.Truncate(ui.Safe(words), v.line-14))
	}
	if v.BranchGone {
		table.Add("branch", v.style.Warn(ui.Truncate(ui.Safe(t.Branch)+" is gone; what was recorded of it is kept", v.line-14)))
	}
	for i, id := range v.OffBranch {
		words := fmt.Sprintf("phase %s's are not on %s any more: it was rebased or squashed", id, t.Branch)
		table.Add(firstOnly("commits", i), v.style.Warn(ui.Truncate(ui.Safe(words), v.line-14)))
	}
	if n := len(t.Conflicts); n > 0 {
		table.Add("conflicts", v.style.Warn(ui.Plural(n, "text")+" could not be merged; see 'git brew doc list'"))
	}
	if v.Untrusted > 0 {
		table.Add("trust", v.style.Warn(fmt.Sprintf("%d not trusted; see 'git brew trust list'", v.Untrusted)))
	}
	if words := syncWords(v.Sync); words != "" {
		table.Add(ui.Truncate(ui.Safe(v.Remote), 20), words)
	}
	if v.Sync.Failed != "" {
		table.Add("sync", v.style.Warn(ui.Truncate("failed: "+ui.Safe(v.Sync.Failed), v.line-14)))
	}
	table.Add("next", ui.Truncate(ui.Safe(v.Next.Reason), v.line-14))
	if v.Next.Command != "" {
		table.Add("", v.style.Bright(ui.Safe(v.Next.Command)))
	}
	return table
}

// serviceWords say where a service stands, against the task's branch.
func (v statusView) serviceWords(s workflow.ServiceState) string {
	switch {
	case !s.There:
		return v.style.Warn("not checked out")
	case s.On == "":
		return v.style.Warn("no branch checked out")
	case s.On != v.Task.Branch:
		return v.style.Warn("on " + ui.Truncate(ui.Safe(s.On), 24))
	case s.Ahead < 0:
		return "on the branch"
	case s.Base == "":
		return ui.Plural(s.Ahead, "commit")
	}
	return apartWords(s.Ahead, s.Behind, ui.Truncate(ui.Safe(s.Base), 20))
}

func (v statusView) lock() string {
	l := v.Lock
	switch {
	case !l.Held && v.Unheard != "":
		return v.style.Warn("free; " + ui.Safe(v.Unheard))
	case !l.Held:
		return v.style.Dim("free")
	}
	words := v.heldBy
	if v.LockState == workflow.LockStale {
		return v.style.Warn(words + ", " + leaseEnd(l, v.LockState, v.now))
	}
	if renewed, err := time.Parse(time.RFC3339, l.RenewedAt); err == nil {
		words += ", " + byClock("renewed", renewed, v.now)
	}
	switch {
	case v.Arbiter == "":
		return words
	case v.Confirmed:
		return words + ", confirmed by " + ui.Safe(v.Arbiter)
	}
	return words + ", not confirmed by " + ui.Safe(v.Arbiter)
}

func syncWords(s workflow.SyncState) string {
	var parts []string
	if s.Ahead > 0 {
		parts = append(parts, ui.Plural(s.Ahead, "operation")+" to push")
	}
	if s.Behind > 0 {
		parts = append(parts, fmt.Sprintf("%d to merge", s.Behind))
	}
	return strings.Join(parts, ", ")
}
