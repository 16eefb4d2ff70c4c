package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// commandGroup is a heading in the list of commands, and what stands under it.
type commandGroup struct {
	id, title string
	commands  []func(*env) *cobra.Command
}

// commandGroups is every command there is, in the order of `git brew help`.
// A new command needs its line here, a script in testdata/script, and `make
// man`.
var commandGroups = []commandGroup{
	{"setup", "set it up, and look after it", []func(*env) *cobra.Command{
		newInitCmd,
		newUninitCmd,
		newConfigCmd,
		newTrustCmd,
		newDoctorCmd,
	}},
	{"task", "make tasks, and go from one to another", []func(*env) *cobra.Command{
		newCreateCmd,
		newListCmd,
		newStatusCmd,
		newSwitchCmd,
		newEditCmd,
		newArchiveCmd,
		newDeleteCmd,
	}},
	{"work", "work on a task", []func(*env) *cobra.Command{
		newStartCmd,
		newNextCmd,
		newStageCmd,
		newDocCmd,
		newGrayCmd,
		newDecisionCmd,
		newRemarkCmd,
		newPhaseCmd,
		newVerifyCmd,
		newEscalateCmd,
		newPipelineCmd,
		newReportCmd,
		newUndoCmd,
		newBlockCmd,
		newHandoffCmd,
		newFinishCmd,
		newLockCmd,
	}},
	{"share", "share it with other clones", []func(*env) *cobra.Command{
		newSyncCmd,
	}},
	{"look", "look at what a task was and is", []func(*env) *cobra.Command{
		newShowCmd,
		newLogCmd,
		newDiffCmd,
		newGraphCmd,
	}},
	{"mind", "what is worth remembering, and what happened", []func(*env) *cobra.Command{
		newLearnCmd,
		newKnowledgeCmd,
		newBacklogCmd,
		newModeCmd,
		newTriggerCmd,
		newSessionCmd,
		newEventsCmd,
		newStatsCmd,
	}},
	{"agent", "what agents and git call", []func(*env) *cobra.Command{
		newHookCmd,
		newStatusLineCmd,
	}},
	{"about", "about git brew itself", []func(*env) *cobra.Command{
		newHelpCmd,
		newVersionCmd,
		newCompletionCmd,
	}},
}

// newRootCmd builds the tree. Errors and usage are printed by run, in one
// place and one form.
func newRootCmd(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:               "git-brew [-C <path>] [-q] [--json | --porcelain] <command> [<args>]",
		Short:             "keep the state of coding tasks in git",
		Annotations:       map[string]string{cobra.CommandDisplayNameAnnotation: "git brew"},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			e.beforeCommand(cmd)
			return e.Flags.check()
		},
	}
	addGlobalFlags(root, &e.Flags)
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.Err)
	root.SetHelpFunc(printHelp)
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolP("version", "v", false, "print the version")
	for _, group := range commandGroups {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, newCmd := range group.commands {
			cmd := newCmd(e)
			cmd.GroupID = group.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommand(subcommand(root, "help"))
	root.Args = knownCommand
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if version, err := cmd.Flags().GetBool("version"); err == nil && version {
			return printVersion(e)
		}
		return cmd.Help()
	}
	tidy(root)
	return root
}

func addGlobalFlags(root *cobra.Command, f *globalFlags) {
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.Dirs, "C", "C", nil, "run as if git brew was started in `path`")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print nothing but what was asked for")
	flags.BoolVar(&f.JSON, "json", false, "answer in JSON")
	flags.BoolVar(&f.Porcelain, "porcelain", false, "answer in a stable form for scripts, tab-separated")
	flags.StringVar(&f.Session, "session", "", "act for the agent session with this `id`")
	flags.StringVar(&f.Color, "color", "", "colour the output `when`: always, never or auto")
	flags.BoolP("help", "h", false, "show this help")
}

// check refuses options that exclude each other.
func (f *globalFlags) check() error {
	if f.JSON && f.Porcelain {
		return &usageError{"--json and --porcelain exclude each other", "give one of them"}
	}
	if f.Color != "" && !slices.Contains([]string{"always", "never", "auto"}, f.Color) {
		return &usageError{fmt.Sprintf("--color %q is unknown", f.Color), "give always, never or auto"}
	}
	return nil
}

// tidy gives every command the same manners: help shows the usage line as it
// is written, and a noun without its verb is an error that names the verbs.
func tidy(cmd *cobra.Command) {
	cmd.DisableFlagsInUseLine = true
	cmd.Flags().SortFlags = false
	for _, sub := range cmd.Commands() {
		tidy(sub)
	}
	if !cmd.HasParent() || !cmd.HasSubCommands() || cmd.Runnable() {
		return
	}
	cmd.Args = knownCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return &usageError{fmt.Sprintf("'%s' needs a subcommand", cmd.CommandPath()), "one of " + strings.Join(verbs(cmd), ", ")}
	}
}

// verbs are the names of a command's subcommands.
func verbs(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}
