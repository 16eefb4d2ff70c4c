package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newEventsCmd(e *env) *cobra.Command {
	var r workflow.EventsRequest
	cmd := &cobra.Command{
		Use:   "events [<options>]",
		Short: "what happened on this clone: tools, prompts, decisions, sessions",
		Long: `Lists the events of this clone, the oldest first. --since and --until take a
time (2026-01-31, 2026-01-31T14:00:00Z) or how long ago (90m, 24h, 30d).
--session chooses the events of one session by its id or the beginning of it.
With --json it is one object a line.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			r.Session = e.Flags.Session
			if r.Task != "" {
				id, err := service.Resolve(cmd.Context(), r.Task)
				if err != nil {
					return err
				}
				r.Task = string(id)
			}
			events, bad, err := service.Events(cmd.Context(), r)
			if err != nil {
				return err
			}
			if bad > 0 {
				fmt.Fprintf(e.Err, "git-brew: %s can't be read\n", ui.Plural(bad, "line"))
			}
			return e.listEvents(service, events)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Since, "since", "", "from this `time` on")
	flags.StringVar(&r.Until, "until", "", "before this `time`")
	flags.StringVar(&r.Hook, "hook", "", "only what this `hook` recorded")
	taskFlag(cmd, &r.Task)
	return cmd
}

func (e *env) listEvents(service *workflow.Service, events []event.Event) error {
	table := ui.Table{Max: map[int]int{3: max(20, e.width()-46)}}
	style := e.colours(service)
	day := ""
	for _, v := range events {
		at := time.Unix(0, v.TS).UTC()
		switch {
		case e.Flags.JSON:
			if err := ui.JSONLine(e.Out, newEventDocument(v)); err != nil {
				return err
			}
			continue
		case e.Flags.Porcelain:
			err := ui.Record(e.Out, at.Format(time.RFC3339Nano), v.Session, string(v.Type), v.Hook, v.Tool, v.Task, v.Phase, v.Mode, v.Decision, v.Reason)
			if err != nil {
				return err
			}
			continue
		}
		shown := at.In(e.Now().Location())
		when := shown.Format("15:04:05")
		if d := shown.Format(time.DateOnly); d != day {
			day = d
			when = d + " " + when
		}
		table.Add(style.Dim(ui.PadLeft(when, 19)), ui.Safe(task.ShortSession(v.Session)), eventName(v), ui.Safe(eventStory(v)))
	}
	if table.Len() == 0 {
		if !e.Flags.JSON && !e.Flags.Porcelain {
			e.say("No events.")
		}
		return nil
	}
	return table.Write(e.Out)
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

// eventDocument is a line of `events --json`: the event as it is kept, and its
// time as every other document has it.
type eventDocument struct {
	event.Event
	Schema string `json:"schema,omitempty"` // the document's own goes before it
	At     string `json:"at"`
}

func newEventDocument(v event.Event) eventDocument {
	return eventDocument{Event: v, At: time.Unix(0, v.TS).UTC().Format(time.RFC3339Nano)}
}
