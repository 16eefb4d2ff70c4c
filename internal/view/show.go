package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/linemerge"
	"github.com/git-brew/git-brew/internal/ui"
)

// LogStep tells of a step of a task's history, whether it is void, and of its operation,
// where it is no merge: a line of `log`.
func LogStep(s ledger.Step, void bool) ui.Object {
	op := s.Op
	if op == nil {
		op = &operation.Operation{}
	}
	return ui.Object{
		"commit", s.Commit.String(), "subject", s.Subject, "author", s.Author, "at", ui.Timestamp(s.When), "operation", op.ID,
		"kind", op.Kind, "session_id", op.Session, "void", void,
	}
}

// DocumentDiff tells how a document changed, from "" before it was written: `diff --doc`.
func DocumentDiff(d app.DocumentDiff) ui.Object {
	lines := each(linemerge.Diff(d.Old, d.New), func(l linemerge.Line) ui.Object {
		return ui.Object{"op", string(rune(l.Op)), "text", l.Text}
	})
	return ui.Object{"task", d.Task, "document", d.Name, "from", d.From, "to", d.To, "lines", lines}
}

// Event is a line of `events`: the event as it is kept, and its time as every other
// document has it.
type Event struct {
	event.Event
	Schema string `json:"schema,omitempty"` // the document's own goes before it
	At     string `json:"at"`
}

// NewEvent tells of an event.
func NewEvent(v event.Event) Event {
	return Event{Event: v, At: EventTime(v).Format(time.RFC3339Nano)}
}

// EventTime is when an event happened.
func EventTime(v event.Event) time.Time { return time.Unix(0, v.TS).UTC() }

// Milliseconds is a length of time as documents have it.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// totals are sums over a report, a day or a task.
func totals(t stats.Totals) ui.Object {
	modes := map[string]float64{}
	for _, m := range t.Modes {
		modes[m.Mode] = m.Time.Seconds()
	}
	return ui.Object{
		t.Counts, "sessions", t.Sessions, "tool_calls", t.Calls, "tool_failures", t.Failed, "active_seconds",
		t.Active.Seconds(), "mode_seconds", modes, "first?", ui.Timestamp(t.First), "last?", ui.Timestamp(t.Last),
		"hook_median_ms", Milliseconds(t.HookMedian), "hook_p95_ms", Milliseconds(t.HookP95),
	}
}

// Stats tells what the events of repositories add up to: `stats`.
func Stats(r stats.Report, repos []string) ui.Object {
	tools := each(r.Tools, func(t stats.ToolUse) ui.Object {
		return ui.Object{
			"tool", t.Name, "calls", t.Calls, "failed", t.Failed, "denied", t.Denied, "median_ms", Milliseconds(t.Median),
			"p95_ms", Milliseconds(t.P95),
		}
	})
	days := each(r.Days, func(d stats.Row) ui.Object { return ui.Object{totals(d.Totals), "day", d.Name} })
	tasks := each(r.Tasks, func(t stats.Row) ui.Object { return ui.Object{totals(t.Totals), "task", t.Name} })
	return ui.Object{"repos?", repos, "total", totals(r.Total), "tools", tools, "days", days, "tasks", tasks}
}

// Graph tells of a task's phases and what binds them, by their ids: `graph`.
func Graph(t task.Task, g ui.Graph) ui.Object {
	nodes := each(g.Nodes, func(n ui.GraphNode) ui.Object { return ui.Object{NewPhase(t, n.Phase), "layer", n.Layer} })
	edges := each(g.Edges, func(edge ui.GraphEdge) ui.Object {
		return ui.Object{"from", g.Nodes[edge.From].Phase.ID, "to", g.Nodes[edge.To].Phase.ID, "kind", edge.Kind}
	})
	return ui.Object{"task", t.ID, "nodes", nodes, "edges", edges}
}
