package tasks

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

func Undo() cli.Command {
	var list bool
	return cli.Command{
		Use: "undo [<task>] [<operation>] [--list]", Short: "take back what was done last",
		Flags:  []cli.Flag{cli.Opt("l, list", &list, "show what can be undone, the last first")},
		DryRun: cli.DryRunHelp,
		Check: func(c *cli.Call) error {
			switch {
			case list && len(c.Args) > 1:
				return cli.UsageOf(c.Cmd, "--list takes no operation")
			case slices.Contains(c.Args, ""):
				return cli.Misused("an argument is empty", "name what to undo, or leave it out")
			}
			return nil
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if list {
				return c.LookAt(listChanges)
			}
			return undo(c)
		},
	}
}

// likeOperation: somebody meant an operation by it, by its number or by its commit
// as 'git brew log' shows it.
func likeOperation(arg string) bool {
	return strings.Trim(arg, "0123456789") == "" || len(arg) >= 7 && strings.Trim(arg, "0123456789abcdef") == ""
}

// undoTarget says which argument is the task: a single one that is like an operation is one
// of the task here.
func undoTarget(c *cli.Call) (id task.ID, name string, err error) {
	if len(c.Args) == 1 && likeOperation(c.Args[0]) {
		if here, err := c.App.Tasks.Discover(c.Ctx); err == nil && here != "" {
			return here, c.Args[0], nil
		}
	}
	id, err = c.Resolve(cli.FirstArg(c.Args))
	return id, strings.Join(c.Args[min(1, len(c.Args)):], ""), err
}

func undo(c *cli.Call) (cli.Answer, error) {
	id, name, err := undoTarget(c)
	if err != nil {
		return cli.Answer{}, err
	}
	r, err := c.App.Undo(c.Ctx, id, name)
	doc := c.Change(r.Task, task.Phase{}, r.Notes)
	a := c.Changed(doc, "%s", ui.Safe(cli.Sentence(rules.SayUndone(r.Change.Said))))
	a.JSON = ui.Object{doc, "undone", r.Change}
	return a, err
}

func listChanges(c *cli.Call) (cli.Answer, error) {
	all, more, err := c.App.Changes(c.Ctx, c.ID)
	for i := range all {
		all[i].Why = c.Addressed(all[i].Why)
	}
	return cli.Answer{
		JSON: ui.Object{"task", c.ID, "changes", all, "more", more},
		Records: cli.Each(all, func(d app.Change) []string {
			return []string{strconv.Itoa(d.Number), d.Shown.String(), d.At, d.Author, d.Session, d.Said, d.Why}
		}),
		Text: func() { showChanges(c, all, more) },
	}, err
}

// showChanges prints a line for each change, and below those that can't be undone why.
func showChanges(c *cli.Call, all []app.Change, more bool) {
	table := c.Table("")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{4, 3}, []int{4, 2}
	for _, d := range all {
		number, commit, at := strconv.Itoa(d.Number), ui.Short(d.Shown.String()), cli.Ago(c.Env, d.At)
		table.Add(number, commit, ui.Safe(d.Said), at, ui.Safe(d.By()))
	}
	var rows bytes.Buffer
	_ = table.Write(&rows) // to memory
	for i, row := range slices.Collect(strings.Lines(rows.String())) {
		fmt.Fprint(c.Out, row)
		if why := all[i].Why; why != "" {
			c.Tell("   %s\n", c.Style().Dim(ui.Safe(why)))
		}
	}
	if len(all) == 0 {
		c.Say("Nothing was done yet that could be undone.")
	}
	if more {
		c.Say("Older ones stand in 'git brew log'.")
	}
}
