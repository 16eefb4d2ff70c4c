package operation

import (
	"errors"
	"slices"
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
	ask := func(s Segment) error { return errors.New("asked") }
	if ops, err := Ordered(apart(100, "do"), Rules{}, ask); err != nil || len(ops) != 201 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// Who folds is asked before anything is compared, and its word counts.
func TestOrdered_asksBefore(t *testing.T) {
	t.Parallel()
	var asked []int
	enough := errors.New("enough")
	ask := func(s Segment) error {
		asked = append(asked, s.Nodes)
		if s.Nodes > 1 {
			return enough
		}
		return nil
	}
	nodes := append(apart(100, "do"), node(201, "do", 1, "a", 199, 200))
	if ops, err := Ordered(nodes, testRules(), ask); !errors.Is(err, enough) || ops != nil {
		t.Errorf("%d operations, %v", len(ops), err)
	}
	if want := []int{1, 200}; !slices.Equal(asked, want) {
		t.Errorf("asked about %v, want %v", asked, want)
	}
}

// The more is to be compared, the more steps it takes: twice as long lines four
// times as many, claims that were given up still more.
func TestSegment_steps(t *testing.T) {
	t.Parallel()
	steps := func(nodes []Node) (most int) {
		_, _ = Ordered(nodes, testRules(), func(s Segment) error {
			most = max(most, s.Steps)
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
