package rules_test

import (
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

var (
	allStatuses   = []task.Status{task.Pending, task.InProgress, task.Paused, task.Finished, task.Failed, task.Cancelled}
	allTaskEvents = []TaskEvent{TaskStart, TaskRestart, TaskPause, TaskResume, TaskFinish, TaskFail, TaskCancel}
	allEvents     = []PhaseEvent{
		EventStart, EventRework, EventDone, EventApprove, EventReject, EventRefute, EventFail, EventReset,
		EventPause, EventResume, EventCascade, EventRevive, EventRevise, EventFixed, EventSplit, EventJoined,
		EventVerified, EventRefuted, EventReopen, EventUndone, EventRetract, EventParted,
		EventDrop,
	}
)

// The whole table of tasks, one line a status, one column an event in the
// order of allTaskEvents; "-" is refused.
func TestTaskTransitions_BC84_everyPair(t *testing.T) {
	t.Parallel()
	const no = task.Status("-")
	want := map[task.Status][]task.Status{
		task.Pending:    {task.InProgress, no, task.Paused, no, no, task.Failed, task.Cancelled},
		task.InProgress: {task.InProgress, no, task.Paused, no, task.Finished, task.Failed, task.Cancelled},
		task.Paused:     {task.InProgress, no, task.Paused, task.InProgress, task.Finished, task.Failed, task.Cancelled},
		task.Finished:   {no, task.InProgress, no, no, no, no, no},
		task.Failed:     {no, task.InProgress, no, no, no, no, no},
		task.Cancelled:  {no, task.InProgress, no, no, no, no, no},
	}
	for _, from := range allStatuses {
		for i, event := range allTaskEvents {
			got := no
			if row, ok := LookUpTask(from, event); ok {
				got = row.To
			}
			if got != want[from][i] {
				t.Errorf("%s + %s = %s, want %s", from, event, got, want[from][i])
			}
		}
	}
}

// BC-35: three statuses end a task.
func TestTerminal_BC35(t *testing.T) {
	t.Parallel()
	for _, s := range allStatuses {
		if want := slices.Contains([]task.Status{task.Finished, task.Failed, task.Cancelled}, s); s.Terminal() != want {
			t.Errorf("%s terminal: %t", s, s.Terminal())
		}
	}
}

// The whole table of phases, as above. "=" stays where it is.
func TestPhaseTransitions_BC32_everyPair(t *testing.T) {
	t.Parallel()
	const no = task.PhaseStatus("-")
	pe, ip, ir, co, fa, dr := task.PhasePending, task.PhaseInProgress, task.PhaseInReview, task.PhaseCompleted,
		task.PhaseFailed, task.PhaseDropped
	want := map[task.PhaseStatus][]task.PhaseStatus{
		//  start rework done approve reject refute fail reset pause resume cascade revive revise fixed split joined verified
		//  refuted reopen undone retract parted drop
		pe: {ip, no, no, no, no, no, fa, no, no, no, fa, no, no, no, pe, ir, no, no, no, no, no, no, dr},
		ip: {no, no, ir, no, no, no, fa, pe, ip, ip, fa, no, no, no, pe, ir, no, no, pe, no, no, no, dr},
		ir: {no, ip, no, co, ir, pe, fa, pe, no, no, fa, no, ir, ir, pe, no, co, ir, pe, no, ir, pe, dr},
		co: {no, no, no, no, no, no, no, pe, no, no, no, no, ir, no, no, no, no, no, pe, ir, no, pe, no},
		fa: {ip, no, no, no, no, no, no, pe, no, no, no, pe, no, no, pe, ir, no, no, pe, no, no, no, dr},
		dr: {no, no, no, no, no, no, no, pe, no, no, no, pe, no, no, no, no, no, no, no, no, no, no, no},
	}
	for _, from := range task.PhaseStatuses {
		for i, event := range allEvents {
			got := no
			for _, row := range PhaseTransitions {
				if row.From == from && row.Event == event {
					got = row.To
				}
			}
			if got != want[from][i] {
				t.Errorf("%s + %s = %s, want %s", from, event, got, want[from][i])
			}
		}
	}
}

func TestReviewTransitions_everyPair(t *testing.T) {
	t.Parallel()
	const no = task.Review("-")
	n, a, c := task.ReviewNone, task.ReviewApproved, task.ReviewChanges
	want := map[task.Review][]task.Review{
		n: {n, no, n, a, c, n, n, n, n, n, n, n, c, n, n, n, a, c, n, no, no, n, n},
		a: {n, no, no, no, no, no, no, n, no, no, no, n, c, no, no, no, no, no, n, n, no, n, n},
		c: {n, n, n, a, c, n, c, n, c, c, c, n, c, n, n, n, no, c, n, no, n, n, n},
	}
	for _, from := range task.Reviews {
		for i, event := range allEvents {
			got := no
			for _, row := range ReviewTransitions {
				if row.From == from && row.Event == event {
					got = row.To
				}
			}
			if got != want[from][i] {
				t.Errorf("%s + %s = %s, want %s", from, event, got, want[from][i])
			}
		}
	}
}

// No pair has two rows, and every event of either table has one in the other.
func TestTables_areFunctions(t *testing.T) {
	t.Parallel()
	type pair [2]string
	seen := map[pair]bool{}
	once := func(table, from, event string) {
		k := pair{table + from, event}
		if seen[k] {
			t.Errorf("two rows for %s + %s", from, event)
		}
		seen[k] = true
	}
	events, verdicts := map[PhaseEvent]bool{}, map[PhaseEvent]bool{}
	for _, r := range TaskTransitions {
		once("task ", string(r.From), string(r.Event))
	}
	for _, r := range PhaseTransitions {
		once("phase ", string(r.From), string(r.Event))
		events[r.Event] = true
	}
	for _, r := range ReviewTransitions {
		once("review ", string(r.From), string(r.Event))
		verdicts[r.Event] = true
	}
	for _, e := range allEvents {
		if !events[e] || !verdicts[e] {
			t.Errorf("%s has no row in one of the tables", e)
		}
	}
	if len(events) != len(allEvents) || len(verdicts) != len(allEvents) {
		t.Error("a table has an event that is not listed here")
	}
}
