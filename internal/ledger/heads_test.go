package ledger

import (
	"context"
	"maps"
	"testing"
)

// A branch means one task; binding one to what is not there is refused.
func TestBindBranch(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	r.add(refA, Stamp{}, words("one")...)
	r.add(refB, Stamp{}, words("two")...)
	for _, claim := range [][2]string{{"main", "a"}, {"feature/x", "b"}, {"main", "b"}, {"main", "b"}} {
		if err := r.l.BindBranch(ctx, claim[0], claim[1]); err != nil {
			t.Fatalf("%v: %v", claim, err)
		}
	}
	if got, want := r.l.BoundBranches(ctx), map[string]string{"main": "b", "feature/x": "b"}; !maps.Equal(got, want) {
		t.Errorf("bound %v, want %v", got, want)
	}
	if id, err := r.l.TaskOfBranch("main"); err != nil || id != "b" {
		t.Errorf("main means %q, %v", id, err)
	}
	for _, branch := range []string{"", "..", "a..b", "x.lock", "a b", "-/~"} {
		if r.l.BindBranch(ctx, branch, "a") == nil {
			t.Errorf("%q was bound", branch)
		}
		if id, err := r.l.TaskOfBranch(branch); id != "" || err != nil {
			t.Errorf("%q means %q, %v", branch, id, err)
		}
	}
	for range 2 {
		if err := r.l.UnbindBranch(ctx, "main"); err != nil {
			t.Fatal(err)
		}
	}
	if id, err := r.l.TaskOfBranch("main"); id != "" || err != nil {
		t.Errorf("main still means %q, %v", id, err)
	}
}

// The binding of a branch that is gone makes way for one that needs its name as a
// directory, or the other way round; that of a branch that is there does not.
func TestBindBranch_makesWay(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	r.add(refA, Stamp{}, words("one")...)
	for _, branch := range []string{"topic", "topic/inner", "topic"} {
		if err := r.l.BindBranch(ctx, branch, "a"); err != nil {
			t.Errorf("%s: %v", branch, err)
		}
	}
	r.Git("branch", "topic")
	if err := r.l.BindBranch(ctx, "topic/inner", "a"); err == nil {
		t.Error("a branch that is there lost its task")
	}
	if got := r.l.BoundBranches(ctx); !maps.Equal(got, map[string]string{"topic": "a"}) {
		t.Errorf("bound %v", got)
	}
}
