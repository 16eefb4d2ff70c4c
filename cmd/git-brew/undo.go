package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// changeMade is what one command did to a task, as `undo --list` has it.
type changeMade struct {
	Number     int              `json:"number"`
	Commit     string           `json:"commit"`
	Operations []operation.ID   `json:"operations"`
	Kinds      []operation.Kind `json:"kinds"`
	Said       string           `json:"sentence"`
	At         string           `json:"at"`
	Author     string           `json:"author"`
	Session    string           `json:"session_id"`
	// Ours: this person, or this session, did it.
	Ours bool `json:"ours"`
	// Undoes: it took something back itself.
	Undoes bool `json:"undoes"`
	// Why it can't be undone now, what to do included; "" where it can.
	Why string `json:"why"`
}

func newChangeMade(d workflow.Change) changeMade {
	return changeMade{
		d.Number, d.Shown.String(), d.Operations, d.Kinds, d.Said, d.At, d.Author.Name, d.Session, d.Ours, d.Undoes, d.Why,
	}
}

// changesDocument is `undo --list --json`.
type changesDocument struct {
	Task    task.ID      `json:"task"`
	Changes []changeMade `json:"changes"`
	// More: there are older ones.
	More bool `json:"more"`
}

// undoneDocument is `undo --json`.
type undoneDocument struct {
	view.Change
	Undone changeMade `json:"undone"`
}

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
			ctx := cmd.Context()
			if list {
				if len(args) > 1 {
					return usageOf(cmd, "--list takes no operation")
				}
				return e.listChanges(ctx, first(args))
			}
			s, id, name, err := e.undoTarget(ctx, args)
			if err != nil {
				return err
			}
			return e.undo(ctx, s, id, name)
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
func (e *env) undoTarget(ctx context.Context, args []string) (s *workflow.Service, id task.ID, name string, err error) {
	if slices.Contains(args, "") {
		return nil, "", "", &usageError{"an argument is empty", "name what to undo, or leave it out"}
	}
	if s, err = e.service(); err != nil {
		return nil, "", "", err
	}
	if len(args) == 2 {
		s, id, err = e.target(ctx, args[0])
		return s, id, args[1], err
	}
	if len(args) == 0 {
		id, err = s.Resolve(ctx, "")
		return s, id, "", err
	}
	id, err = s.Resolve(ctx, args[0])
	here, herr := s.Discover(ctx)
	if herr != nil || here == "" || !s.KnowsChange(ctx, here, args[0]) {
		if err != nil && here != "" && likeOperation(args[0]) {
			return s, here, args[0], nil // says that there is none
		}
		e.mean(ctx, s, args[0], id)
		return s, id, "", err
	}
	if err == nil {
		return s, id, "", &usageError{strconv.Quote(args[0]) + " is a task, and an operation of the task here", "name both: git brew undo TASK OPERATION"}
	}
	return s, here, args[0], nil
}

func (e *env) undo(ctx context.Context, s *workflow.Service, id task.ID, name string) error {
	r, err := s.Undo(ctx, id, name)
	if err != nil {
		return err
	}
	doc := newChange(ctx, s, r.Task, task.Phase{}, r.Notes)
	if e.Flags.JSON {
		doc.DryRun, doc.Undo = e.Flags.DryRun, s.UndoHint(ctx)
		return ui.JSON(e.Out, undoneDocument{doc, newChangeMade(r.Change)})
	}
	return e.changed(ctx, s, doc, "%s", ui.Safe(sentence(task.SayUndone(r.Change.Said))))
}

func (e *env) listChanges(ctx context.Context, arg string) error {
	s, id, ok, err := e.reading(ctx, arg)
	if err != nil || !ok {
		return err
	}
	changes, more, err := s.Changes(ctx, id)
	if err != nil {
		return err
	}
	docs := make([]changeMade, len(changes))
	for i, d := range changes {
		changes[i].Why = e.addressed(d.Why)
		docs[i] = newChangeMade(changes[i])
	}
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, changesDocument{id, docs, more})
	case e.Flags.Porcelain:
		for _, d := range docs {
			if err := ui.Record(e.Out, strconv.Itoa(d.Number), d.Commit, d.At, d.Author, d.Session, d.Said, d.Why); err != nil {
				return err
			}
		}
		return nil
	}
	return e.showChanges(s, changes, more)
}

// showChanges prints a line for each change, and below those that can't be undone why.
func (e *env) showChanges(s *workflow.Service, changes []workflow.Change, more bool) error {
	table := e.table("")
	table.Right, table.Leave, table.Give = map[int]bool{0: true}, []int{4, 3}, []int{4, 2}
	for _, d := range changes {
		at := ""
		if t, err := time.Parse(time.RFC3339, d.At); err == nil {
			at = ui.Ago(t, e.Now())
		}
		table.Add(strconv.Itoa(d.Number), ui.Short(d.Shown.String()), ui.Safe(d.Said), at, ui.Safe(d.By()))
	}
	var rows bytes.Buffer
	if err := table.Write(&rows); err != nil {
		return err
	}
	style := e.colours(s)
	for i, row := range slices.Collect(strings.Lines(rows.String())) {
		fmt.Fprint(e.Out, row)
		if why := changes[i].Why; why != "" {
			e.tell("   %s\n", style.Dim(ui.Safe(why)))
		}
	}
	if len(changes) == 0 {
		e.say("Nothing was done yet that could be undone.")
	}
	if more {
		e.say("Older ones stand in 'git brew log'.")
	}
	return nil
}
