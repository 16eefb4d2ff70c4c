package look

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Events() cli.Command {
	var r journal.EventsRequest
	return cli.Command{
		Use:   "events [<options>]",
		Short: "what happened on this clone: tools, prompts, decisions, sessions",
		Long: `Lists the events of this clone, the oldest first. --since and --until take a
time (2026-01-31, 2026-01-31T14:00:00Z) or how long ago (90m, 24h, 30d).
--session chooses the events of one session by its id or the beginning of it,
--type those of one of these types:

` + typesOfEvents() + `
With --json it is one object a line.`,
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

// typesOfEvents lists them for the help.
func typesOfEvents() string {
	var b strings.Builder
	for _, k := range event.Kinds() {
		when, _, _ := strings.Cut(k.When, ";")
		fmt.Fprintf(&b, "  %-14s %s\n", k.Type, when)
	}
	return b.String()
}

// listEvents prints events: as they are read for scripts, in one table for people.
func listEvents(c *cli.Call, r journal.EventsRequest) error {
	table := eventTable{env: c.Env, style: c.Style(), rows: c.Table("")}
	table.rows.Leave, table.rows.Give = []int{1, 2}, []int{3}
	bad, err := c.App.Journal.Events(c.Ctx, r, func(v event.Event) error {
		switch {
		case c.Flags.JSON:
			return ui.JSONLine(c.Out, view.NewEvent(v))
		case c.Flags.Porcelain:
			at := view.EventTime(v).Format(time.RFC3339Nano)
			return ui.Record(c.Out, at, v.Session, string(v.Type), v.Hook, v.Tool, v.Task, v.Phase, v.Mode,
				v.Decision, v.Reason, eventChange(v))
		}
		table.add(v)
		return nil
	})
	if err != nil {
		return err
	}
	if bad > 0 {
		c.Complain("%s can't be read", ui.Plural(bad, "line"))
	}
	switch {
	case c.Flags.JSON, c.Flags.Porcelain:
	case table.rows.Len() == 0:
		c.Say("No events.")
	default:
		c.WriteTable(table.rows)
	}
	return nil
}

// eventTable is the list for people: a day stands above what happened on it.
type eventTable struct {
	env   *cli.Env
	style ui.Style
	rows  *ui.Table
	day   string
}

func (t *eventTable) add(v event.Event) {
	at := view.EventTime(v).In(t.env.Now().Location())
	if day := at.Format(time.DateOnly); day != t.day {
		t.day = day
		t.rows.Add(t.style.Dim(day))
	}
	t.rows.Add("  "+t.style.Dim(at.Format("15:04:05")), ui.Safe(task.ShortSession(v.Session)), eventName(v),
		ui.Safe(eventStory(v)))
}

func eventName(v event.Event) string {
	if v.Hook != "" {
		return ui.Safe(v.Hook)
	}
	return ui.Safe(ui.Words(string(v.Type)))
}

// eventStory is what is worth knowing of an event, for people.
func eventStory(v event.Event) string {
	story := ""
	add := func(format string, args ...any) {
		if story != "" {
			story += " · "
		}
		story += fmt.Sprintf(format, args...)
	}
	if v.Tool != "" {
		add("%s", v.Tool)
	}
	if v.Agent != "" {
		add("agent %s", v.Agent)
	}
	switch {
	case v.Success == nil:
	case *v.Success:
		add("done in %s", time.Duration(v.DurationMS)*time.Millisecond)
	default:
		add("failed")
	}
	if v.Type == event.ModeChange {
		add("%s", v.Mode)
	}
	if change := eventChange(v); change != "" {
		add("%s", change)
	}
	if v.Decision != "" {
		add("%s", v.Decision)
	}
	if v.Reason != "" {
		add("%s", v.Reason)
	}
	if detail := v.Data["detail"]; detail != "" {
		add("%s", detail)
	}
	return story
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
