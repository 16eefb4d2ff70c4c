package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/stats"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/linemerge"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// Status tells where a task stands and what comes next, or in a zero task that there is none;
// its keys are a contract: `status`. The candidates are the tasks that claim the branch, where
// several do. The gate's "off" is why agents are kept from nothing; "lock_pending": the lock is
// free here, and the remote has it as held, as it was last seen; "failed" is what went wrong
// with the last sync; "elsewhere" is what a remote has, where this repository has nothing yet.
// "untrusted" counts what waits for the person's trust.
func Status(
	st app.TaskStatus, next route.Step, candidates []task.ID, elsewhere ui.Object, now time.Time,
) ui.Object {
	var t task.Task
	var about any
	if st.Task != nil {
		t = *st.Task
		about = taskAt(t, st.Tip, st.Archived, st.Services)
	}
	gate := ui.Object{"gated", st.Gated, "off", st.Off}
	sync := ui.Object{
		"remote", st.Remote, "ahead", st.Sync.Ahead, "behind", st.Sync.Behind, "lock_pending", st.Unheard != "",
		"failed?", st.Sync.Failed, "elsewhere?", elsewhere,
	}
	return ui.Object{
		"task", about, "candidates?", candidates, "phase", CurrentPhase(t), "phases", Phases(t, nil),
		"lock", Lock(st.Lock, cmp.Or(st.LockState, lock.LockFree), st.Confirmed, now), "mode", st.Mode, "run?", st.Run,
		"gate", gate, "knowledge", st.Knowledge, "sync", sync,
		"next", Next(next), "conflicts", Conflicts(t.Conflicts), "skips", Skips(t), "untrusted", st.Untrusted,
	}
}

// Phases are a task's phases and how many there are, with the commands that wait for trust.
func Phases(t task.Task, waiting map[task.UID][]string) ui.Object {
	return ui.Object{task.CountPhases(t), "items", NewTrustedPhases(t, waiting)}
}

// Next tells what comes next: "needs" says who is asked, agent or user, "" where the task has
// ended; "ask" is the sentence for the user.
func Next(s route.Step) ui.Object {
	return ui.Object{
		"step", s.Step, "pipeline", s.Pipeline, "phase", s.Phase, "reason", s.Reason, "command", s.Command, "needs", s.Needs,
		"ask?", s.Ask,
	}
}

// Conflicts are texts that lost a merge and wait for a person.
func Conflicts(all []task.Conflict) []ui.Object {
	return Each(all, func(c task.Conflict) ui.Object { return ui.Object{"id", c.UID, "path", c.Path} })
}

// CurrentPhase is the phase that was started last and is not completed.
func CurrentPhase(t task.Task) any {
	if p, ok := t.CurrentPhase(); ok {
		return NewPhase(t, p)
	}
	return nil
}

// Brief is one line for status bars (BR-33): how many phases are done, of all but dropped
// ones, the current one, and how long it has been worked on, in seconds: `status --brief`.
func Brief(st app.TaskStatus, worked func(task.Phase) int64) ui.Object {
	var n task.PhaseCounts
	var p task.Phase
	attention, elapsed := false, int64(0)
	if st.Task != nil {
		n = task.CountPhases(*st.Task)
		p, _ = st.Task.CurrentPhase()
		attention, elapsed = needsAttention(st, n), worked(p)
	}
	return ui.Object{
		"done", n.Completed, "total", n.Wanted(), "current", p.ID, "worker", p.Tier, "elapsed", elapsed, "attention",
		attention,
	}
}

// needsAttention: a person has to look at it.
func needsAttention(st app.TaskStatus, n task.PhaseCounts) bool {
	t := st.Task
	return t.Status == task.Failed || t.Status == task.Paused && t.Cause == task.CauseWaiting || n.Failed > 0 ||
		len(st.Task.Conflicts) > 0 || st.LockState == lock.LockStale
}

// Lock tells of a lock.
func Lock(l lease.Lock, state lock.LockState, confirmed bool, now time.Time) ui.Object {
	return ui.Object{
		"state", state, "session_id", l.Session, "client?", l.Client, "host", l.Host, "user", l.User,
		"acquired_at", l.AcquiredAt, "expires_at", lease.ExpiresAt(l, now), "fence", l.Fence, "confirmed", confirmed,
	}
}

// TaskLock tells of a task's lock.
func TaskLock(l claim.LockView, now time.Time) ui.Object {
	return ui.Object{"task", l.Task, "lock", Lock(l.Lock, l.State, l.Confirmed, now), "notes?", l.Notes}
}

// Sync tells what a sync did; err is why it ended, and problem says why a record failed.
func Sync(report exchange.SyncReport, dryRun bool, err any, problem func(exchange.SyncedRecord) string) ui.Object {
	synced := Each(report.Records, func(of exchange.SyncedRecord) ui.Object {
		paths := Each(of.Conflicts, func(c task.Conflict) string { return c.Path })
		slices.Sort(paths)
		return ui.Object{
			"ref", of.Ref, "kind", of.Kind, "id?", of.ID, "outcome", of.Outcome, "pushed", of.Pushed, "deleted", of.Deleted,
			"ours_only?", of.Ours, "theirs_only?", of.Theirs, "conflicts?", slices.Compact(paths), "notes?", of.Notes,
			"error?", problem(of),
		}
	})
	return ui.Object{
		"remote", report.Remote, "dry_run", dryRun, "ok", len(report.Failed()) == 0 && err == nil, "first", report.First,
		"rounds", report.Rounds, "unchanged", report.Unchanged, "records", synced, "notes", report.Notes, "error?", err,
	}
}

// LogStep tells of a step of a task's history, whether it is void, and of its operation,
// where it is no merge: a line of `log`.
func LogStep(s ledger.Step, void bool) ui.Object {
	op := cmp.Or(s.Op, &operation.Operation{})
	return ui.Object{
		"commit", s.Commit.String(), "subject", s.Subject, "author", s.Author, "at", ui.Timestamp(s.When), "operation", op.ID,
		"kind", op.Kind, "session_id", op.Session, "void", void,
	}
}

// DocumentDiff tells how a document changed, from "" before it was written: `diff --doc`.
func DocumentDiff(d app.DocumentDiff) ui.Object {
	lines := Each(linemerge.Diff(d.Old, d.New), func(l linemerge.Line) ui.Object {
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
	tools := Each(r.Tools, func(t stats.ToolUse) ui.Object {
		return ui.Object{
			"tool", t.Name, "calls", t.Calls, "failed", t.Failed, "denied", t.Denied, "median_ms", Milliseconds(t.Median),
			"p95_ms", Milliseconds(t.P95),
		}
	})
	workers := Each(r.Workers, func(w stats.WorkerUse) ui.Object {
		return ui.Object{
			"client", w.Client, "turns", w.Turns, "ms", w.MS, "input_tokens", w.Input, "output_tokens", w.Output,
			"micro_usd", w.MicroUSD,
		}
	})
	days := Each(r.Days, func(d stats.Row) ui.Object { return ui.Object{totals(d.Totals), "day", d.Name} })
	tasks := Each(r.Tasks, func(t stats.Row) ui.Object { return ui.Object{totals(t.Totals), "task", t.Name} })
	return ui.Object{
		"repos?", repos, "total", totals(r.Total), "tools", tools, "workers", workers, "days", days, "tasks", tasks,
	}
}

// Graph tells of a task's phases and what binds them, by their ids: `graph`.
func Graph(t task.Task, g ui.Graph) ui.Object {
	nodes := Each(g.Nodes, func(n ui.GraphNode) ui.Object { return ui.Object{NewPhase(t, n.Phase), "layer", n.Layer} })
	edges := Each(g.Edges, func(edge ui.GraphEdge) ui.Object {
		return ui.Object{"from", g.Nodes[edge.From].Phase.ID, "to", g.Nodes[edge.To].Phase.ID, "kind", edge.Kind}
	})
	return ui.Object{"task", t.ID, "nodes", nodes, "edges", edges}
}
