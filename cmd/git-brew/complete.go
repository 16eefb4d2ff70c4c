package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// completeByUse completes a command's arguments by its own usage line: <task>
// is a task, <phase> a phase of the task here, a|b|c one of these, and
// everything else a file. So a command need not say it twice.
func completeByUse(e *env, use string) cobra.CompletionFunc {
	patterns := strings.Fields(use)[1:]
	patterns = slices.DeleteFunc(patterns, func(p string) bool { return p == "[<options>]" || p == "--" })
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(patterns) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		at := len(args)
		if at >= len(patterns) {
			at = len(patterns) - 1
			if !strings.Contains(patterns[at], "...") {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
		}
		var values []string
		for _, word := range strings.Split(strings.Trim(patterns[at], "[]."), "|") {
			switch name := strings.Trim(word, "[]<>."); {
			case name == "task":
				values = append(values, taskNames(cmd.Context(), e)...)
			case name == "phase":
				values = append(values, phaseNames(cmd.Context(), e)...)
			case strings.HasPrefix(word, "<"):
				return nil, cobra.ShellCompDirectiveDefault
			default:
				values = append(values, name)
			}
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// taskNames are the open tasks, as a person types them, with their titles. A
// completion that fails offers nothing and says nothing.
func taskNames(ctx context.Context, e *env) []string {
	service, err := e.service()
	if err != nil {
		return nil
	}
	listing, err := service.List(ctx, workflow.ListRequest{})
	if err != nil {
		return nil
	}
	slugs := map[string]int{}
	for _, view := range listing.Tasks {
		slugs[view.Task.ID.Slug()]++
	}
	var names []string
	for _, view := range listing.Tasks {
		name := view.Task.ID.Slug()
		if slugs[name] > 1 {
			name = string(view.Task.ID)
		}
		names = append(names, cobra.CompletionWithDesc(name, ui.Safe(view.Task.Title)))
	}
	return names
}

// phaseNames are the phases of the task here that are not completed.
func phaseNames(ctx context.Context, e *env) []string {
	service, err := e.service()
	if err != nil {
		return nil
	}
	view, err := service.Status(ctx, "")
	if err != nil || view.Task == nil {
		return nil
	}
	var names []string
	for _, phase := range view.Task.Phases {
		if phase.Status != task.PhaseCompleted {
			names = append(names, cobra.CompletionWithDesc(phase.ID, ui.Safe(phase.Title)))
		}
	}
	return names
}
