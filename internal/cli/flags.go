package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// WorkerFlag lets a command say for which worker it asks, of several who share a
// session.
func WorkerFlag(e *Env, cmds ...*cobra.Command) {
	for _, cmd := range cmds {
		cmd.Flags().StringVar(&e.Flags.Worker, "worker", "", "the `name` of the worker that asks (BREW_WORKER)")
	}
}

// TaskFlag gives a command, or each of its subcommands, an option for the task,
// where their arguments are about something else.
func TaskFlag(cmd *cobra.Command, arg *string) {
	takers := cmd.Commands()
	if cmd.Runnable() {
		takers = append(takers, cmd)
	}
	for _, taker := range takers {
		taker.Flags().StringVar(arg, "task", "", "the `task`, where it is not the one here")
	}
}

// MessageFlag gives a command the option for what is said in words, -m as git has it.
// --reason and --why, as people type them, mean the same.
func MessageFlag(cmd *cobra.Command, text *string, usage string) {
	cmd.Flags().StringVarP(text, "message", "m", "", usage)
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "why" || name == "reason" {
			name = "message"
		}
		return pflag.NormalizedName(name)
	})
}

// DryRunHelp is what -n does, where nothing more is to be said.
const DryRunHelp = "only say what would be done"

// DryRunFlag gives commands -n: they decide as ever, refuse what they would
// refuse, tell what they would have done, and write nothing.
func DryRunFlag(e *Env, what string, cmds ...*cobra.Command) {
	for _, cmd := range cmds {
		cmd.Flags().BoolVarP(&e.Flags.DryRun, "dry-run", "n", false, what)
	}
}

// Check refuses options that exclude each other.
func (f *GlobalFlags) Check() error {
	if f.JSON && f.Porcelain {
		return &UsageError{"--json and --porcelain exclude each other", "give one of them"}
	}
	if f.Color != "" && !slices.Contains([]string{"always", "never", "auto"}, f.Color) {
		return &UsageError{fmt.Sprintf("--color %q is unknown", f.Color), "give always, never or auto"}
	}
	return nil
}
