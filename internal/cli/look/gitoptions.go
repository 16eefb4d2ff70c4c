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

// choosing are options of git log that say which commits, and nothing of how they
// are shown: they mean the same for records.
var choosing = append([]string{
	"-i", "--regexp-ignore-case", "-E", "--extended-regexp", "-F", "--fixed-strings", "-P", "--perl-regexp", "--all-match",
	"--invert-grep",
	"--no-merges", "--merges", "--first-parent", "--reverse",
}, withValue[:11]...)

// forms are options of git diff that show something else than a patch.
var forms = []string{
	"--stat", "--numstat", "--shortstat", "--dirstat", "--summary", "--name-only", "--name-status", "--raw", "-s",
	"--no-patch", "-z", "--quiet",
	"--word-diff", "--color-words", "--color-moved", "--compact-summary", "--check", "--ext-diff", "--textconv",
	"--output", "--patch-with-stat",
}

// handsOn makes a command hand options that are none of its own on to git. It calls
// do with them, once its own are parsed.
func handsOn(do func(*cli.Call, gitLine) (cli.Answer, error)) func(*cli.Env, *cobra.Command) {
	return func(e *cli.Env, cmd *cobra.Command) {
		cmd.DisableFlagParsing = true // git's own options are none of ours
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			rest, help, err := takeGlobalFlags(cmd, args)
			if err != nil {
				return cli.FlagError(cmd, err)
			}
			if help {
				return cmd.Help()
			}
			if err := e.Flags.Check(); err != nil {
				return err
			}
			if i := slices.IndexFunc(rest, func(word string) bool {
				return word == "--task" || strings.HasPrefix(word, "--task=")
			}); i >= 0 && !slices.Contains(rest[:i], "--") {
				return &cli.UsageError{Msg: "unknown flag: --task", Hint: cli.TaskIsArgument(cmd)}
			}
			line, own := splitGitLine(cmd.LocalNonPersistentFlags(), rest)
			if err := cmd.Flags().Parse(own); err != nil {
				return cli.FlagError(cmd, err)
			}
			if err := cli.Between(0, 1)(cmd, line.args); err != nil {
				return err
			}
			return cli.Command{Repo: func(c *cli.Call) (cli.Answer, error) { return do(c, line) }}.Run(e, cmd, args)
		}
	}
}

// splitGitLine tells a command's own options from git's.
func splitGitLine(flags *pflag.FlagSet, words []string) (line gitLine, own []string) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, _, inline := strings.Cut(word, "=")
		into, takes := &line.options, slices.Contains(withValue, word)
		switch flag := flags.Lookup(strings.TrimPrefix(name, "--")); {
		case word == "--":
			line.paths = words[i+1:]
			return line, own
		case !strings.HasPrefix(word, "-"):
			into = &line.args
		case strings.HasPrefix(name, "--") && flag != nil:
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

// meaningless refuses options of git's that have no meaning here.
func meaningless(options []string, where string, means func(name string) bool) error {
	for i := 0; i < len(options); i++ {
		name, _, _ := strings.Cut(options[i], "=")
		switch {
		case strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "--") && len(name) > 2 && !means(name):
			name = name[:2] // -n1, -U5
		case slices.Contains(withValue, options[i]):
			i++
		}
		if !means(name) {
			return &cli.UsageError{Msg: fmt.Sprintf("%s has no meaning with %s", name, where), Hint: "leave one of them away"}
		}
	}
	return nil
}

// choosesCommits reports that an option of git log says which commits.
func choosesCommits(name string) bool {
	return slices.Contains(choosing, name) || len(name) > 1 && strings.Trim(name[1:], "0123456789") == ""
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
