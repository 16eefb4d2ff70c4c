package look

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Log() cli.Command {
	return cli.Command{
		Use: "log [<task>] [--all] [<git-log-options>...]", Short: "tell a task's story",
		Setup: handsOn(logAnswer),
	}
}

func logAnswer(c *cli.Call, line gitLine) (cli.Answer, error) {
	if a, found, err := c.Look(cli.FirstArg(line.args)); err != nil || !found {
		return a, err
	}
	void, err := c.App.Records.Void(c.Ctx, c.ID)
	if err != nil {
		return cli.Answer{}, err
	}
	isAll := func(o string) bool { return o == "--all" } // git means every ref by it, and here it is every line
	all := slices.ContainsFunc(line.options, isAll)
	line.options = slices.DeleteFunc(line.options, isAll)
	if asRecords(c.Env) != "" {
		return logRecords(c, line, void)
	}
	args := []string{"log", "--format=" + logFormat(c.Env, len(void) > 0)}
	greps := func(o string) bool { return strings.HasPrefix(o, "--grep") || o == "--invert-grep" }
	if !all && !slices.ContainsFunc(line.options, greps) {
		args = append(args, "--invert-grep")
		for _, pattern := range report.Generated {
			args = append(args, "--grep="+pattern)
		}
	}
	if c.Flags.Color != "" {
		args = append(args, "--color="+c.Flags.Color)
	}
	tip, err := c.App.Records.Revision(c.Ctx, c.ID)
	if err != nil {
		return cli.Answer{}, err
	}
	args = slices.Concat(args, line.options, []string{tip, "--"}, line.paths)
	return cli.Answer{}, cli.RunGit(c.Env, c.Ctx, c.App.Clone.Repo, slices.Collect(maps.Keys(void)), args)
}

// logFormat is the story's default form, in the width there is: commit, sentence, and where
// there is room when. What no terminal shows is whole.
func logFormat(e *cli.Env, void bool) string {
	const commit, when, gap, narrow = 7, 14, 2, 60
	room, cut, ago := e.Width()-commit-when-2*gap, "", "%cr"
	if e.Room(0, 0) != cli.Endless {
		room, cut = room-2, ",trunc" // git cuts a wide character a column late, and an id may be longer
		ago = fmt.Sprintf("%%<(%d%s)%%cr", when, cut)
	}
	if void {
		room -= len(cli.VoidMark)
	}
	ago = "  %C(auto,dim)" + ago + "%C(auto,reset)"
	if e.Width() < narrow {
		room, ago = room+when+gap, ""
	}
	return fmt.Sprintf("%%C(auto,yellow)%%h%%C(auto,reset)  %%<(%d%s)%%s%s", max(12, room), cut, ago)
}

func logRecords(c *cli.Call, line gitLine, void map[string]bool) (cli.Answer, error) {
	steps, err := c.App.Records.History(c.Ctx, c.ID)
	if err == nil && len(line.options)+len(line.paths) > 0 {
		steps, err = chosen(c.Ctx, c.App, steps, line)
	}
	return cli.Answer{
		JSON: cli.Each(steps, func(s ledger.Step) any { return view.LogStep(s, void[s.Commit.String()]) }),
		Records: cli.Each(steps, func(s ledger.Step) []string {
			commit, kind, session := s.Commit.String(), "", ""
			if s.Op != nil {
				kind, session = string(s.Op.Kind), s.Op.Session
			}
			mark := ui.Either(void[commit], "void", "")
			return []string{commit, ui.Timestamp(s.When), s.Author, kind, session, mark, s.Subject}
		}),
	}, err
}

// chosen are the steps that 'git log' chooses, in its order; how it would show them is
// said by what comes last.
func chosen(ctx context.Context, service *app.App, steps []ledger.Step, line gitLine) ([]ledger.Step, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	last := []string{"--format=%x00%H%n", steps[0].Commit.String(), "--"} // with --no-patch git refuses --name-only
	args := slices.Concat([]string{"log"}, line.options, last, line.paths)
	out, err := service.Clone.Repo.Git.Run(ctx, args...)
	if err != nil {
		return nil, err
	}
	at := make(map[string]ledger.Step, len(steps))
	for _, s := range steps {
		at[s.Commit.String()] = s
	}
	var some []ledger.Step
	for shown := range strings.SplitSeq(string(out), "\x00") {
		commit, _, _ := strings.Cut(shown, "\n")
		if s, ok := at[commit]; ok {
			some = append(some, s)
		}
	}
	return some, nil
}

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
				return cli.Misused("unknown flag: --task", cli.TaskIsArgument(cmd))
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
	return cli.Misused(fmt.Sprintf("%s has no meaning with %s", name, where), "leave one of them away")
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
