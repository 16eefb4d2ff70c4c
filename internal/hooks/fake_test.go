package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"

	"github.com/git-brew/git-brew/internal/app/lock"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

const sessionID = "00000000-0000-4000-8000-000000000001"

var testNow = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// fakeBrew holds one view and plays the changes that hooks ask for.
type fakeBrew struct {
	mu       sync.Mutex
	view     View
	brief    Briefing
	plan     Plan
	ownHooks string // the client that has some in its own file
	warnings []string
	handed   Handed
	erred    task.Phase // after AgentFailed
	gate     fakeGate
	started  map[string]bool
	found    *View // what there is once the session has started

	lookErr error
	other   map[string]other // what there is elsewhere, by directory
	kept    string           // where the session started
	fail    map[string]error // by method
	panics  bool
	block   chan struct{} // Look waits for it

	calls   []string
	records []event.Event
	places  []Place
	at      Place // where Here is
}

func (f *fakeBrew) call(name string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, strings.TrimSpace(name+" "+fmt.Sprintln(args...)))
	return f.fail[name]
}

func (f *fakeBrew) called(name string) bool {
	for _, c := range f.calls {
		if c == name || strings.HasPrefix(c, name+" ") {
			return true
		}
	}
	return false
}

func (f *fakeBrew) NextStep(ctx context.Context) (route.Step, error) {
	v, err := f.Look(ctx, f.at)
	return v.Next, err
}

func (f *fakeBrew) Look(_ context.Context, at Place) (View, error) {
	if f.panics {
		panic("fake")
	}
	if f.block != nil {
		<-f.block
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.places = append(f.places, at)
	if v := &f.view; v.Task != nil && v.Next.Needs == "" {
		v.Next = v.Next.For(route.Asker{Agent: true, Closed: v.Closed(), Agree: "make it so", Praise: "approved"})
	}
	if o, ok := f.other[cmp.Or(at.Here, at.Cwd)]; ok {
		return o.view, o.err
	}
	return f.view, f.lookErr
}

// other is another place than the one that most tests are about.
type other struct {
	view View
	err  error
}

// At is the same fake for all places.
func (f *fakeBrew) At(at Place) Here {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
	return f
}

func (f *fakeBrew) StartedIn(string) string { return f.kept }

func (f *fakeBrew) Brief(context.Context) (Briefing, error) {
	return f.brief, f.fail["Brief"]
}

func (f *fakeBrew) AgentFailed(_ context.Context, id task.ID, phase task.UID, agent,
	text string,
) (task.Phase, error) {
	return f.erred, f.call("AgentFailed", id, phase, agent, text)
}

func (f *fakeBrew) HandTranscript(_ context.Context, path, call string) (Handed, error) {
	return f.handed, f.call("HandTranscript", path, call)
}

func (f *fakeBrew) LatestPlan() Plan { return f.plan }

func (f *fakeBrew) HasOwnHooks(client string, _ Place) bool { return client == f.ownHooks }

func (f *fakeBrew) Record(_ context.Context, r event.Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.records = append(f.records, r)
	return f.fail["Record"]
}

func (f *fakeBrew) SessionStarted(_ context.Context, s Start) (bool, error) {
	err := f.call("SessionStarted", s.Source, s.Title)
	if f.started == nil {
		f.started = map[string]bool{}
	}
	first := !f.started[f.at.Session+s.Source]
	f.started[f.at.Session+s.Source] = true
	if f.found != nil {
		f.view = *f.found
	}
	return first, err
}

func (f *fakeBrew) SessionEnded(_ context.Context, reason string) error {
	return f.call("SessionEnded", reason)
}

func (f *fakeBrew) StopBlocked(_ context.Context, tip string) error {
	err := f.call("StopBlocked", tip)
	if err == nil {
		if f.view.Session.StopMark != tip {
			f.view.Session.StopMark, f.view.Session.StopBlocks = tip, 0
		}
		f.view.Session.StopBlocks++
	}
	return err
}

func (f *fakeBrew) UserMode(_ context.Context, to Mode, by string) (clone.ModeState, error) {
	err := f.call("UserMode", to, by)
	if err == nil {
		f.view.Mode = to
		f.gate.steps.Agreed = to == ModeImplementation && len(f.gate.steps.List) > 0
	}
	return clone.ModeState{}, err
}

func (f *fakeBrew) BindLock(_ context.Context, id task.ID) (claim.LockView, error) {
	err := f.call("BindLock", id)
	if err == nil {
		f.view.Bindable, f.view.Bound, f.view.Lock.Session = false, true, f.at.Session
	}
	return claim.LockView{}, err
}

func (f *fakeBrew) RenewLock(_ context.Context, id task.ID) error {
	return f.call("RenewLock", id)
}

func (f *fakeBrew) ReleaseLock(_ context.Context, id task.ID) (claim.LockView, error) {
	return claim.LockView{}, f.call("ReleaseLock", id)
}

func (f *fakeBrew) ClearLock(_ context.Context, id task.ID, seen lease.Lock) error {
	return f.call("ClearLock", id, seen.Nonce)
}

func (f *fakeBrew) LostTold(_ context.Context, aside bool) (bool, error) {
	if err := f.call("LostTold", aside); err != nil {
		return false, err
	}
	first := false
	var left []clone.LostLock
	for _, l := range f.view.Lost {
		first = first || !aside || !l.Aside
		if l.Aside = true; aside {
			left = append(left, l)
		}
	}
	f.view.Lost = left
	return first, nil
}

func (f *fakeBrew) ShareLater() { _ = f.call("ShareLater") }

func (f *fakeBrew) Compacting(_ context.Context, id task.ID) ([]string, error) {
	return f.warnings, f.call("Handoff", id)
}

func (f *fakeBrew) Resume(_ context.Context, id task.ID) error {
	err := f.call("Resume", id)
	if err == nil {
		t := *f.view.Task
		t.Status = task.InProgress
		f.view.Task = &t
	}
	return err
}

func (f *fakeBrew) Launched(_ context.Context, id task.ID, phase task.UID, agent string) error {
	return f.call("Launched", id, phase, agent)
}

var errFake = errors.New("read object: truncated")

func uid(n int) task.UID { return task.UID(fmt.Sprintf("%032x", n)) }

func testTask(status task.Status) *task.Task {
	return &task.Task{
		ID: "add-jwt-auth-k3v9q2m", Root: uid(9), Title: "Add JWT auth", Status: status, Stage: task.StageExecute,
		Current: uid(2),
		Docs:    map[task.DocName]task.Doc{"plan": {}, task.DocName("phases/" + string(uid(2)) + "/plan"): {}},
		Phases: []task.Phase{
			{UID: uid(1), ID: "1", Title: "Token model", Status: task.PhaseCompleted, Review: task.ReviewApproved},
			{
				UID: uid(2), ID: "2", Title: "Login endpoint", Kind: task.KindExecution, Status: task.PhaseInProgress,
				Review: task.ReviewNone, Iteration: 1, Acceptance: []string{"POST /login answers 200"},
			},
		},
	}
}

// fakeWith is a holder in implementation mode, changed as the test needs it.
func fakeWith(change ...func(*View)) *fakeBrew {
	f := &fakeBrew{
		view: View{AgentView: session.AgentView{View: session.View{
			Task: testTask(task.InProgress), Tip: "c0ffee",
			Lock:      lease.Lock{Held: true, Session: sessionID, User: "mara", Host: "laptop", Nonce: "n1"},
			LockState: lock.LockHeld, Mode: ModeImplementation, Gated: true, Guarded: true,
			Next: route.Next(*testTask(task.InProgress)),
		}, Bound: true, Settings: config.Defaults()}},
		brief: Briefing{
			Knowledge: "## K\navoid: token ids are strings, never ints", Constraints: true,
			Search: "A search index exists: grepai search finds code by meaning.",
		},
	}
	for _, c := range change {
		c(&f.view)
	}
	return f
}

func discussing(v *View) { v.Mode = ModeDiscussion }

func foreign(v *View) { v.Bound, v.Lock.Session = false, "11aa02c7-0000-4000-8000-000000000000" }

// lostLock: a sync showed that somebody else has it.
func lostLock(v *View) {
	foreign(v)
	v.Lost = []clone.LostLock{{Task: "add-jwt-auth-k3v9q2m", Holder: "session 11aa02c7 on jo@desk", Work: true}}
}

func unbound(v *View) { v.Bound, v.Bindable, v.Lock.Session = false, true, "" }

func stands(s task.Status) func(*View) {
	return func(v *View) { v.Task, v.Next = testTask(s), route.Next(*testTask(s)) }
}

func noTask(v *View) {
	settings := v.Settings
	*v = View{}
	v.Mode, v.LockState, v.Settings = ModeDiscussion, lock.LockFree, settings
}

// set gives a setting other values.
func set(v *View, key config.Key, values ...string) { v.Settings.Put(key, "git", values...) }

// replay runs one hook and checks what every answer has to keep.
func replay(t testing.TB, f *fakeBrew, payload string) Output {
	t.Helper()
	return runEvent(t, f, "", payload)
}

func runEvent(t testing.TB, f *fakeBrew, event, payload string) Output {
	t.Helper()
	out := Handle(t.Context(), f, Input{
		Event: event, Stdin: strings.NewReader(payload),
		Getenv: func(string) string { return "" }, Now: func() time.Time { return testNow },
	})
	if out.Exit != 0 && out.Exit != 1 {
		t.Fatalf("exit %d", out.Exit)
	}
	if out.Exit == 1 && len(out.Stdout) > 0 {
		t.Fatalf("exit 1 with an answer: %s", out.Stdout)
	}
	if strings.ContainsAny(out.Stderr, "\n\r") || (out.Exit == 1 && out.Stderr == "") {
		t.Fatalf("stderr is not one line: %q", out.Stderr)
	}
	return out
}

// compacting and waiting are a task that is paused, the holder's still, or nobody's.
func compacting(v *View) { stands(task.Paused)(v); v.Task.Cause = task.CauseCompaction }
func waiting(v *View)    { stands(task.Paused)(v); v.Task.Cause = task.CauseWaiting }
