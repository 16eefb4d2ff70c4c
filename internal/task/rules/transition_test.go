package rules_test

import (
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

var (
	allStatuses = []task.Status{
		task.Pending, task.InProgress, task.Paused, task.Finished, task.Failed,
		task.Cancelled,
	}
	allPhaseStatuses = []task.PhaseStatus{
		task.PhasePending, task.PhaseInProgress, task.PhaseInReview, task.PhaseCompleted, task.PhaseFailed, task.PhaseDropped,
	}
	phaseKinds = []task.PhaseKind{
		task.KindExecution, task.KindVerification, task.KindFix, task.KindResearch, task.KindSplit, task.KindFinalReview,
	}
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
	for _, from := range allPhaseStatuses {
		for i, event := range allEvents {
			got := no
			for _, verdict := range verdictsOf(from) {
				if row, ok := PhaseRow(task.Phase{Status: from, Review: verdict}, event); ok {
					got = row.To
				}
			}
			if got != want[from][i] {
				t.Errorf("%s + %s = %s, want %s", from, event, got, want[from][i])
			}
		}
	}
}

// verdictsOf are the verdicts that a phase can have where it stands: what is completed
// was approved, and nothing else is.
func verdictsOf(status task.PhaseStatus) []task.Review {
	if status == task.PhaseCompleted {
		return []task.Review{task.ReviewApproved}
	}
	return []task.Review{task.ReviewNone, task.ReviewChanges}
}

// What becomes of a verdict, as above, wherever a phase that has it can stand.
func TestPhaseTransitions_everyVerdict(t *testing.T) {
	t.Parallel()
	const no = task.Review("-")
	n, a, c := task.ReviewNone, task.ReviewApproved, task.ReviewChanges
	want := map[task.Review][]task.Review{
		n: {n, no, n, a, c, n, n, n, n, n, n, n, c, n, n, n, a, c, n, no, no, n, n},
		a: {no, no, no, no, no, no, no, n, no, no, no, no, c, no, no, no, no, no, n, n, no, n, no},
		c: {n, n, n, a, c, n, c, n, c, c, c, n, c, n, n, n, no, c, n, no, n, n, n},
	}
	for _, from := range []task.Review{n, a, c} {
		for i, event := range allEvents {
			got := no
			for _, status := range allPhaseStatuses {
				row, ok := PhaseRow(task.Phase{Status: status, Review: from}, event)
				if ok && slices.Contains(verdictsOf(status), from) {
					got = row.Verdict
				}
			}
			if got != want[from][i] {
				t.Errorf("%s + %s = %s, want %s", from, event, got, want[from][i])
			}
		}
	}
}

// No pair has two rows, and every event has one.
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
	events := map[PhaseEvent]bool{}
	for _, r := range TaskTransitions {
		for _, from := range r.From {
			once("task ", string(from), string(r.Event))
		}
	}
	for _, r := range PhaseTransitions {
		for _, from := range r.From {
			once("phase ", string(from), string(r.Event))
		}
		events[r.Event] = true
	}
	for _, e := range allEvents {
		if !events[e] {
			t.Errorf("%s has no row in the table", e)
		}
	}
	if len(events) != len(allEvents) {
		t.Error("a table has an event that is not listed here")
	}
}
