package operation

import "testing"

func TestAuthority_later(t *testing.T) {
	t.Parallel()
	at := func(fence uint64, claim string) Operation { return Operation{Fence: fence, Claim: claim} }
	for _, row := range []struct {
		a, b Operation
		want bool
	}{
		{at(2, "b"), at(1, "a"), true},
		{at(1, "a"), at(2, "b"), false},
		{at(1, "a"), at(1, "b"), true},
		{at(1, "b"), at(1, "a"), false},
		{at(1, "a"), at(1, "a"), false},
		{at(1, "a"), at(0, ""), true},
		{at(0, "a"), at(0, "b"), false}, // nobody held anything
	} {
		if got := authorityOf(row.a).later(authorityOf(row.b)); got != row.want {
			t.Errorf("%d %q overtakes %d %q: %t", row.a.Fence, row.a.Claim, row.b.Fence, row.b.Claim, got)
		}
	}
}
