package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newUndoCmd(e *env) *cobra.Command {
	var list bool
	cmd := &cobra.Command{
		Use:   "undo [<task>] [<operation>] [--list]",
		Short: "take back what was done last",
		Long: `Takes back what the last command did to a task, by a new operation: the history
stays, and what else was done since does too. Where something changed the same
since, undo refuses and names it: take that back first. Called again, it takes
back what was done before that; what an undo took back comes again by naming
that undo. An operation is named by its number in the list, or by the beginning
of the id of its commit, as 'git brew log' shows it. What somebody else did is
taken back where it is named; an agent takes back what its own session did. The
lock stays as it is. The creation of the task is undone last: the task is
deleted, and 'git brew undo TASK' brings it back, as it does any deleted task.

Porcelain of --list has number, commit, time, author, session, what was done,
and why it can't be taken back now.`,
		Example: `  git brew undo
  git brew undo --list
  git brew undo add-jwt 3
  git brew undo c41d7e2`,
		Args: between(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case list && len(args) > 1:
				return usageOf(cmd, "--list takes no operation")
			case list:
				return e.looksAt(nil, listChanges)(cmd, args)
			case slices.Contains(args, ""):
				return &usageError{"an argument is empty", "name what to undo, or leave it out"}
			}
			return e.onRepo(undo)(cmd, args)
		},
	}
	cmd.Flags().BoolVarP(&list, "list", "l", false, "show what can be undone, the last first")
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

// likeOperation: somebody meant an operation by it, by its number or by its commit
// as 'git brew log' shows it.
func likeOperation(arg string) bool {
	return strings.Trim(arg, "0123456789") == "" || len(arg) >= 7 && strings.Trim(arg, "0123456789abcdef") == ""
}

// undoTarget says which argument is the task: a single one is an operation of the
// task here, if it is one.
func undoTarget(c *call) (id task.ID, name string, err error) {
	if len(c.args) != 1 {
		id, err = c.resolve(first(c.args))
		return id, strings.Join(c.args[min(1, len(c.args)):], ""), err
	}
	arg := c.args[0]
	id, err = c.s.Tasks.Resolve(c.ctx, arg)
	here, herr := c.s.Tasks.Discover(c.ctx)
	known := herr == nil && here != "" && c.s.Undo.KnowsChange(c.ctx, here, arg)
	switch {
	case known && err == nil:
		return id, "", &usageError{strconv.Quote(arg) + " is a task, and an operation of the task here", "name both: git brew undo TASK OPERATION"}
	case known, err != nil && here != "" && likeOperation(arg): // then it is said that there is none
		return here, arg, nil
	}
	c.mean(c.ctx, c.s, arg, id)
	return id, "", err
}

func undo(c *call) (answer, error) {
	id, name, err := undoTarget(c)
	if err != nil {
		return answer{}, err
	}
	r, err := c.s.Undo.Undo(c.ctx, id, name)
	if err != nil {
		return answer{}, err
	}
	doc := c.change(r.Task, task.Phase{}, r.Notes)
	a := c.changed(doc, "%s", ui.Safe(sentence(task.SayUndone(r.Change.Said))))
	a.JSON = view.Undone{Change: doc, Undone: r.Change}
	return a, nil
}

func listChanges(c *call) (answer, error) {
	all, more, err := c.s.Undo.Changes(c.ctx, c.id)
	for i := range all {
		all[i].Why = c.addressed(all[i].Why)
	}
	return answer{
		JSON: view.Changes{Task: c.id, Changes: view.List(all), More: more},
		Records: each(all, func(d app.Change) []string {
			return []string{strconv.Itoa(d.Number), d.Shown.String(), d.At, d.Author, d.Session, d.Said, d.Why}
		}),
		Text: func() { c.showChanges(all, more) },
	}, err
}

// showChanges prints a line for each change, and below those that can't be undone why.
func (c *call) showChanges(all []app.Change, more bool) {
	table := c.table("")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{4, 3}, []int{4, 2}
	for _, d := range all {
		at := ""
		if t, err := time.Parse(time.RFC3339, d.At); err == nil {
			at = ui.Ago(t, c.Now())
		}
		table.Add(strconv.Itoa(d.Number), ui.Short(d.Shown.String()), ui.Safe(d.Said), at, ui.Safe(d.By()))
	}
	var rows bytes.Buffer
	_ = table.Write(&rows) // to memory
	for i, row := range slices.Collect(strings.Lines(rows.String())) {
		fmt.Fprint(c.Out, row)
		if why := all[i].Why; why != "" {
			c.tell("   %s\n", c.style().Dim(ui.Safe(why)))
		}
	}
	if len(all) == 0 {
		c.say("Nothing was done yet that could be undone.")
	}
	if more {
		c.say("Older ones stand in 'git brew log'.")
	}
}
