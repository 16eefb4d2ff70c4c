package ledger

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
)

// probe is how many commits are looked at, one behind the other, before git is
// asked for a list: most of what is to be found lies just behind a tip, and a
// process costs as much as these.
const probe = 100

// since reads the commits that lead to tip and to none of known, parents before
// children, without their operations: limit commits at most, else ErrTooLarge.
func (l *Ledger) since(ctx context.Context, from odb.Reader, limit int, tip gitstore.OID,
	known ...gitstore.OID,
) ([]Step, error) {
	known = slices.DeleteFunc(slices.Clone(known), gitstore.OID.IsZero)
	cut, err := l.repo.History.Boundary()
	if err != nil {
		return nil, err
	}
	line := limit + 1
	if len(known) > 0 {
		line = min(line, probe)
	}
	var steps []Step
	read := map[gitstore.OID]Step{}
	for at, more := tip, true; more; {
		if slices.Contains(known, at) && len(steps) <= limit {
			slices.Reverse(steps)
			return steps, nil
		}
		s, err := readStep(ctx, from, at)
		if err != nil {
			return nil, err
		}
		s.cut = cut[at]
		read[at], steps = s, append(steps, s)
		if len(known) == 0 && (s.cut || len(s.Parents) == 0) && len(steps) <= limit {
			slices.Reverse(steps)
			return steps, nil
		}
		if more = len(steps) < line && !s.cut && len(s.Parents) == 1; more {
			at = s.Parents[0]
		}
	}
	list, err := l.repo.History.Between(ctx, limit, []gitstore.OID{tip}, known)
	if err != nil {
		return nil, err
	}
	steps = make([]Step, 0, len(list))
	for _, c := range list {
		s, known := read[c.OID]
		if !known {
			if s, err = readStep(ctx, from, c.OID); err != nil {
				return nil, err
			}
		}
		s.cut = len(c.Parents) == 0 && len(s.Parents) > 0
		steps = append(steps, s)
	}
	return steps, nil
}

// readStep reads a commit, without its operation.
func readStep(ctx context.Context, from odb.Reader, commit gitstore.OID) (Step, error) {
	c, err := from.Commit(ctx, commit)
	if err != nil {
		return Step{}, err
	}
	s := stepOf(commit, c)
	s.made = &c
	return s, nil
}

func stepOf(commit gitstore.OID, c gitstore.Commit) Step {
	subject, _, _ := strings.Cut(c.Message, "\n")
	return Step{
		Commit: commit, Parents: c.Parents, Subject: subject, Author: c.Author.Name, When: c.Committer.When, tree: c.Tree,
	}
}

// commitGraph is how all commits of a record follow from one another.
type commitGraph struct {
	commits []gitstore.OID // parents before children
	parents [][]int        // by their places in commits
	at      map[gitstore.OID]int
	cut     []bool // a part of its history is not here
}

func newCommitGraph(n int) *commitGraph {
	return &commitGraph{
		commits: make([]gitstore.OID, 0, n), parents: make([][]int, 0, n), cut: make([]bool, 0, n),
		at: make(map[gitstore.OID]int, n),
	}
}

// add adds a commit whose parents were added before, those that are here.
func (c *commitGraph) add(commit gitstore.OID, parents []gitstore.OID, cut bool) {
	places := make([]int, 0, len(parents))
	for _, p := range parents {
		i, here := c.at[p]
		if !here {
			cut = true
			continue
		}
		cut = cut || c.cut[i]
		places = append(places, i)
	}
	c.at[commit] = len(c.commits)
	c.commits, c.parents, c.cut = append(c.commits, commit), append(c.parents, places), append(c.cut, cut)
}

// commitGraph lists all commits that lead to some tips.
func (l *Ledger) commitGraph(ctx context.Context, tips ...gitstore.OID) (*commitGraph, error) {
	list, err := l.repo.History.Between(ctx, maxHistory, tips, nil)
	if err != nil {
		return nil, err
	}
	c := newCommitGraph(len(list))
	for _, commit := range list {
		cut := false
		if len(commit.Parents) == 0 {
			root, err := l.repo.Objects.Commit(ctx, commit.OID)
			if err != nil {
				return nil, err
			}
			cut = len(root.Parents) > 0
		}
		c.add(commit.OID, commit.Parents, cut)
	}
	return c, nil
}

// maxHistory bounds the commits of a record that is taken for one.
const maxHistory = 10_000_000

// fork finds where the history of some commits was one last: the commit that
// all before it had led to, and all after it have seen; -1 where there is none.
// Behind are the commits after it, parents first. A fold may begin there, since
// whoever made what is behind had seen all that is before. Fork takes what is behind
// as folded, and ends where that is too much.
func (c *commitGraph) fork(may *allowance, heads ...int) (base int, behind []int, err error) {
	// Always the latest of those that are left: when it is the only one, no
	// other way leads further back.
	front := slices.Compact(slices.Sorted(slices.Values(heads)))
	begun := false
	for len(front) > 0 {
		last := front[len(front)-1]
		if front = front[:len(front)-1]; len(front) == 0 && !begun {
			slices.Sort(behind)
			return last, behind, nil
		}
		if err := may.take(1 + len(front)/stepsAFold); err != nil {
			return -1, nil, err
		}
		behind = append(behind, last)
		if len(c.parents[last]) == 0 {
			begun = true
		}
		for _, p := range c.parents[last] {
			if at, there := slices.BinarySearch(front, p); !there {
				front = slices.Insert(front, at, p)
			}
		}
	}
	slices.Sort(behind)
	return -1, behind, nil
}

// operations counts, among some commits, those that are no merges.
func (c *commitGraph) operations(some []int) int {
	n := 0
	for _, i := range some {
		if len(c.parents[i]) < 2 {
			n++
		}
	}
	return n
}

// leads reports whether a commit is another one's ancestor, or that one.
func (c *commitGraph) leads(from, to int) bool { return slices.Contains(c.before(from), to) }

// before are the ancestors of a commit, and itself, parents first.
func (c *commitGraph) before(i int) []int {
	seen := make([]bool, i+1)
	seen[i] = true
	n := 0
	for at := i; at >= 0; at-- {
		if !seen[at] {
			continue
		}
		n++
		for _, p := range c.parents[at] {
			seen[p] = true
		}
	}
	all := make([]int, 0, n)
	for at := range seen {
		if seen[at] {
			all = append(all, at)
		}
	}
	return all
}

// follows reports whether tip leads to old along single parents, a short way.
func (l *Ledger) follows(ctx context.Context, old, tip gitstore.OID) (bool, error) {
	cut, err := l.repo.History.Boundary()
	if err != nil {
		return false, err
	}
	for range probe {
		if tip == old {
			return true, nil
		}
		c, err := l.repo.Objects.Commit(ctx, tip)
		if err != nil || len(c.Parents) != 1 || cut[tip] {
			return false, err
		}
		tip = c.Parents[0]
	}
	return false, nil
}
