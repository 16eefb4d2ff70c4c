package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newSessionCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "the runs of agents that this clone saw",
	}
	cmd.AddCommand(newSessionListCmd(e), newSessionShowCmd(e), newSessionSetCmd(e), newSessionCorrelateCmd(e))
	return cmd
}

// sessionList is `session list --json`.
type sessionList struct {
	Sessions []workflow.Session `json:"sessions"`
}

func newSessionListCmd(e *env) *cobra.Command {
	var of string
	cmd := &cobra.Command{
		Use:   "list [--task <task>]",
		Short: "list sessions, the latest first",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			all, err := service.Sessions(cmd.Context())
			if err != nil {
				return err
			}
			if of != "" {
				id, err := service.Resolve(cmd.Context(), of)
				if err != nil {
					return err
				}
				all = ofTask(all, id)
			}
			return e.listSessions(cmd.Context(), service, all)
		},
	}
	taskFlag(cmd, &of)
	return cmd
}

func ofTask(all []workflow.Session, id task.ID) []workflow.Session {
	var found []workflow.Session
	for _, s := range all {
		if s.Task == id {
			found = append(found, s)
		}
	}
	return found
}

func (e *env) listSessions(ctx context.Context, service *workflow.Service, all []workflow.Session) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, sessionList{view.List(all)})
	case e.Flags.Porcelain:
		for _, s := range all {
			if err := recordSession(e, s); err != nil {
				return err
			}
		}
		return nil
	case len(all) == 0:
		e.say("No sessions.")
		e.next(ctx, service, "git brew init")
		return nil
	}
	style := e.colours(service)
	called, table := service.Names(ctx), e.table("")
	table.Leave, table.Give = []int{4, 1}, []int{2, 5}
	for _, s := range all {
		state := "running"
		if s.EndedAt != "" {
			state = "ended"
		}
		table.Add(style.Bright(ui.Safe(task.ShortSession(s.ID))), state, ui.Safe(called(s.Task)), style.Dim(e.ago(s.SeenAt)), lasted(s, stats.Totals{}), ui.Safe(s.Title))
	}
	return table.Write(e.Out)
}

// ago is a recorded time for people.
func (e *env) ago(recorded string) string {
	t, err := time.Parse(time.RFC3339, recorded)
	if err != nil {
		return ui.Safe(recorded)
	}
	return ui.Ago(t, e.Now())
}

func recordSession(e *env, s workflow.Session) error {
	return ui.Record(e.Out, s.ID, string(s.Task), s.Correlation, s.StartedAt, s.SeenAt, s.EndedAt, s.EndReason, s.Source, s.Model, s.Title)
}

type sessionDocument struct {
	Session workflow.Session `json:"session"`
	Undo    string           `json:"undo,omitzero"` // as in view.Change
}

// shownSession is `session show --json`.
type shownSession struct {
	sessionDocument
	Activity statsDocument `json:"activity"`
}

func newSessionShowCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "show [<session>]",
		Short: "show one and what it did, by its id or its beginning",
		Args:  between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			s, err := service.SessionOf(cmd.Context(), first(args))
			if err != nil {
				return err
			}
			if e.Flags.Porcelain {
				return recordSession(e, s)
			}
			did, err := service.SessionReport(cmd.Context(), s)
			if err != nil {
				return err
			}
			if e.Flags.JSON {
				return ui.JSON(e.Out, shownSession{sessionDocument{Session: s}, newStatsDocument(did, nil)})
			}
			return e.showSession(s, did, func(id task.ID) string { return service.Name(cmd.Context(), id) })
		},
	}
}

// showSession prints what is recorded of a session, and what it did.
func (e *env) showSession(s workflow.Session, did stats.Report, called func(task.ID) string) error {
	t := did.Total
	table := e.facts("")
	rows := [][2]string{
		{"session", s.ID},
		{"title", s.Title},
		{"task", string(s.Task)},
		{"model", s.Model},
		{"work tree", s.WorkTree},
		{"transcript", s.Transcript},
		{"started", e.ago(s.StartedAt)},
		{"last seen", e.ago(lastSeen(s, t))},
	}
	if s.EndedAt != "" {
		rows = append(rows, [2]string{"ended", e.ago(s.EndedAt)}, [2]string{"why", s.EndReason})
	}
	rows = append(rows, [2]string{"lasted", lasted(s, t)}, [2]string{"correlation", s.Correlation})
	if s.Compactions > 0 {
		rows = append(rows, [2]string{"compacted", ui.Plural(s.Compactions, "time")})
	}
	for _, m := range t.Modes {
		rows = append(rows, [2]string{m.Mode, ui.Duration(m.Time)})
	}
	rows = append(rows, [2]string{"prompts", some(t.Prompts)}, [2]string{"denials", some(t.Denials)}, [2]string{"worked on", workedOn(did, called)})
	for i, tool := range did.Tools {
		head := ""
		if i == 0 {
			head = "tools"
		}
		rows = append(rows, [2]string{head, tool.Name + ": " + toolStory(tool)})
	}
	for _, row := range rows {
		if row[1] != "" {
			table.Add(row[0], ui.Safe(row[1]))
		}
	}
	return table.Write(e.Out)
}

// lastSeen is when a session was last heard of: its record says so when it begins
// and ends, its events in between.
func lastSeen(s workflow.Session, t stats.Totals) string {
	return max(s.SeenAt, ui.Timestamp(t.Last))
}

func lasted(s workflow.Session, t stats.Totals) string {
	from, err := time.Parse(time.RFC3339, s.StartedAt)
	if err != nil {
		return ""
	}
	to, err := time.Parse(time.RFC3339, max(s.EndedAt, lastSeen(s, t)))
	if err != nil || !to.After(from) {
		return ""
	}
	return ui.Duration(to.Sub(from))
}

// workedOn names the tasks of a session, and of one task the phases.
func workedOn(did stats.Report, called func(task.ID) string) string {
	var names []string
	for _, t := range did.Tasks {
		if t.Name != "" {
			names = append(names, called(task.ID(t.Name)))
		}
	}
	text := strings.Join(names, ", ")
	if len(names) == 1 && len(did.Phases) > 0 {
		text += ", phase " + strings.Join(did.Phases, ", ")
	}
	return text
}

// toolStory says how a tool was used.
func toolStory(t stats.ToolUse) string {
	parts := []string{ui.Plural(t.Calls, "call")}
	if t.Failed > 0 {
		parts = append(parts, some(t.Failed)+" failed")
	}
	if t.Denied > 0 {
		parts = append(parts, some(t.Denied)+" denied")
	}
	if t.Median > 0 {
		parts = append(parts, "median "+took(t.Median), "95th "+took(t.P95))
	}
	return strings.Join(parts, ", ")
}

func newSessionSetCmd(e *env) *cobra.Command {
	var title, of string
	cmd := &cobra.Command{
		Use:   "set [<session>] [--title <title>] [--task <task>]",
		Short: "correct what is recorded of one",
		Args:  between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if title == "" && of == "" {
				return usageOf(cmd, "nothing to set")
			}
			service, err := e.service()
			if err != nil {
				return err
			}
			var id task.ID
			if of != "" {
				if id, err = service.Resolve(cmd.Context(), of); err != nil {
					return err
				}
			}
			s, err := service.SetSession(cmd.Context(), first(args), title, id, "")
			if err != nil {
				return err
			}
			return e.answerSession(cmd.Context(), "Recorded", s)
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "its `title`")
	taskFlag(cmd, &of)
	return cmd
}

func newSessionCorrelateCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "correlate <session> <correlation>|<session>",
		Short: "tie a session to another one, or to 8 hexadecimal digits",
		Long: `Sessions that belong together have one correlation, which their events carry.
Sessions of one task get the same by themselves. correlate sets it by hand: to
the one given, or to that of another session, given by its id.`,
		Args: between(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			s, err := service.Correlate(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			return e.answerSession(cmd.Context(), "Correlated", s)
		},
	}
}

func (e *env) answerSession(ctx context.Context, did string, s workflow.Session) error {
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, sessionDocument{s, e.undoneBy(ctx)})
	case e.Flags.Porcelain:
		return recordSession(e, s)
	}
	line := did + " session " + ui.Safe(task.ShortSession(s.ID)) + ": correlation " + ui.Safe(s.Correlation)
	if s.Task != "" {
		line += ", task " + ui.Safe(string(s.Task))
	}
	if s.Title != "" {
		line += `, "` + ui.Safe(s.Title) + `"`
	}
	e.say("%s", line)
	return nil
}
