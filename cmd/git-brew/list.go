package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// listDocument is a line of `list --json`.
type listDocument struct {
	Task   view.Task        `json:"task"`
	Phase  *view.Phase      `json:"phase"`
	Phases task.PhaseCounts `json:"phases"`
	Lock   view.Lock        `json:"lock"`
}

func newListCmd(e *env) *cobra.Command {
	var r workflow.ListRequest
	var words []string
	cmd := &cobra.Command{
		Use:   "list [<options>]",
		Short: "list the tasks",
		Long: `Lists the open tasks, the newest first: the one here is marked with *. Porcelain
has the id, status, stage, phases completed, phases (but for dropped ones),
current phase, state of the lock, branch, time of creation, and title.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, word := range words {
				status, err := task.ParseStatus(word)
				if err != nil {
					return &usageError{err.Error(), ""}
				}
				r.Status = append(r.Status, status)
			}
			r.Deleted = r.All && len(words) == 0
			return e.list(cmd.Context(), r)
		},
	}
	cmd.Flags().BoolVarP(&r.All, "all", "a", false, "also the tasks that have ended or were deleted")
	cmd.Flags().BoolVar(&r.Archived, "archived", false, "the tasks in the archive; with --all, the others too")
	cmd.Flags().StringArrayVar(&words, "status", nil, "only the tasks with this `status`; may be repeated")
	return cmd
}

func (e *env) list(ctx context.Context, r workflow.ListRequest) error {
	service, err := e.service()
	if err != nil {
		return err
	}
	listing, err := service.List(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case e.Flags.JSON:
		err = e.listJSON(listing)
	case e.Flags.Porcelain:
		err = e.listPorcelain(listing)
	case len(listing.Tasks) > 0:
		err = listTable(listing, e.colours(service), e.table("")).Write(e.Out)
	case len(listing.Broken) > 0:
	case len(r.Status) > 0:
		e.say("No %s", noneIn(r))
		if !r.Archived {
			e.next(ctx, service, "git brew list --all")
		}
	case r.Archived && !r.All:
		e.say("No archived tasks.")
	default:
		e.say("No tasks.")
		if r.All && service.HasArchive(ctx) {
			e.next(ctx, service, "git brew list --archived")
			return nil
		}
		e.next(ctx, service, "%s", e.firstStep())
	}
	return errors.Join(err, e.reportBroken(listing.Broken))
}

// noneIn says of which tasks there are none: those with one of the statuses asked for.
func noneIn(r workflow.ListRequest) string {
	words := make([]string, len(r.Status))
	for i, status := range r.Status {
		words[i] = ui.Words(string(status))
	}
	task := "task"
	if r.Archived && !r.All {
		task = "archived task"
	}
	return task + " is " + strings.Join(words, " or ") + "."
}

// reportBroken names the tasks that can't be read; the others were listed.
func (e *env) reportBroken(broken []workflow.BrokenTask) error {
	for _, b := range broken {
		e.complain("%s can't be read: %s", ui.Safe(b.Ref), judge(b.Err).line())
	}
	if len(broken) > 0 {
		return exitWith(exitFailed)
	}
	return nil
}

func (e *env) listJSON(l workflow.Listing) error {
	for _, v := range l.Tasks {
		t := *v.Head()
		about := view.NewTask(t, v.Tip.String())
		about.Archived, about.Unverified = v.Archived(), v.Unverified
		doc := listDocument{
			Task: about, Phase: view.CurrentPhase(t),
			Phases: v.Phases, Lock: view.NewLock(*v.Lock, v.LockState, v.Confirmed, e.Now()),
		}
		if err := ui.JSONLine(e.Out, doc); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) listPorcelain(l workflow.Listing) error {
	for _, v := range l.Tasks {
		current, _ := v.CurrentPhase()
		err := ui.Record(e.Out, string(v.ID), statusName(v.Status, v.Deleted), string(v.Stage), strconv.Itoa(v.Phases.Completed), strconv.Itoa(v.Phases.Wanted()),
			current.ID, string(v.LockState), v.Branch, v.CreatedAt, v.Title)
		if err != nil {
			return err
		}
	}
	return nil
}

// listTable is the list for people: here, name, status, priority, progress, phase,
// holder, branch, title. Where the room is scarce the branch goes first, for it
// repeats the name, then what is told by status; the title is cut last.
func listTable(l workflow.Listing, style ui.Style, table *ui.Table) *ui.Table {
	const name, priority, progress, phase, holder, branch, title = 0, 2, 3, 4, 5, 6, 7
	table.Leave = []int{branch, priority, holder, phase, progress}
	table.Give, table.Ease = []int{name, title}, table.Width/3
	for _, v := range l.Tasks {
		mark := " "
		if v.ID == l.Here {
			mark = "*"
		}
		progress, phase := "", ""
		if n := v.Phases; n.Total > 0 {
			progress = fmt.Sprintf("%d/%d", n.Completed, n.Wanted())
		}
		if p, ok := v.CurrentPhase(); ok {
			phase = phaseMark(style, p) + " " + ui.Safe(p.ID)
		}
		table.Add(mark+" "+style.Bright(ui.Safe(l.Called(v.ID))), listedStatus(style, v), string(v.Priority), progress, phase, holderWord(v), ui.Safe(branchWords(v)), ui.Safe(v.Title))
	}
	return table
}

// branchWords is a task's branch, and which services have it.
func branchWords(v workflow.Listed) string {
	words := v.Branch
	if len(v.Services) > 0 {
		words += " in " + strings.Join(v.Head().ServicePaths(), ", ")
	}
	return words
}

// statusName is a task's status, or "deleted", which is none.
func statusName(s task.Status, deleted bool) string {
	if deleted {
		return "deleted"
	}
	return string(s)
}

func listedStatus(style ui.Style, v workflow.Listed) string {
	word := statusWord(style, v.Status)
	if v.Deleted {
		word = style.Dim("deleted")
	}
	if v.Unverified { // a newer git-brew wrote it
		word += ", " + style.Warn("not verified")
	}
	return word
}

// statusWord is a task's status as people read it, in its colour.
func statusWord(style ui.Style, s task.Status) string {
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

// holderWord is who holds a task's lock, shortly.
func holderWord(v workflow.Listed) string {
	if !v.Lock.Held {
		return ""
	}
	who := v.Lock.User
	if v.Lock.Session != "" {
		who = task.ShortSession(v.Lock.Session)
	}
	if who == "" {
		who = "held"
	}
	if v.LockState == workflow.LockStale {
		who += " (stale)"
	}
	return ui.Safe(who)
}
