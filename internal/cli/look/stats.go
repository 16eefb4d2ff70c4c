package look

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
)

type statsOptions struct {
	since, until, task string
	repos              []string
}

func Stats() cli.Command {
	var o statsOptions
	return cli.Command{
		Use:   "stats [--repo <path>]... [<options>]",
		Short: "time in each mode, use of tools, denials, by day and by task",
		Flags: []cli.Flag{
			cli.Opt("since", &o.since, "from this `time` on"),
			cli.Opt("until", &o.until, "before this `time`"),
			cli.Opt("repo", &o.repos, "of the repository at `path`, not of the one here"),
			cli.Opt("task", &o.task, "only what belongs to this `task`"),
		},
		Bare: func(c *cli.Call) (cli.Answer, error) {
			p, err := sumUp(c, o)
			return p.answer(), err
		},
	}
}

// sumUp joins the sums of all repositories.
func sumUp(c *cli.Call, o statsOptions) (statsPage, error) {
	p := statsPage{Call: c}
	services, done, err := statsServices(c.Env, o.repos)
	defer done()
	if err != nil {
		return p, err
	}
	filter := stats.Filter{Session: c.TypedSession()} // who asks is not what is asked for
	if o.task != "" {
		id, err := theTask(c.Ctx, services, o.task)
		if err != nil {
			return p, err
		}
		filter.Task = string(id)
	}
	p.App = services[0]
	all := &stats.Sum{}
	for _, s := range services {
		sum, err := s.Journal.Stats(c.Ctx, o.since, o.until)
		if err != nil {
			return p, err
		}
		all.Join(sum)
		p.repos = append(p.repos, cmp.Or(s.Clone.Repo.WorkTree, s.Clone.Repo.CommonDir))
	}
	p.report = all.Report(filter)
	return p, nil
}

// statsServices opens the repositories that are asked about, each once, whatever
// paths lead to it; done closes those that were opened for it.
func statsServices(e *cli.Env, dirs []string) (services []*app.App, done func(), err error) {
	done = func() {}
	if len(dirs) == 0 {
		s, err := e.Service()
		return []*app.App{s}, done, err
	}
	done = func() {
		for _, s := range services {
			_ = s.Clone.Repo.Close()
		}
	}
	base := e.Flags.Dirs
	defer func() { e.Flags.Dirs = base }()
	for _, dir := range dirs {
		e.Flags.Dirs = append(base[:len(base):len(base)], dir)
		s, err := e.Open(cli.OpenRequest{For: clone.Caller{Session: e.Session(), Shell: e.ShellsSession()}})
		if err != nil {
			return services, done, err
		}
		if slices.ContainsFunc(services, func(o *app.App) bool {
			return o.Clone.Repo.CommonDir == s.Clone.Repo.CommonDir // and so the same events
		}) {
			_ = s.Clone.Repo.Close()
			continue
		}
		services = append(services, s)
	}
	return services, done, nil
}

// theTask is the id of the task that was asked for, in the first repository that
// has it.
func theTask(ctx context.Context, services []*app.App, arg string) (id task.ID, err error) {
	for _, s := range services {
		id, err = s.Tasks.Resolve(ctx, arg)
		if !errors.Is(err, task.ErrNoTask) {
			break
		}
	}
	return id, err
}
