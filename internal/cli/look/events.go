package look

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Events() cli.Command {
	var r journal.EventsRequest
	return cli.Command{
		Use: "events [<options>]", Short: "what happened on this clone: tools, prompts, decisions, sessions",
		Flags: []cli.Flag{
			cli.Opt("since", &r.Since, "from this `time` on"),
			cli.Opt("until", &r.Until, "before this `time`"),
			cli.Opt("hook", &r.Hook, "only what this `hook` recorded"),
			cli.Opt("type", &r.Type, "only events of this `kind`"),
			cli.Opt("task", &r.Task, "only what belongs to this `task`"),
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			r.Session = c.Flags.Session
			if r.Task != "" {
				id, err := c.App.Tasks.Resolve(c.Ctx, r.Task)
				if err != nil {
					return cli.Answer{}, err
				}
				r.Task = string(id)
			}
			return cli.Answer{}, listEvents(c, r)
		},
	}
}

// listEvents prints events: as they are read for scripts, in one table for people, in which a
// day stands above what happened on it.
func listEvents(c *cli.Call, r journal.EventsRequest) error {
	style, table, day := c.Style(), c.Table(""), ""
	table.Leave, table.Give = []int{1, 2}, []int{3}
	bad, err := c.App.Journal.Events(c.Ctx, r, func(v event.Event) error {
		at := view.EventTime(v)
		switch {
		case c.Flags.JSON:
			return ui.JSONLine(c.Out, view.NewEvent(v))
		case c.Flags.Porcelain:
			return ui.Record(c.Out, at.Format(time.RFC3339Nano), v.Session, string(v.Type), v.Hook, v.Tool, v.Task, v.Phase,
				v.Mode, v.Decision, v.Reason, eventChange(v))
		}
		at = at.In(c.Now().Location())
		if today := at.Format(time.DateOnly); today != day {
			day = today
			table.Add(style.Dim(day))
		}
		name := ui.Safe(cmp.Or(v.Hook, ui.Words(string(v.Type))))
		table.Add("  "+style.Dim(at.Format("15:04:05")), ui.Safe(task.ShortSession(v.Session)), name, ui.Safe(eventStory(v)))
		return nil
	})
	if err != nil {
		return err
	}
	if bad > 0 {
		c.Complain("%s can't be read", ui.Plural(bad, "line"))
	}
	if day == "" && !c.Flags.JSON && !c.Flags.Porcelain {
		c.Say("No events.")
	}
	c.WriteTable(table)
	return nil
}

// eventStory is what is worth knowing of an event, for people.
func eventStory(v event.Event) string {
	agent, ended := ui.Either(v.Agent == "", "", "agent "+v.Agent), ""
	if v.Success != nil {
		took := time.Duration(v.DurationMS) * time.Millisecond
		ended = ui.Either(*v.Success, "done in "+took.String(), "failed")
	}
	mode := ui.Either(v.Type == event.ModeChange, v.Mode, "")
	return ui.Joined(" · ", v.Tool, agent, ended, mode, eventChange(v), v.Decision, v.Reason, v.Data[event.DataDetail])
}

// eventChange says what changed, from what and to what.
func eventChange(v event.Event) string {
	what, from, to := v.Data[event.DataWhat], v.Data[event.DataFrom], v.Data[event.DataTo]
	if v.Type == event.PhaseChange {
		what = "phase " + v.Phase + " " + what
	}
	switch {
	case v.Type == event.ModeChange || what == "" && to == "":
		what = ""
	case from != "" && to != "":
		what += ": " + ui.Words(from) + " -> " + ui.Words(to)
	case to != "":
		what += ": " + ui.Words(to)
	}
	if holder := v.Data[event.DataHolder]; holder != "" {
		what = strings.TrimSpace(what + " " + holder)
	}
	return what
}

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
	var id task.ID
	if o.task != "" {
		if id, err = theTask(c.Ctx, services, o.task); err != nil {
			return p, err
		}
	}
	p.App = services[0]
	all := stats.New()
	for _, s := range services {
		sum, err := s.Journal.Stats(c.Ctx, o.since, o.until)
		if err != nil {
			return p, err
		}
		all.Join(sum)
		p.repos = append(p.repos, cmp.Or(s.Clone.Repo.WorkTree, s.Clone.Repo.CommonDir))
	}
	p.report = all.Report(string(id), c.TypedSession()) // who asks is not what is asked for
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
