package tasks

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func List() cli.Command {
	var r app.ListRequest
	var words []string
	return cli.Command{
		Use: "list [<options>]", Short: "list the tasks",
		Flags: []cli.Flag{
			cli.Opt("a, all", &r.All, "also the tasks that have ended or were deleted"),
			cli.Opt("archived", &r.Archived, "the tasks in the archive; with --all, the others too"),
			cli.Opt("status", &words, "only the tasks with this `status`; may be repeated"),
		},
		Check: func(c *cli.Call) error {
			for _, word := range words {
				status, err := task.ParseStatus(word)
				if err != nil {
					return cli.Misused(err.Error(), "")
				}
				r.Status = append(r.Status, status)
			}
			r.Deleted = r.All && len(words) == 0
			return nil
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			l, err := c.App.List(c.Ctx, r)
			if err != nil {
				return cli.Answer{}, err
			}
			return cli.Answer{
				JSON:    cli.Each(l.Tasks, func(v app.Listed) any { return view.Listed(v, c.Now()) }),
				Records: cli.Each(l.Tasks, listedRecord),
				Text:    func() { sayList(c, r, l) },
				End:     brokenTasks(c.Env, l.Broken),
			}, nil
		},
	}
}

func sayList(c *cli.Call, r app.ListRequest, l app.Listing) {
	switch {
	case len(l.Tasks) > 0:
		c.WriteTable(listTable(l, c.Style(), c.Table("")))
	case len(l.Broken) > 0:
	case len(r.Status) > 0:
		words := view.Each(r.Status, func(status task.Status) string { return ui.Words(string(status)) })
		c.Say("No task is %s.", strings.Join(words, " or "))
		if !r.Archived {
			c.Next("git brew list --all")
		}
	case r.Archived && !r.All:
		c.Say("No archived tasks.")
	default:
		c.Say("No tasks.")
		if r.All && c.App.Records.HasArchive(c.Ctx) {
			c.Next("git brew list --archived")
		} else {
			c.Next("%s", cli.FirstStep(c.Env))
		}
	}
}

// brokenTasks names the tasks that can't be read; the others were listed.
func brokenTasks(e *cli.Env, broken []app.BrokenTask) error {
	for _, b := range broken {
		e.Complain("%s can't be read: %s", ui.Safe(b.Ref), cli.Judge(b.Err).Line())
	}
	if len(broken) > 0 {
		return cli.ExitWith(cli.ExitFailed)
	}
	return nil
}

func listedRecord(v app.Listed) []string {
	current, _ := v.CurrentPhase()
	return []string{
		string(v.ID), taskview.StatusName(v.Status, v.Deleted), string(v.Stage), strconv.Itoa(v.Phases.Completed),
		strconv.Itoa(v.Phases.Wanted()), current.ID, string(v.LockState), v.Branch, v.CreatedAt, v.Title,
	}
}

// listTable is the list for people: here, name, status, priority, progress, phase,
// holder, conflicts, branch, title. Where the room is scarce the branch goes first, for it
// repeats the name, then what is told by status; the title is cut last.
func listTable(l app.Listing, style ui.Style, table *ui.Table) *ui.Table {
	const name, priority, progress, phase, holder, conflicts, branch, title = 0, 2, 3, 4, 5, 6, 7, 8
	table.Leave = []int{branch, priority, holder, phase, progress, conflicts}
	table.Give, table.Ease = []int{name, title}, table.Width/3
	for _, v := range l.Tasks {
		mark := ui.Either(v.ID == l.Here, "*", " ")
		n, phase := v.Phases, ""
		progress := ui.Either(n.Total > 0, fmt.Sprintf("%d/%d", n.Completed, n.Wanted()), "")
		if p, ok := v.CurrentPhase(); ok {
			phase = style.PhaseMark(p) + " " + ui.Safe(p.ID)
		}
		status := ui.Either(v.Deleted, style.Dim("deleted"), taskview.StatusWord(style, v.Status))
		in := v.Branch
		if len(v.Services) > 0 {
			in += " in " + strings.Join(v.Head().ServicePaths(), ", ")
		}
		table.Add(mark+" "+style.Bright(ui.Safe(l.Called(v.ID))), status, string(v.Priority), progress, phase, holderWord(v),
			conflictWord(l, v), ui.Safe(in), ui.Safe(v.Title))
	}
	return table
}

// conflictWord says which other task's branch conflicts with a task's, or how many do.
func conflictWord(l app.Listing, v app.Listed) string {
	switch {
	case v.Overlap == nil || len(v.Overlap.Conflicts) == 0:
		return ""
	case len(v.Overlap.Conflicts) > 1:
		return fmt.Sprintf("conflicts with %d", len(v.Overlap.Conflicts))
	}
	return "conflicts with " + ui.Safe(l.Called(v.Overlap.Conflicts[0].Task))
}

func holderWord(v app.Listed) string {
	if !v.Lock.Held {
		return ""
	}
	who := cmp.Or(task.ShortSession(v.Lock.Session), v.Lock.User, "held")
	return ui.Safe(who) + ui.Either(v.LockState == lock.LockStale, " (stale)", "")
}
