package ledger

import (
	"context"
	"maps"
	"testing"
)

// A branch means one task; a claim of what is not there is refused.
func TestClaim(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	r.add(refA, Stamp{}, words("one")...)
	r.add(refB, Stamp{}, words("two")...)
	for _, claim := range [][2]string{{"main", "a"}, {"feature/x", "b"}, {"main", "b"}, {"main", "b"}} {
		if err := r.l.Claim(ctx, claim[0], claim[1]); err != nil {
			t.Fatalf("%v: %v", claim, err)
		}
	}
	if got, want := r.l.Claims(ctx), map[string]string{"main": "b", "feature/x": "b"}; !maps.Equal(got, want) {
		t.Errorf("claims %v, want %v", got, want)
	}
	if id, err := r.l.Claimed("main"); err != nil || id != "b" {
		t.Errorf("main means %q, %v", id, err)
	}
	for _, branch := range []string{"", "..", "a..b", "x.lock", "a b", "-/~"} {
		if r.l.Claim(ctx, branch, "a") == nil {
			t.Errorf("%q was claimed", branch)
		}
		if id, err := r.l.Claimed(branch); id != "" || err != nil {
			t.Errorf("%q means %q, %v", branch, id, err)
		}
	}
	for range 2 {
		if err := r.l.Unclaim(ctx, "main"); err != nil {
			t.Fatal(err)
		}
	}
	if id, err := r.l.Claimed("main"); id != "" || err != nil {
		t.Errorf("main still means %q, %v", id, err)
	}
}

// The claim of a branch that is gone makes way for one that needs its name as a
// directory, or the other way round; that of a branch that is there does not.
func TestClaim_makesWay(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	r.add(refA, Stamp{}, words("one")...)
	for _, branch := range []string{"topic", "topic/inner", "topic"} {
		if err := r.l.Claim(ctx, branch, "a"); err != nil {
			t.Errorf("%s: %v", branch, err)
		}
	}
	r.Git("branch", "topic")
	if err := r.l.Claim(ctx, "topic/inner", "a"); err == nil {
		t.Error("a branch that is there lost its claim")
	}
	if got := r.l.Claims(ctx); !maps.Equal(got, map[string]string{"topic": "a"}) {
		t.Errorf("claims %v", got)
	}
}
