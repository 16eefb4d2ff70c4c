package main

import (
	"cmp"
	"slices"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/agent"
	"github.com/git-brew/git-brew/internal/cli/look"
	"github.com/git-brew/git-brew/internal/cli/mind"
	"github.com/git-brew/git-brew/internal/cli/share"
	"github.com/git-brew/git-brew/internal/cli/tasks"
	"github.com/git-brew/git-brew/internal/cli/work"
	"github.com/spf13/cobra"
)

// commandGroup is a heading in the list of commands, and what stands under it.
type commandGroup struct {
	id, title string
	commands  []namedCommand
}

// namedCommand is a command that can be known without being made.
type namedCommand struct {
	name    string
	declare func() cli.Command
}

// commandGroups is every command there is, in the order of `git brew help`.
// A new command needs its line here, a page in help/, a script in testdata/script, and `make
// man`.
var commandGroups = []commandGroup{
	{"setup", "set it up, and look after it", []namedCommand{
		{"init", share.Init},
		{"uninit", share.Uninit},
		{"plugin", share.Plugin},
		{"config", share.Config},
		{"trust", share.Trust},
		{"doctor", share.Doctor},
	}},
	{"task", "make tasks, and go from one to another", []namedCommand{
		{"create", tasks.Create},
		{"list", tasks.List},
		{"status", tasks.Status},
		{"switch", tasks.Switch},
		{"edit", tasks.Edit},
		{"archive", tasks.Archive},
		{"delete", tasks.Delete},
		{"purge", tasks.Purge},
	}},
	{"work", "work on a task", []namedCommand{
		{"start", tasks.Start},
		{"next", tasks.Next},
		{"stage", tasks.Stage},
		{"doc", work.Doc},
		{"question", work.Question},
		{"decision", work.Decision},
		{"remark", work.Remark},
		{"phase", work.Phase},
		{"verify", work.Verify},
		{"run", work.Run},
		{"escalate", work.Escalate},
		{"pipeline", work.Pipeline},
		{"report", work.Report},
		{"undo", tasks.Undo},
		{"pause", tasks.Pause},
		{"finish", tasks.Finish},
		{"lock", tasks.Lock},
	}},
	{"share", "share it with other clones, and with other systems", []namedCommand{
		{"sync", share.Sync},
		{"import", share.Import},
		{"export", share.Export},
	}},
	{"look", "look at what a task was and is", []namedCommand{
		{"show", look.Show},
		{"log", look.Log},
		{"diff", look.Diff},
		{"graph", look.Graph},
		{"summary", look.Summary},
		{"map", look.Map},
	}},
	{"mind", "what is worth remembering, and what happened", []namedCommand{
		{"learn", mind.Learn},
		{"knowledge", mind.Knowledge},
		{"backlog", mind.Backlog},
		{"mode", mind.Mode},
		{"trigger", mind.Trigger},
		{"session", look.Session},
		{"events", look.Events},
		{"stats", look.Stats},
	}},
	{"agent", "what agents and git call", []namedCommand{
		{"hook", agent.Hook},
		{"statusline", agent.StatusLine},
		{"mcp", agent.MCP},
	}},
	{"about", "about git brew itself", []namedCommand{
		{"help", helpCommand},
		{"version", versionCommand},
		{"completion", completionCommand},
	}},
}

// firstWeek are the commands that a person needs in the first week: what -h shows.
// 'git brew help -a' has the others as well.
var firstWeek = []string{
	"init", "doctor", "config",
	"create", "list", "status", "switch", "start", "next", "pause", "finish", "undo",
	"phase", "doc", "question", "learn",
	"run", "show", "log", "diff", "sync",
}

// newRootCmd builds the tree of commands, or what a command line needs of it: the command
// that it asks for, and all of them where it is about others, or no command. A whole tree
// takes longer than what most commands do. Errors and usage are printed by run, in one
// place and one form.
func newRootCmd(e *cli.Env, line ...string) *cobra.Command {
	name, _ := commandWord(line)
	if name == "help" || name == "completion" || completes(line) {
		name = ""
	}
	isIt := func(c namedCommand) bool { return c.name == name }
	one := slices.ContainsFunc(commandGroups, func(g commandGroup) bool { return slices.ContainsFunc(g.commands, isIt) })
	root := &cobra.Command{
		Use:               "git-brew [-C <path>] [-q] [--json | --porcelain] <command> [<args>]",
		Short:             "keep the state of coding tasks in git",
		Annotations:       map[string]string{cobra.CommandDisplayNameAnnotation: "git brew"},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			cli.BeforeCommand(e, cmd)
			return e.Flags.Check()
		},
	}
	addGlobalFlags(root, &e.Flags)
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.Err)
	root.SetHelpFunc(helpOf(e))
	root.SetFlagErrorFunc(cli.FlagError)
	root.Flags().BoolP("version", "v", false, "print the version")
	for _, group := range commandGroups {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			if one && !isIt(c) && c.name != "help" {
				continue
			}
			cmd := c.declare().Cobra(e)
			cmd.GroupID = group.id
			root.AddCommand(cmd)
			describe(cmd)
		}
	}
	root.SetHelpCommand(subcommand(root, "help"))
	root.Args = cli.KnownCommand
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if asked, err := cmd.Flags().GetBool("version"); err == nil && asked {
			return cli.Command{Bare: version}.Run(e, cmd, args)
		}
		return cmd.Help()
	}
	tidy(root)
	return root
}

func addGlobalFlags(root *cobra.Command, f *cli.GlobalFlags) {
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.Dirs, "C", "C", nil, "run as if git brew was started in `path`")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print nothing but what was asked for")
	flags.BoolVar(&f.JSON, "json", false, "answer in JSON")
	flags.BoolVar(&f.Porcelain, "porcelain", false, "answer in a stable form for scripts, tab-separated")
	flags.StringVar(&f.Session, "session", "", "act for agent `session`, where the shell has none")
	flags.BoolVar(&f.AllowSecret, "allow-secret", false, "store what looks like a secret as it is")
	flags.StringVar(&f.Color, "color", "", "colour the output `when`: always, never or auto")
	flags.BoolP("help", "h", false, "show this help")
}

// tidy gives every command the same manners: help shows the usage line as it
// is written, and a noun without its verb lists, as 'git remote' does.
func tidy(cmd *cobra.Command) {
	cmd.DisableFlagsInUseLine = true
	cmd.Flags().SortFlags = false
	for _, sub := range cmd.Commands() {
		tidy(sub)
	}
	if !cmd.HasParent() || !cmd.HasSubCommands() || cmd.Runnable() {
		return
	}
	cmd.Args = cli.KnownCommand
	cmd.Annotations = map[string]string{cli.OnlyVerbs: ""}
	list := subcommand(cmd, cmp.Or(listing[cmd.Name()], "list"))
	cmd.Flags().AddFlagSet(list.LocalNonPersistentFlags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		list.SetContext(cmd.Context())
		return list.RunE(list, nil)
	}
}

// listing are the subcommands that list, where they are not called so.
var listing = map[string]string{"pipeline": "show"}
