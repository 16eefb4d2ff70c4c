package rules_test

import (
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// actWithDue does what ends a step, with the record of what is due after it, in one
// act, and gives what takes both back.
func (w *world) actWithDue(t *testing.T, c *clone, kind operation.Kind, payload any,
	due task.StepHookPayload,
) task.UndoPayload {
	t.Helper()
	ids := []operation.ID{w.id(), w.id()}
	for _, op := range []operation.Operation{
		{ID: ids[0], Kind: kind, Payload: encodePayload(t, payload)},
		{ID: ids[1], Act: ids[0], Kind: task.OpStepHook, Payload: encodePayload(t, due)},
	} {
		op.Clock, op.Law, op.At = c.state.Clock+1, operation.Law, "2026-03-01T10:00:00Z"
		after, applied := Apply(c.state, op, w)
		if !applied {
			t.Fatal(op.Kind)
		}
		c.nodes, c.state = append(c.nodes, operation.Node{Op: op}), after
		w.keep(after)
		w.commit(c, &op)
	}
	return task.UndoPayload{Operations: ids, Commit: c.at}
}

// SP-6: what is due after a step is taken back with it, whatever became of it since,
// and is due again when the step is done again. What ran stays on record.
func TestUndo_SP6_whatFollowsAStep(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		since []task.HookOutcome // one after the other
		open  bool               // before that, and once it is done again
	}{
		{"it was cut off", nil, true},
		{"it passed", []task.HookOutcome{task.HookPassed}, false},
		{"it failed", []task.HookOutcome{task.HookFailed}, true},
		{"it failed twice", []task.HookOutcome{task.HookFailed, task.HookMissing}, true},
		{"it failed, and passed", []task.HookOutcome{task.HookFailed, task.HookPassed}, false},
	} {
		w, c := tell(t, task.OpPhaseStart, phaseAt(0))
		phase := c.state.Phases[0].UID
		said := func(record task.UID, outcome task.HookOutcome) task.StepHookPayload {
			return task.StepHookPayload{
				Step: task.StepExecute, Phase: phase, When: task.HookPost, Record: record,
				Runs: []task.HookRun{hookRun("ops/after", outcome, false)},
			}
		}
		p := w.actWithDue(t, c, task.OpPhaseDone, task.PhasePayload{Phase: phase}, said("", task.HookDue))
		due := p.Operations[1]
		for _, outcome := range tt.since {
			w.do(fatal{t}, c, task.OpStepHook, said(due, outcome))
		}
		is := func(status task.PhaseStatus, open bool) {
			t.Helper()
			if got := c.state.Phases[0].Status; got != status || len(c.state.OpenHooks()) > 0 != open ||
				len(c.state.StepHooks) != 1 {
				t.Errorf("%s: phase %s, want %s; records %+v", tt.name, got, status, c.state.StepHooks)
			}
		}
		is(task.PhaseInReview, tt.open)
		if !w.do(fatal{t}, c, task.OpUndo, p) {
			t.Fatal(tt.name)
		}
		is(task.PhaseInProgress, false)
		if _, err := w.undone(t, c, 0); err != nil {
			t.Fatalf("%s, done again: %v", tt.name, err)
		}
		is(task.PhaseInReview, tt.open)
	}
}

// questions is context.md with questions, each answered or not.
func questions(w *world, answered ...bool) string {
	text := "## Gray Areas Remaining\n"
	for i, is := range answered {
		text += fmt.Sprintf("\n- [%s] question %d\n\nbetween\n", map[bool]string{true: "x", false: " "}[is], i)
	}
	return w.texts.put(text)
}

// SP-6: what an act ended is taken back with what followed that end, and with
// nothing else: not what followed another end of the same step, nor where the text
// was written again since.
func TestUndo_SP6_whatFollowsAnotherEnd(t *testing.T) {
	t.Parallel()
	w, c := tell(t)
	said := func(record task.UID, outcome task.HookOutcome) task.StepHookPayload {
		return task.StepHookPayload{
			Step: task.StepClarify, When: task.HookPost, Record: record,
			Runs: []task.HookRun{hookRun("ops/after", outcome, false)},
		}
	}
	// act writes the context, which ends the discussion, with what is due after it.
	act := func(outcome task.HookOutcome, answered ...bool) task.UndoPayload {
		p := w.actWithDue(t, c, task.OpDocSet, task.DocSetPayload{
			Name: task.DocContext, Base: c.state.Docs[task.DocContext].OID, OID: questions(w, answered...),
		}, said("", task.HookDue))
		w.do(fatal{t}, c, task.OpStepHook, said(p.Operations[1], outcome))
		return p
	}
	write := func(answered ...bool) {
		w.do(fatal{t}, c, task.OpDocSet, task.DocSetPayload{
			Name: task.DocContext, Base: c.state.Docs[task.DocContext].OID,
			OID: questions(w, answered...),
		})
	}
	open := func(n int, why string) {
		t.Helper()
		if got := len(c.state.OpenHooks()); got != n {
			t.Errorf("%s: %d are open, want %d: %+v", why, got, n, c.state.StepHooks)
		}
	}
	write(false)
	older := act(task.HookPassed, true)
	write(true, false)
	later := act(task.HookFailed, true, true)
	open(1, "the later end")
	if w.do(fatal{t}, c, task.OpUndoOpen, older) {
		t.Fatal("the text that the older one wrote was changed since")
	}
	open(1, "the older one stays")
	if !w.do(fatal{t}, c, task.OpUndoOpen, later) {
		t.Fatal("the later one can't be taken back")
	}
	open(0, "the later one was taken back")

	// The answers are written once more before what gave the last is taken back.
	last := act(task.HookFailed, true, true)
	write(true, true, true)
	if w.do(fatal{t}, c, task.OpUndoOpen, last) {
		t.Fatal("the text was changed since")
	}
	open(1, "no question is open")
}
