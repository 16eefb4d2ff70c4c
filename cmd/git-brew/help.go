package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/ui"
)

// helpColumn is where descriptions start, as in git's own -h.
const helpColumn = 26

func helpCommand() cli.Command {
	var all bool
	return cli.Command{
		Use: "help [-a] [<command>...]", Short: "show what a command does and takes",
		Flags: []cli.Flag{cli.Opt("a, all", &all, "list all commands")},
		Setup: func(_ *cli.Env, cmd *cobra.Command) { cmd.ValidArgsFunction = completeHelp },
		Bare: func(c *cli.Call) (cli.Answer, error) {
			about := c.Cmd.Root()
			if all {
				var text bytes.Buffer
				printCommands(&text, about, func(string) bool { return true })
				return cli.Answer{Text: func() { c.Tell("%s", text.Bytes()) }}, nil
			}
			for _, name := range c.Args {
				next := subcommand(about, name)
				if next == nil {
					return cli.Answer{}, cli.KnownCommand(about, []string{name})
				}
				about = next
			}
			return cli.Answer{}, about.Help()
		},
	}
}

func completeHelp(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	about := cmd.Root()
	for _, name := range args {
		if about = subcommand(about, name); about == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	return cli.Verbs(about), cobra.ShellCompDirectiveNoFileComp
}

func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name && sub.IsAvailableCommand() {
			return sub
		}
	}
	return nil
}

// helpOf prints a command's help in the form of git's own -h, in lines of a width.
func helpOf(e *cli.Env) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, _ []string) {
		if e.Unhelped = cli.UnknownVerb(cmd); e.Unhelped != nil {
			return
		}
		var text bytes.Buffer
		printHelp(&text, cmd)
		e.Tell("%s", text.Bytes())
	}
}

func printHelp(w io.Writer, cmd *cobra.Command) {
	own := cmd.LocalNonPersistentFlags()
	if !cmd.HasParent() {
		own = cmd.LocalFlags()
	}
	fmt.Fprintf(w, "usage: %s\n", usageLine(cmd))
	if about := description(cmd); about != "" {
		fmt.Fprintf(w, "\n%s\n", about)
	}
	if cmd.HasAvailableSubCommands() {
		printCommands(w, cmd, func(name string) bool { return cmd.HasParent() || slices.Contains(firstWeek, name) })
	}
	printFlags(w, own)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\n%s\n", cmd.Example)
	}
	if !cmd.HasParent() {
		fmt.Fprint(w, "\n'git brew help -a' lists all commands, 'git brew help <command>' shows what one\n"+
			"takes, 'git brew --help' shows the manual.\n")
	}
}

// helpPages tell of each command what it does, in full: a file for each, with a section for
// each of its own.
//
//go:embed help/*.txt
var helpPages embed.FS

// describe gives a command, and those below it, what its page says: the text below
// "== name", and behind a line "Examples:" commands to copy.
func describe(cmd *cobra.Command) {
	page, _ := helpPages.ReadFile("help/" + cmd.Name() + ".txt") // some need no more than their line
	sections := map[string]string{}
	for section := range strings.SplitSeq("\n"+string(page), "\n== ") {
		name, text, _ := strings.Cut(section, "\n")
		sections[name] = text
	}
	var tell func(cmd *cobra.Command, name string)
	tell = func(cmd *cobra.Command, name string) {
		about, example, _ := strings.Cut(sections[name], "Examples:\n")
		cmd.Long, cmd.Example = strings.TrimSpace(about), strings.TrimRight(example, "\n")
		for _, sub := range cmd.Commands() {
			tell(sub, name+" "+sub.Name())
		}
	}
	tell(cmd, cmd.Name())
}

func usageLine(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		_, rest, _ := strings.Cut(cmd.Use, " ")
		return cmd.DisplayName() + " " + rest
	}
	noun := cmd.HasAvailableSubCommands() && !strings.Contains(cmd.Use, " ")
	return cmd.UseLine() + ui.Either(noun, " <command>", "")
}

func description(cmd *cobra.Command) string {
	return ui.Either(cmd.Long == "" && cmd.HasParent(), cli.Sentence(cmd.Short)+".", cmd.Long)
}

// printCommands lists subcommands under their groups' titles, those that are wanted.
func printCommands(w io.Writer, cmd *cobra.Command, wanted func(name string) bool) {
	wide := 0
	for _, sub := range cmd.Commands() {
		if wanted(sub.Name()) {
			wide = max(wide, len(sub.Name()))
		}
	}
	section := func(title, group string) {
		for _, sub := range cmd.Commands() {
			if !sub.IsAvailableCommand() || sub.GroupID != group || !wanted(sub.Name()) {
				continue
			}
			if title != "" {
				fmt.Fprintf(w, "\n%s\n", title)
				title = ""
			}
			fmt.Fprintf(w, "   %s   %s\n", ui.Pad(sub.Name(), wide), sub.Short)
		}
	}
	for _, group := range cmd.Groups() {
		section(group.Title, group.ID)
	}
	section("commands", "")
}

// printFlags lists options, descriptions in one column.
func printFlags(w io.Writer, flags *pflag.FlagSet) {
	first := true
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if first {
			fmt.Fprintln(w)
			first = false
		}
		spelled, usage := spellFlag(f)
		if len(spelled) > helpColumn-2 {
			fmt.Fprintf(w, "%s\n%*s%s\n", spelled, helpColumn, "", usage)
			return
		}
		fmt.Fprintf(w, "%-*s%s\n", helpColumn, spelled, usage)
	})
}

// spellFlag is how an option is typed, and what it does.
func spellFlag(f *pflag.Flag) (spelled, usage string) {
	arg, _ := pflag.UnquoteUsage(f)
	usage = strings.Replace(f.Usage, "`"+arg+"`", "<"+arg+">", 1)
	switch {
	case f.Shorthand == f.Name:
		spelled = "    -" + f.Name
	case f.Shorthand != "":
		spelled = "    -" + f.Shorthand + ", --" + f.Name
	default:
		spelled = "    --" + f.Name
	}
	switch {
	case arg != "" && f.NoOptDefVal != "":
		spelled += "[=<" + arg + ">]"
	case arg != "":
		spelled += " <" + arg + ">"
	}
	return spelled, usage
}

func versionCommand() cli.Command {
	return cli.Command{Use: "version", Short: "print the version", Bare: version}
}

func version(c *cli.Call) (cli.Answer, error) {
	v := build.Current()
	return cli.Answer{JSON: v, Records: cli.Record(v.Version, v.Commit, v.Go), Text: func() {
		c.Line("git-brew version " + v.Version + " (" + v.Detail() + ")")
	}}, nil
}
