package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// Status is `status --json`; its keys are a contract.
type Status struct {
	Task *Task `json:"task"`
	// Candidates are the tasks that claim the branch, where several do.
	Candidates []task.ID        `json:"candidates,omitempty"`
	Phase      *Phase           `json:"phase"`
	Phases     Phases           `json:"phases"`
	Lock       Lock             `json:"lock"`
	Mode       clone.Mode       `json:"mode"`
	Gate       Gate             `json:"gate"`
	Knowledge  knowledge.Counts `json:"knowledge"`
	Sync       SyncState        `json:"sync"`
	Next       Next             `json:"next"`
	Conflicts  []ui.Object      `json:"conflicts"`
	// Skips are the steps that were passed over.
	Skips []ui.Object `json:"skips"`
	// Untrusted counts what waits for the person's trust.
	Untrusted int `json:"untrusted"`
}

// Gate says whether the mode restricts agents here; Off, why they are kept
// from nothing.
type Gate struct {
	Gated bool      `json:"gated"`
	Off   clone.Off `json:"off"`
}

type Phases struct {
	task.PhaseCounts
	Items []Phase `json:"items"`
}

type SyncState struct {
	Remote string `json:"remote"`
	Ahead  int    `json:"ahead"`
	Behind int    `json:"behind"`
	// LockPending: the lock is free here, and the remote has it as held, as it
	// was last seen.
	LockPending bool `json:"lock_pending"`
	// Failed is what went wrong with the last sync.
	Failed string `json:"failed,omitempty"`
	// Elsewhere is what a remote has, where this repository has nothing yet.
	Elsewhere ui.Object `json:"elsewhere,omitempty"`
}

type Next struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Phase    string `json:"phase"`
	Reason   string `json:"reason"`
	Command  string `json:"command"`
	Skip     string `json:"-"` // `next` alone tells it
	// Needs says who is asked, agent or user; "" where the task has ended. Ask is
	// the sentence for the user.
	Taker route.Taker `json:"-"`
	Needs route.Asked `json:"needs"`
	Ask   string      `json:"ask,omitempty"`
	Row   string      `json:"-"`
}

// Taken is the step that comes next.
func (n Next) Taken() route.Step { return route.Step(n) }

// Conflicts are texts that lost a merge and wait for a person.
func Conflicts(all []task.Conflict) []ui.Object {
	docs := []ui.Object{}
	for _, c := range all {
		docs = append(docs, ui.Object{"id", c.UID, "path", c.Path})
	}
	return docs
}

func NewStatus(st app.TaskStatus, now time.Time) Status {
	doc := Status{
		Phases: Phases{Items: []Phase{}}, Mode: st.Mode, Gate: Gate{st.Gated, st.Off}, Conflicts: []ui.Object{},
		Skips: []ui.Object{}, Untrusted: st.Untrusted,
		Sync: SyncState{
			Remote: st.Remote, Ahead: st.Sync.Ahead, Behind: st.Sync.Behind, LockPending: st.Unheard != "",
			Failed: st.Sync.Failed,
		},
		Lock: NewLock(st.Lock, cmp.Or(st.LockState, lock.LockFree), st.Confirmed, now),
		Next: Next{Step: task.StepStart, Reason: "there is no task here", Command: "git brew create TITLE"},
	}
	if st.Task == nil {
		return doc
	}
	t := *st.Task
	about := NewTask(t, st.Tip)
	about.Archived = st.Archived
	about.Services = newServices(t.Services, st.Services)
	doc.Task, doc.Phase = &about, CurrentPhase(t)
	doc.Phases = Phases{task.CountPhases(t), NewPhases(t, t.Phases)}
	doc.Knowledge = st.Knowledge
	doc.Next, doc.Skips = Next(st.Next), Skips(t)
	doc.Conflicts = Conflicts(t.Conflicts)
	return doc
}

// CurrentPhase is the phase that was started last and is not completed.
func CurrentPhase(t task.Task) *Phase {
	p, ok := t.CurrentPhase()
	if !ok {
		return nil
	}
	doc := NewPhase(t, p)
	return &doc
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

// Lock is a task's lock.
type Lock struct {
	State      lock.LockState `json:"state"`
	Session    string         `json:"session_id"`
	Host       string         `json:"host"`
	User       string         `json:"user"`
	AcquiredAt string         `json:"acquired_at"`
	ExpiresAt  string         `json:"expires_at"`
	Fence      uint64         `json:"fence"`
	Confirmed  bool           `json:"confirmed"`
}

func NewLock(l lease.Lock, state lock.LockState, confirmed bool, now time.Time) Lock {
	return Lock{
		State: state, Session: l.Session, Host: l.Host, User: l.User,
		AcquiredAt: l.AcquiredAt, ExpiresAt: lease.ExpiresAt(l, now), Fence: l.Fence, Confirmed: confirmed,
	}
}

// TaskLock tells of a task's lock.
func TaskLock(l claim.LockView, now time.Time) ui.Object {
	return ui.Object{"task", l.Task, "lock", NewLock(l.Lock, l.State, l.Confirmed, now), "notes?", l.Notes}
}

// Sync tells what a sync did; err is why it ended, and problem says why a record failed.
func Sync(report exchange.SyncReport, dryRun bool, err any, problem func(exchange.SyncedRecord) string) ui.Object {
	synced := []ui.Object{}
	for _, of := range report.Records {
		synced = append(synced, ui.Object{
			"ref", of.Ref, "kind", of.Kind, "id?", of.ID, "outcome", of.Outcome, "pushed", of.Pushed, "deleted", of.Deleted,
			"ours_only?", of.Ours, "theirs_only?", of.Theirs, "conflicts?", paths(of.Conflicts), "notes?", of.Notes,
			"error?", problem(of),
		})
	}
	return ui.Object{
		"remote", report.Remote, "dry_run", dryRun, "ok", len(report.Failed()) == 0 && err == nil, "first", report.First,
		"rounds", report.Rounds, "unchanged", report.Unchanged, "records", synced, "notes", report.Notes, "error?", err,
	}
}

// paths are the documents of conflicts, each once.
func paths(all []task.Conflict) []string {
	var found []string
	for _, c := range all {
		if !slices.Contains(found, c.Path) {
			found = append(found, c.Path)
		}
	}
	return found
}
