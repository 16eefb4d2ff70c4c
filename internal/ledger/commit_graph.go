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
	most := limit
	if len(known) > 0 {
		most = min(most, probe)
	}
	steps, all, err := l.line(ctx, from, most, tip, known)
	if err != nil {
		return nil, err
	}
	if all {
		slices.Reverse(steps)
		return steps, nil
	}
	list, err := l.repo.History.Between(ctx, limit, []gitstore.OID{tip}, known)
	if err != nil {
		return nil, err
	}
	read := map[gitstore.OID]Step{}
	for _, s := range steps {
		read[s.Commit] = s
	}
	steps = make([]Step, len(list))
	for i, c := range list {
		s, known := read[c.OID]
		if !known {
			if s, err = readStep(ctx, from, c.OID); err != nil {
				return nil, err
			}
		}
		s.cut = len(c.Parents) == 0 && len(s.Parents) > 0
		steps[i] = s
	}
	return steps, nil
}

// line reads the commits that lead to tip one behind the other, most of them at most, up to
// a known one, or, where none is, to the first. All: there are no others; else lines
// join, or there are more.
func (l *Ledger) line(ctx context.Context, from odb.Reader, most int, tip gitstore.OID, known []gitstore.OID) (
	steps []Step, all bool, err error,
) {
	cut, err := l.repo.History.Boundary()
	if err != nil {
		return nil, false, err
	}
	for at := tip; ; {
		if slices.Contains(known, at) {
			return steps, true, nil
		}
		if len(steps) == most {
			return steps, false, nil
		}
		s, err := readStep(ctx, from, at)
		if err != nil {
			return nil, false, err
		}
		s.cut = cut[at]
		steps = append(steps, s)
		if s.cut || len(s.Parents) != 1 {
			return steps, len(known) == 0 && len(s.Parents) < 2, nil
		}
		at = s.Parents[0]
	}
}

// follows reports whether tip leads to old along single parents, a short way.
func (l *Ledger) follows(ctx context.Context, old, tip gitstore.OID) (bool, error) {
	_, all, err := l.line(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), probe, tip, []gitstore.OID{old})
	return all, err
}

// Follows reports whether the record at tip goes on from the one at old. Git is asked
// where that is not to be seen right behind the tip.
func (l *Ledger) Follows(ctx context.Context, old, tip gitstore.OID) (bool, error) {
	if follows, err := l.follows(ctx, old, tip); err != nil || follows {
		return follows, err
	}
	return l.repo.History.IsAncestor(ctx, old, tip)
}

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
// whoever made what is behind had seen all that is before.
func (c *commitGraph) fork(heads ...int) (base int, behind []int) {
	waits, waiting := make([]bool, len(c.commits)), 0
	add := func(commits []int) {
		for _, i := range commits {
			if !waits[i] {
				waits[i] = true
				waiting++
			}
		}
	}
	add(heads)
	begun := false
	// Always the latest of those that wait: when it is the only one, no other way
	// leads further back.
	for base = len(c.commits) - 1; waiting > 0; base-- {
		if !waits[base] {
			continue
		}
		if waiting == 1 && !begun {
			break
		}
		waiting--
		behind = append(behind, base)
		begun = begun || len(c.parents[base]) == 0
		add(c.parents[base])
	}
	if waiting == 0 {
		base = -1
	}
	slices.Reverse(behind)
	return base, behind
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
