package look

import (
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Session() cli.Command { //nolint:funlen // a table
	var title string
	return cli.Command{
		Use: "session", Short: "the runs of agents that this clone saw",
		Subs: []cli.Command{
			{
				Use: "list [--task <task>]", Short: "list sessions, the latest first",
				OnTask: true,
				Repo: func(c *cli.Call) (cli.Answer, error) {
					all, err := c.App.Sessions.Sessions(c.Ctx)
					if err != nil {
						return cli.Answer{}, err
					}
					id, err := taskNamed(c)
					if err != nil {
						return cli.Answer{}, err
					}
					if id != "" {
						all = slices.DeleteFunc(slices.Clone(all), func(s clone.Session) bool { return s.Task != id })
					}
					return cli.Answer{
						JSON: ui.Object{"sessions", all}, Records: cli.Each(all, sessionRecord),
						Text: func() {
							listSessions(c, all)
						},
					}, nil
				},
			},
			{
				Use: "show [<session>]", Short: "show one and what it did, by its id or its beginning",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					s, err := c.App.Sessions.SessionOf(c.Ctx, cli.FirstArg(c.Args))
					if err != nil || c.Flags.Porcelain {
						return cli.Answer{Records: cli.Record(sessionRecord(s)...)}, err
					}
					did, err := c.App.Journal.SessionReport(c.Ctx, s)
					doc := ui.Object{"session", s, "activity", view.Stats(did, nil)}
					return cli.Answer{JSON: doc, Text: func() { showSession(c, s, did) }}, err
				},
			},
			{
				Use: "set [<session>] [--title <title>] [--task <task>]", Short: "correct what is recorded of one",
				OnTask: true,
				Flags:  []cli.Flag{cli.Opt("title", &title, "its `title`")},
				Check: cli.RefuseIf(func(c *cli.Call) bool { return title == "" && c.TaskName() == "" },
					"nothing to set", ""),
				Repo: func(c *cli.Call) (cli.Answer, error) {
					id, err := taskNamed(c)
					if err != nil {
						return cli.Answer{}, err
					}
					s, err := c.App.Sessions.SetSession(c.Ctx, cli.FirstArg(c.Args), title, id, "")
					return sessionAnswer(c, "Recorded", s), err
				},
			},
			{
				Use:   "correlate <session> <correlation>|<session>",
				Short: "tie a session to another one, or to 8 hexadecimal digits",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					s, err := c.App.Sessions.Correlate(c.Ctx, c.Args[0], c.Args[1])
					return sessionAnswer(c, "Correlated", s), err
				},
			},
		},
	}
}

// taskNamed is the task of --task, "" for none.
func taskNamed(c *cli.Call) (task.ID, error) {
	if c.TaskName() == "" {
		return "", nil
	}
	return c.App.Tasks.Resolve(c.Ctx, c.TaskName())
}

func listSessions(c *cli.Call, all []clone.Session) {
	if len(all) == 0 {
		c.Say("No sessions.")
		c.Next("git brew init")
		return
	}
	style, called, table := c.Style(), c.App.Records.Names(c.Ctx), c.Table("")
	table.Leave, table.Give = []int{4, 1}, []int{2, 5}
	for _, s := range all {
		state := ui.Either(s.EndedAt == "", "running", "ended")
		table.Add(style.Bright(ui.Safe(task.ShortSession(s.ID))), state, ui.Safe(called(s.Task)),
			style.Dim(cli.Ago(c.Env, s.SeenAt)), lasted(s, stats.Totals{}), ui.Safe(s.Title))
	}
	c.WriteTable(table)
}

func sessionRecord(s clone.Session) []string {
	return []string{
		s.ID, string(s.Task), s.Correlation, s.StartedAt, s.SeenAt, s.EndedAt, s.EndReason, s.Source, s.Model, s.Title,
	}
}

// showSession prints what is recorded of a session, and what it did.
func showSession(c *cli.Call, s clone.Session, did stats.Report) {
	t := did.Total
	table := c.Facts("")
	fact := func(name, words string) { table.Fact(name, ui.Safe(words)) }
	fact("session", s.ID)
	fact("title", s.Title)
	fact("task", string(s.Task))
	fact("model", s.Model)
	fact("work tree", s.WorkTree)
	fact("transcript", s.Transcript)
	fact("started", cli.Ago(c.Env, s.StartedAt))
	fact("last seen", cli.Ago(c.Env, lastSeen(s, t)))
	fact("ended", cli.Ago(c.Env, s.EndedAt))
	fact("why", s.EndReason)
	fact("lasted", lasted(s, t))
	fact("correlation", s.Correlation)
	fact("compacted", ui.Some(s.Compactions, "time"))
	for _, m := range t.Modes {
		fact(m.Mode, ui.Duration(m.Time))
	}
	fact("prompts", some(t.Prompts))
	fact("denials", some(t.Denials))
	fact("worked on", workedOn(did, c.App.Records.Names(c.Ctx)))
	for _, tool := range did.Tools {
		fact("tools", tool.Name+": "+toolStory(tool))
	}
	c.WriteTable(table)
}

// lastSeen is when a session was last heard of: its record says so when it begins
// and ends, its events in between.
func lastSeen(s clone.Session, t stats.Totals) string {
	return max(s.SeenAt, ui.Timestamp(t.Last))
}

func lasted(s clone.Session, t stats.Totals) string {
	from, err := time.Parse(time.RFC3339, s.StartedAt)
	if err != nil {
		return ""
	}
	to, err := time.Parse(time.RFC3339, max(s.EndedAt, lastSeen(s, t)))
	return ui.Either(err != nil || !to.After(from), "", ui.Duration(to.Sub(from)))
}

// workedOn names the tasks of a session, and of one task the phases.
func workedOn(did stats.Report, called func(task.ID) string) string {
	var names []string
	for _, t := range did.Tasks {
		if t.Name != "" {
			names = append(names, called(task.ID(t.Name)))
		}
	}
	phases := "phase " + strings.Join(did.Phases, ", ")
	return ui.Joined(", ", strings.Join(names, ", "), ui.Either(len(names) == 1 && len(did.Phases) > 0, phases, ""))
}

func toolStory(t stats.ToolUse) string {
	failed := ui.Either(t.Failed > 0, some(t.Failed)+" failed", "")
	denied := ui.Either(t.Denied > 0, some(t.Denied)+" denied", "")
	times := ui.Either(t.Median > 0, "median "+took(t.Median)+", 95th "+took(t.P95), "")
	return ui.Joined(", ", ui.Plural(t.Calls, "call"), failed, denied, times)
}

func sessionAnswer(c *cli.Call, did string, s clone.Session) cli.Answer {
	line := ui.Joined(", ",
		did+" session "+ui.Safe(task.ShortSession(s.ID))+": correlation "+ui.Safe(s.Correlation),
		ui.Either(s.Task == "", "", "task "+ui.Safe(string(s.Task))),
		ui.Either(s.Title == "", "", `"`+ui.Safe(s.Title)+`"`))
	return cli.Answer{JSON: ui.Object{"session", s}, Records: cli.Record(sessionRecord(s)...), Text: func() {
		c.Say("%s", line)
	}}
}
