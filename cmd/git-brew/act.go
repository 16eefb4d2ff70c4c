package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// workerFlag lets a command say for which worker it asks, of several who share a
// session.
func workerFlag(e *env, cmds ...*cobra.Command) {
	for _, cmd := range cmds {
		cmd.Flags().StringVar(&e.Flags.Worker, "worker", "", "the `name` of the worker that asks (BREW_WORKER)")
	}
}

// taskFlag gives a command, or each of its subcommands, an option for the task,
// where their arguments are about something else.
func taskFlag(cmd *cobra.Command, arg *string) {
	takers := cmd.Commands()
	if cmd.Runnable() {
		takers = append(takers, cmd)
	}
	for _, taker := range takers {
		taker.Flags().StringVar(arg, "task", "", "the `task`, where it is not the one here")
	}
}

// messageFlag gives a command the option for what is said in words, -m as git has it.
// --reason and --why, as people type them, mean the same.
func messageFlag(cmd *cobra.Command, text *string, usage string) {
	cmd.Flags().StringVarP(text, "message", "m", "", usage)
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "why" || name == "reason" {
			name = "message"
		}
		return pflag.NormalizedName(name)
	})
}

// dryRunHelp is what -n does, where nothing more is to be said.
const dryRunHelp = "only say what would be done"

// dryRunFlag gives commands -n: they decide as ever, refuse what they would
// refuse, tell what they would have done, and write nothing.
func dryRunFlag(e *env, what string, cmds ...*cobra.Command) {
	for _, cmd := range cmds {
		cmd.Flags().BoolVarP(&e.Flags.DryRun, "dry-run", "n", false, what)
	}
}
