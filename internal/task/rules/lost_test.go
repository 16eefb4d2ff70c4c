package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// What was said about a lost claim changes nothing, of a task that was deleted
// as well: only when things changed last.
func TestLockLost_changesNothing(t *testing.T) {
	t.Parallel()
	s := full(t)
	for _, deleted := range []bool{false, true} {
		if deleted {
			s.do(task.OpDelete, task.EmptyPayload{})
		}
		before := s.t
		op := s.next(task.OpLockLost, task.LockLostPayload{
			Fence: 2, Claim: commitA, To: commitB, ToFence: 1,
			Holder: "jo@desk",
		})
		if err := Check(s.t, op); err != nil {
			t.Fatal(err)
		}
		after, applied := Apply(s.t, op, nil)
		if !applied || after.Clock != op.Clock {
			t.Errorf("applied %t, clock %d; want %d", applied, after.Clock, op.Clock)
		}
		after.Clock, after.UpdatedAt = before.Clock, before.UpdatedAt
		if encoded(t, after) != encoded(t, before) {
			t.Errorf("it changed\n%s\nto\n%s", encoded(t, before), encoded(t, after))
		}
	}
	for name, p := range map[string]task.LockLostPayload{
		"no fence": {Claim: commitA}, "no claim": {Fence: 1}, "a claim that is none": {Fence: 1, Claim: "../x"},
		"a fence too high":  {Fence: operation.MaxClock + 1, Claim: commitA},
		"a holder too long": {Fence: 1, Claim: commitA, Holder: strings.Repeat("x", task.MaxReason+1)},
	} {
		var refused *task.RefusedError
		if err := Check(full(t).t, s.next(task.OpLockLost, p)); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The fold reads from it which claim gave way to what; from nothing else.
func TestRules_lockLostIsAYield(t *testing.T) {
	t.Parallel()
	s := full(t)
	y, ok := Rules().Yield(s.next(task.OpLockLost, task.LockLostPayload{Fence: 2, Claim: commitA, ToFence: 1}))
	if want := (operation.Yield{Fence: 2, Claim: commitA, To: 1}); !ok || y != want {
		t.Errorf("%+v, %t; want %+v", y, ok, want)
	}
	if _, ok := Rules().Yield(s.next(task.OpStart, task.LockLostPayload{Fence: 2, Claim: commitA})); ok {
		t.Error("a start gives a claim up")
	}
	if _, ok := Rules().Yield(operation.Operation{Kind: task.OpLockLost, Payload: []byte(`{"fence":"2"}`)}); ok {
		t.Error("nonsense gives a claim up")
	}
}
