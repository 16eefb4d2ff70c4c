package look

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// gitLine is what was typed behind a command that hands git's own options on.
type gitLine struct {
	args    []string // ours: what is no option, and stands before a "--"
	options []string // git's, with their values
	paths   []string // behind a "--"
}

// withValue are git's options for logs and diffs whose value may be the next word.
var withValue = []string{
	"-n", "--max-count", "--skip", "--since", "--after", "--until", "--before", "--author", "--committer", "--grep", "-S",
	"-G", "-O", "-U", "-l", "-L",
}

// handsOn makes a command hand options that are none of its own on to git. It calls
// do with them, once its own are parsed.
func handsOn(do func(*cli.Call, gitLine) (cli.Answer, error)) func(*cli.Env, *cobra.Command) {
	return func(e *cli.Env, cmd *cobra.Command) {
		cmd.DisableFlagParsing = true // git's own options are none of ours
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			cmd.InheritedFlags() // makes the global options the command's own
			line, own := splitGitLine(cmd.Flags(), args)
			if err := cmd.Flags().Parse(own); err != nil {
				return cli.FlagError(cmd, err)
			}
			if help, err := cmd.Flags().GetBool("help"); err == nil && help {
				return cmd.Help()
			}
			if err := e.Flags.Check(); err != nil {
				return err
			}
			if slices.ContainsFunc(line.options, func(o string) bool { return strings.HasPrefix(o+"=", "--task=") }) {
				return &cli.UsageError{Msg: "unknown flag: --task", Hint: cli.TaskIsArgument(cmd)}
			}
			if err := cli.Between(0, 1)(cmd, line.args); err != nil {
				return err
			}
			return cli.Command{Repo: func(c *cli.Call) (cli.Answer, error) { return do(c, line) }}.Run(e, cmd, args)
		}
	}
}

// splitGitLine tells a command's own options, and those that every command has, from git's.
func splitGitLine(flags *pflag.FlagSet, words []string) (line gitLine, own []string) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, _, inline := strings.Cut(word, "=")
		flag := flags.Lookup(strings.TrimPrefix(name, "--"))
		if slices.Contains([]string{"-C", "-h", "-q"}, name) {
			flag = flags.ShorthandLookup(name[1:])
		} else if !strings.HasPrefix(name, "--") {
			flag = nil
		}
		into, takes := &line.options, slices.Contains(withValue, word)
		switch {
		case word == "--":
			line.paths = words[i+1:]
			return line, own
		case !strings.HasPrefix(word, "-"):
			into = &line.args
		case flag != nil:
			into, takes = &own, !inline && flag.NoOptDefVal == ""
		}
		*into = append(*into, word)
		if takes && i+1 < len(words) {
			i++
			*into = append(*into, words[i])
		}
	}
	return line, own
}

// meaningless refuses options of git's where none has a meaning.
func meaningless(options []string, where string) error {
	if len(options) == 0 {
		return nil
	}
	name, _, _ := strings.Cut(options[0], "=")
	return &cli.UsageError{Msg: fmt.Sprintf("%s has no meaning with %s", name, where), Hint: "leave one of them away"}
}

// asRecords is the option by which records are wanted, "" for none.
func asRecords(e *cli.Env) string {
	switch {
	case e.Flags.JSON:
		return "--json"
	case e.Flags.Porcelain:
		return "--porcelain"
	}
	return ""
}
