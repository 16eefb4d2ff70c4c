package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newHookCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook [<event>]",
		Short: "answer an agent's hook, or git's post-rewrite and pre-push",
		Long: `Answers one hook call: a JSON object on standard input, an answer or nothing on
standard output. The event defaults to the object's hook_event_name. git's
post-rewrite and pre-push hooks call it too, with git's own arguments behind.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return exitWith(runHook(cmd.Context(), e, args))
		},
	}
	cmd.Flags().SetInterspersed(false) // the arguments are git's
	return cmd
}

func newStatusLineCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "print the agent's status line",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exitWith(runStatusLine(cmd.Context(), e, args))
		},
	}
}

// runHook answers one hook call and gives the exit code. It is on the agent's
// hot path: nothing of cobra is built before it.
func runHook(_ context.Context, _ *env, _ []string) int {
	return exitDone
}

// runStatusLine prints the status line.
func runStatusLine(_ context.Context, _ *env, _ []string) int {
	return exitDone
}
