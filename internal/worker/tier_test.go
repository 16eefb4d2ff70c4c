package worker

import "testing"

// BR-8: easy work goes to juniors, what nobody can tell to seniors, and the reason is said.
func TestJunior_BR8(t *testing.T) {
	for _, c := range []struct {
		work Work
		want bool
		why  string
	}{
		{Work{Title: "Write the README"}, true, `"readme" in the title is work for a junior`},
		{Work{Title: "Add tests for the cache"}, false, `"cache" in the title is work for a senior`},
		{Work{Title: "Add tests", Acceptance: make([]string, 5)}, false, "5 acceptance criteria are more than 4"},
		{Work{Title: "Rename a flag", Dependents: 3}, false, "3 phases build on it"},
		{Work{Title: "Contest page"}, false, "nothing says that it is easy"},
	} {
		if got, why := Junior(c.work); got != c.want || why != c.why {
			t.Errorf("%+v: %v, %s; want %v, %s", c.work, got, why, c.want, c.why)
		}
	}
}
