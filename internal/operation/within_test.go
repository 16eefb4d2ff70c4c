package operation

import (
	"errors"
	"testing"
)

// apart is a history of one operation, and of n on each of two lines behind it.
func apart(n int, kind Kind) []Node {
	nodes := []Node{node(0, kind, 1, "a")}
	for i := 1; i <= 2*n; i++ {
		nodes = append(nodes, node(i, kind, 1, "a", max(0, i-2)))
	}
	return nodes
}

// Where no operation is ever void, nothing is compared, however a history
// forked.
func TestOrdered_noRules(t *testing.T) {
	t.Parallel()
	ask := func(_, _ int) error { return errors.New("asked") }
	if ops, err := Ordered(apart(100, "do"), Rules{}, ask); err != nil || len(ops) != 201 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// Who folds is asked before anything is compared, and its word counts.
func TestOrdered_asksBefore(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	nodes := append(apart(100, "do"), node(201, "do", 1, "a", 199, 200))
	ops, err := Ordered(nodes, testRules(), func(n, _ int) error {
		if n != len(nodes) {
			t.Errorf("asked about %d of %d", n, len(nodes))
		}
		return enough
	})
	if !errors.Is(err, enough) || ops != nil {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// The more is to be compared, the more steps it takes: twice as long lines four
// times as many, claims that were given up still more.
func TestOrdered_steps(t *testing.T) {
	t.Parallel()
	steps := func(nodes []Node) (most int) {
		_, _ = Ordered(nodes, testRules(), func(_, n int) error {
			most = n
			return nil
		})
		return most
	}
	one, two := steps(apart(640, "do")), steps(apart(1280, "do"))
	if two < 39*one/10 || two > 41*one/10 {
		t.Errorf("%d steps, and %d for twice the lines", one, two)
	}
	given := apart(640, "do")
	given[1000].Op = yield(1000, Yield{1, "b", 1}).Op
	if got := steps(given); got <= one {
		t.Errorf("%d steps where a claim was given up, %d without", got, one)
	}
}
