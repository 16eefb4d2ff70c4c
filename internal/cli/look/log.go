package look

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Log() cli.Command {
	return cli.Command{
		Use:   "log [<task>] [--all] [<git-log-options>...]",
		Short: "tell a task's story",
		Long: `Tells a task's story, the latest first, through 'git log' and its pager; every
option of git-log(1) but --all is passed on. With --json and --porcelain, those
that say which commits: -n, --since, --until, --author, --grep, and paths. What
git brew wrote by itself, such as the summary of an iteration, is told with
--all, and to scripts. "void" stands in front of what was overtaken by another
holder of the lock, and changed nothing.

Porcelain has commit, time, author, kind, session, void or "", and subject.`,
		Setup: handsOn(logAnswer),
		Example: `  git brew log
  git brew log add-jwt -p -- plan.md
  git brew log --since yesterday --format='%s %(trailers:key=Brew-Phase)'`,
	}
}

// takeGlobalFlags reads the options that every command has out of args and
// gives the others back.
func takeGlobalFlags(cmd *cobra.Command, args []string) (rest []string, help bool, err error) {
	flags := cmd.Root().PersistentFlags()
	var ours []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, _, inline := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return append(rest, args[i:]...), help, flags.Parse(ours)
		case arg == "-h" || arg == "--help":
			help = true
		case slices.Contains([]string{"-q", "--quiet", "--json", "--porcelain"}, arg):
			ours = append(ours, arg)
		case slices.Contains([]string{"-C", "--session", "--color"}, name):
			ours = append(ours, arg)
			if !inline && i+1 < len(args) {
				i++
				ours = append(ours, args[i])
			}
		default:
			rest = append(rest, arg)
		}
	}
	return rest, help, flags.Parse(ours)
}

func logAnswer(c *cli.Call, line gitLine) (cli.Answer, error) {
	if form := asRecords(c.Env); form != "" {
		if err := meaningless(line.options, form, choosesCommits); err != nil {
			return cli.Answer{}, err
		}
	}
	if a, found, err := c.Look(cli.FirstArg(line.args)); err != nil || !found {
		return a, err
	}
	void, err := c.App.Records.Void(c.Ctx, c.ID)
	if err != nil {
		return cli.Answer{}, err
	}
	options, all := withoutAll(line.options)
	line.options = options
	if asRecords(c.Env) != "" {
		return logRecords(c, line, void)
	}
	args := []string{"log", "--format=" + logFormat(c.Env, len(void) > 0)}
	if !all && !greps(options) {
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
	args = slices.Concat(args, options, []string{tip, "--"}, line.paths)
	return cli.Answer{}, cli.GitMarked(c.Env, c.Ctx, c.App.Clone.Repo, slices.Collect(maps.Keys(void)), args)
}

// runGit runs git with this process's streams, so that its pager and colours are there, and
// ends with its exit code.
func runGit(c *cli.Call, args []string) error { return cli.GitIn(c.Env, c.Ctx, c.App.Clone.Repo, args) }

// withoutAll takes --all out: git means every ref by it, and here it is every line.
func withoutAll(options []string) (rest []string, all bool) {
	all = slices.Contains(options, "--all")
	return slices.DeleteFunc(options, func(o string) bool { return o == "--all" }), all
}

// greps tells that whoever asks chooses lines by what they say.
func greps(options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool {
		return strings.HasPrefix(o, "--grep") || o == "--invert-grep"
	})
}

// logFormat is the story's default form, in the width there is: commit,
// sentence, when, and where there is room who. What no terminal shows is whole.
func logFormat(e *cli.Env, void bool) string {
	const commit, when, who, gap = 7, 14, 12, 2
	const narrow, wide = 60, 100 // where it is narrow, nothing says when
	slack := 2                   // git cuts a wide character a column late, and an id may be longer
	if void {
		slack += len(cli.VoidMark)
	}
	if e.Room(0, 0) == cli.Endless {
		return fmt.Sprintf("%%C(auto,yellow)%%h%%C(auto,reset)  %%<(%d)%%s  %%C(auto,dim)%%cr%%C(auto,reset)",
			e.Width()-commit-when-2*gap)
	}
	if e.Width() < narrow {
		return fmt.Sprintf("%%C(auto,yellow)%%h%%C(auto,reset)  %%<(%d,trunc)%%s", max(12, e.Width()-commit-gap-slack))
	}
	sentence, by := e.Width()-commit-when-2*gap-slack, ""
	if e.Width() >= wide {
		sentence, by = sentence-who-gap, fmt.Sprintf("  %%<(%d,trunc)%%an", who)
	}
	return fmt.Sprintf("%%C(auto,yellow)%%h%%C(auto,reset)  %%<(%d,trunc)%%s  "+
		"%%C(auto,dim)%%<(%d,trunc)%%cr%%C(auto,reset)%s", max(30, sentence), when, by)
}

func logRecords(c *cli.Call, line gitLine, void map[string]bool) (cli.Answer, error) {
	steps, err := c.App.Records.History(c.Ctx, c.ID)
	if err == nil && len(line.options)+len(line.paths) > 0 {
		steps, err = chosen(c.Ctx, c.App, steps, line)
	}
	return cli.Answer{
		JSON: cli.Documents(steps, func(s ledger.Step) any { return view.LogStep(s, void[s.Commit.String()]) }),
		Records: cli.Each(steps, func(s ledger.Step) []string {
			commit, kind, session, mark := s.Commit.String(), "", "", ""
			if s.Op != nil {
				kind, session = string(s.Op.Kind), s.Op.Session
			}
			if void[commit] {
				mark = "void"
			}
			return []string{commit, ui.Timestamp(s.When), s.Author, kind, session, mark, s.Subject}
		}),
	}, err
}

// chosen are the steps that 'git log' chooses, in its order.
func chosen(ctx context.Context, service *app.App, steps []ledger.Step, line gitLine) ([]ledger.Step, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"log", "--format=%H"}, line.options, []string{steps[0].Commit.String(), "--"},
		line.paths)
	out, err := service.Clone.Repo.Git.Run(ctx, args...)
	if err != nil {
		return nil, err
	}
	at := make(map[string]ledger.Step, len(steps))
	for _, s := range steps {
		at[s.Commit.String()] = s
	}
	var some []ledger.Step
	for _, commit := range strings.Fields(string(out)) {
		if s, ok := at[commit]; ok {
			some = append(some, s)
		}
	}
	return some, nil
}
