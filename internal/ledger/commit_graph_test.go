package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// drawChart draws a history with forks, joins and several roots.
func drawChart(t *rapid.T) *commitGraph {
	n := rapid.IntRange(1, 30).Draw(t, "commits")
	c := newCommitGraph(n)
	for i := range n {
		var parents []gitstore.OID
		if i > 0 && rapid.IntRange(0, 9).Draw(t, "root") > 0 {
			// Most commits are made on one of the last.
			var on []int
			for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "parents") {
				on = append(on, max(0, i-1-rapid.IntRange(0, 3).Draw(t, "parent")))
			}
			for _, p := range c.apart(on) {
				parents = append(parents, c.commits[p])
			}
		}
		c.add(gitstore.HashBlob([]byte(fmt.Sprint(i))), parents, false)
	}
	return c
}

// apart are those of some commits that no other one of them leads to, each once.
func (c *commitGraph) apart(some []int) []int {
	slices.Sort(some)
	some = slices.Compact(some)
	var out []int
	for _, i := range some {
		if !slices.ContainsFunc(some, func(j int) bool { return j != i && c.leads(j, i) }) {
			out = append(out, i)
		}
	}
	return out
}

// A fork is the latest commit that is an ancestor or a descendant of every one
// that leads to the heads.
func TestFork_byItsDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawChart(t)
		heads := c.apart([]int{
			rapid.IntRange(0, len(c.commits)-1).Draw(t, "head"), rapid.IntRange(0, len(c.commits)-1).Draw(t, "other head"),
		})
		seen := func(i int) bool { return !slices.ContainsFunc(heads, func(h int) bool { return !c.leads(h, i) }) }
		var all []int
		for i := range c.commits {
			if slices.ContainsFunc(heads, func(h int) bool { return c.leads(h, i) }) {
				all = append(all, i)
			}
		}
		want := -1
		for _, i := range all {
			if seen(i) && !slices.ContainsFunc(all, func(j int) bool { return !c.leads(i, j) && !c.leads(j, i) }) {
				want = i
			}
		}
		base, behind := c.fork(heads...)
		if base != want {
			t.Fatalf("the fork of %v is %d, want %d: %v", heads, base, want, c.parents)
		}
		var rest []int
		for _, i := range all {
			if base < 0 || !c.leads(base, i) {
				rest = append(rest, i)
			}
		}
		if !slices.Equal(behind, rest) {
			t.Fatalf("behind %d are %v, want %v: %v", base, behind, rest, c.parents)
		}
	})
}

// A merge begins to fold where the history was one last, and comes to the state
// that a fold of everything comes to; what it makes is accepted, and verified.
func TestMerge_asFromTheRoot(t *testing.T) {
	r := newRig(t)
	rapid.Check(t, func(rt *rapid.T) {
		r.branch(refA, gitstore.OID{})
		tips := []gitstore.OID{r.add(refA, Stamp{}, words("root")...)}
		for n := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			on := rapid.SampledFrom(tips).Draw(rt, "on")
			if rapid.Bool().Draw(rt, "merge") && len(tips) > 1 {
				made, _, err := r.merge(on, rapid.SampledFrom(tips).Draw(rt, "with"))
				if err != nil {
					rt.Fatal(err)
				}
				tips = append(tips, made)
				continue
			}
			stamp, d := Stamp{}, adding(fmt.Sprint("word ", n))
			switch fence, claim := r.authority(on); rapid.IntRange(0, 3).Draw(rt, "lock") {
			case 0:
				stamp, d.Kind = Stamp{Fence: fence, Claim: claim}, opHold
			case 1: // two clones may claim under one fence
				stamp, d.Kind = Stamp{Fence: fence + 1, Claim: fmt.Sprint(rapid.IntRange(0, 2).Draw(rt, "claim"))}, opHold
			}
			r.branch(refA, on)
			tips = append(tips, r.add(refA, stamp, d))
		}
		tip := tips[len(tips)-1]
		c, err := r.l.commitGraph(context.Background(), tip)
		if err != nil {
			rt.Fatal(err)
		}
		want, err := foldFrom(context.Background(), newReader(r.l, c, unlimited()), tallyLaw(), -1,
			c.before(c.at[tip]), noWords, newBlobs(context.Background(), r.l))
		if err != nil {
			rt.Fatal(err)
		}
		if got := r.state(tip); !slices.Equal(got.Words, want.Words) || got.Clock != want.Clock {
			rt.Fatalf("%+v, from the root %+v", got, want)
		}
		for _, ours := range []gitstore.OID{{}, rapid.SampledFrom(tips).Draw(rt, "ours")} {
			if err := r.accept(ours, tip); err != nil {
				rt.Fatal(err)
			}
		}
		if err := r.verify(tip); err != nil {
			rt.Fatal(err)
		}
		if err := Verify(context.Background(), r.l, tallyLaw(), tip, tips[0],
			rapid.SampledFrom(tips).Draw(rt, "known")); err != nil {
			rt.Fatal(err)
		}
	})
}

// authority is the lock of which who sees a commit can be the holder.
func (r *rig) authority(at gitstore.OID) (fence uint64, claim string) {
	r.T.Helper()
	steps, err := r.l.History(context.Background(), at)
	if err != nil {
		r.T.Fatal(err)
	}
	fence, claim = 1, "0"
	for _, s := range steps {
		if s.Op != nil && (s.Op.Fence > fence || s.Op.Fence == fence && s.Op.Claim < claim) {
			fence, claim = s.Op.Fence, s.Op.Claim
		}
	}
	return fence, claim
}
