package task

import (
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
)

// SP-6: what is due after a step is taken back with it, whatever became of it since,
// and is due again when the step is done again. What ran stays on record.
func TestUndo_SP6_whatFollowsAStep(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		since   []HookOutcome // one after the other
		settled string        // the last record's, once the step is taken back
		open    bool          // before that, and once it is done again
	}{
		{"it was cut off", nil, HooksUndone, true},
		{"it passed", []HookOutcome{HookPassed}, "", false},
		{"it failed", []HookOutcome{HookFailed}, HooksUndone, true},
		{"it failed twice", []HookOutcome{HookFailed, HookMissing}, HooksUndone, true},
		{"it failed, and passed", []HookOutcome{HookFailed, HookPassed}, "", false},
	} {
		w, c := tell(t, OpPhaseStart, phaseAt(0))
		phase := c.state.Phases[0].UID
		said := func(record UID, outcome HookOutcome) StepHookPayload {
			return StepHookPayload{Step: StepExecute, Phase: phase, When: HookPost, Record: record, Runs: []HookRun{hookRun("ops/after", outcome, false)}}
		}
		first, due := w.id(), w.id()
		for _, op := range []operation.Operation{
			{ID: first, Kind: OpPhaseExecuted, Payload: encodePayload(t, PhasePayload{Phase: phase})},
			{ID: due, Act: first, Kind: OpStepHook, Payload: encodePayload(t, said("", HookDue))},
		} {
			op.Clock, op.Law, op.At = c.state.Clock+1, operation.Law, "2026-03-01T10:00:00Z"
			after, applied := Apply(c.state, op, w)
			if !applied {
				t.Fatal(op.Kind)
			}
			c.nodes, c.state = append(c.nodes, operation.Node{Op: op}), after
			w.commit(c, &op)
		}
		p := UndoPayload{Operations: []operation.ID{first, due}, Commit: c.at}
		for _, outcome := range tt.since {
			w.do(fatal{t}, c, OpStepHook, said(due, outcome))
		}
		is := func(status PhaseStatus, settled string, open bool) {
			t.Helper()
			last := c.state.StepHooks[len(c.state.StepHooks)-1]
			if got := c.state.Phases[0].Status; got != status || last.Settled != settled || len(c.state.OpenHooks()) > 0 != open {
				t.Errorf("%s: phase %s, want %s; records %+v", tt.name, got, status, c.state.StepHooks)
			}
		}
		is(PhaseExecuted, "", tt.open)
		if !w.do(fatal{t}, c, OpUndo, p) {
			t.Fatal(tt.name)
		}
		is(PhaseExecuting, tt.settled, false)
		if n := max(len(tt.since), 1); len(c.state.StepHooks) != n {
			t.Errorf("%s: %d records, want %d", tt.name, len(c.state.StepHooks), n)
		}
		if _, err := w.undone(t, c, 0); err != nil {
			t.Fatalf("%s, done again: %v", tt.name, err)
		}
		is(PhaseExecuted, "", tt.open)
	}
}
