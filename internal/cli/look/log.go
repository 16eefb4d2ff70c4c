package look

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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

// chosen are the steps that 'git log' chooses, in its order; how it would show them is
// said by what comes last.
func chosen(ctx context.Context, service *app.App, steps []ledger.Step, line gitLine) ([]ledger.Step, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	last := []string{"--no-patch", "--format=%n%H%n", steps[0].Commit.String(), "--"}
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
	for _, commit := range strings.Fields(string(out)) {
		if s, ok := at[commit]; ok {
			some = append(some, s)
		}
	}
	return some, nil
}
