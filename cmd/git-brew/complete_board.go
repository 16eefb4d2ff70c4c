package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// completedTask is the task here, with all that is in it, for completion; where
// there is none, one without anything.
func completedTask(ctx context.Context, e *cli.Env) task.Task {
	service, err := cli.Completing(e)
	if err != nil {
		return task.Task{}
	}
	id, err := service.Place.Here(ctx)
	if err != nil || id == "" {
		return task.Task{}
	}
	t, err := service.Records.Task(ctx, id)
	if err != nil {
		return task.Task{}
	}
	return t
}

// boardNames are what can be reviewed: the documents that were written, and the
// phases that were begun.
func boardNames(ctx context.Context, e *cli.Env) []string {
	t := completedTask(ctx, e)
	var names []string
	for _, doc := range t.DocNames() {
		if name, err := task.ParseBoard(t, t.ShownDoc(doc)); err == nil {
			names = append(names, t.ShownBoard(name))
		}
	}
	for _, p := range t.Phases {
		if p.Iteration > 0 {
			names = append(names, cobra.CompletionWithDesc(t.ShownBoard(task.BoardOf(p.UID)), ui.Safe(p.Title)))
		}
	}
	return names
}

// remarkNumbers are the remarks that are open.
func remarkNumbers(ctx context.Context, e *cli.Env) []string {
	t := completedTask(ctx, e)
	var names []string
	for i, r := range t.Remarks {
		if r.Open() {
			names = append(names, cobra.CompletionWithDesc(strconv.Itoa(i+1),
				ui.Truncate(ui.Safe(r.Text), taskview.MaxCommandShown)))
		}
	}
	return names
}

// decisionNames are the decisions that hold.
func decisionNames(ctx context.Context, e *cli.Env) []string {
	t := completedTask(ctx, e)
	var names []string
	for i, d := range t.Decisions {
		if d.Status == task.DecisionActive {
			names = append(names, cobra.CompletionWithDesc(task.ShownDecision(i), ui.Safe(d.Title)))
		}
	}
	return names
}
