package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// lockState is a state of a lock's chain, by its place in locks.all.
type lockState struct {
	parent int // -1: none
	held   bool
	owner  int
	fence  uint64
	claim  int // the state that claimed it
}

// locks is a lock that clones share through an arbiter, as internal/app/lock
// does it, and the operations made under it.
type locks struct {
	all      []lockState
	tip      int   // the arbiter's
	accepted []int // the claims that it took, in order
	clones   []*lockClone
	shared   []Node // what the arbiter has of the task
	made     int
	// sure are the operations made, and shared, under the claim that the
	// arbiter had at both times.
	sure map[ID]int
}

type lockClone struct {
	tip   int // of its own chain
	nodes []Node
	heads []ID
}

func (w *locks) add(s lockState) int {
	w.all = append(w.all, s)
	return len(w.all) - 1
}

func (w *locks) claimOn(tip, owner int, fence uint64) int {
	n := w.add(lockState{parent: tip, held: true, owner: owner, fence: fence})
	w.all[n].claim = n
	return n
}

func claimID(n int) string { return fmt.Sprintf("%08x", uint32(n)*2654435761) } // in no order

// put makes an operation on what a clone has seen.
func (w *locks) put(c *lockClone, kind Kind, fence uint64, claim string, payload any) ID {
	w.made++
	n := node(w.made, kind, fence, claim)
	n.Op.Payload, _ = json.Marshal(payload)
	var clock uint64
	for i, o := range c.nodes {
		clock = max(clock, o.Op.Clock)
		if slices.Contains(c.heads, o.Op.ID) {
			n.Parents = append(n.Parents, i)
		}
	}
	n.Op.Clock = clock + 1
	c.nodes, c.heads = append(slices.Clip(c.nodes), n), []ID{n.Op.ID}
	return n.Op.ID
}

// chain are the states from a tip on, the latest first.
func (w *locks) chain(tip int) []int {
	var all []int
	for ; tip >= 0; tip = w.all[tip].parent {
		all = append(all, tip)
	}
	return all
}

// settle is what lock.Locks.SettleLock does.
func (w *locks) settle(me int, c *lockClone) {
	there := w.chain(w.tip)
	ours := w.chain(c.tip)
	common := slices.IndexFunc(ours, func(s int) bool { return slices.Contains(there, s) })
	base := ours[common]
	switch {
	case base == w.tip:
	case base == c.tip:
		c.tip = w.tip
	default:
		from := w.all[base].fence
		if !w.all[base].held {
			from++
		}
		for _, s := range slices.Backward(ours[:common]) {
			l := w.all[s]
			mine := slices.ContainsFunc(c.nodes, func(n Node) bool { return n.Op.Fence == l.fence && n.Op.Claim == claimID(s) })
			if l.claim == s && l.owner == me && mine {
				w.put(c, "yield", 0, "", Yield{Fence: l.fence, Claim: claimID(s), To: max(from, 1)})
			}
		}
		held := w.all[c.tip].held && w.all[c.tip].owner == me
		fence := 1 + max(w.all[c.tip].fence, w.all[w.tip].fence)
		c.tip = w.tip
		if held && !w.all[w.tip].held {
			c.tip = w.claimOn(w.tip, me, fence)
		}
	}
	if w.tip == c.tip {
		return
	}
	w.tip = c.tip
	for _, s := range slices.Backward(w.chain(w.tip)) {
		if w.all[s].claim == s && w.all[s].held && !slices.Contains(w.accepted, s) {
			w.accepted = append(w.accepted, s)
		}
	}
}

func (w *locks) sync(me int) {
	c := w.clones[me]
	w.settle(me, c)
	for _, n := range c.nodes {
		known := slices.ContainsFunc(w.shared, func(o Node) bool { return o.Op.ID == n.Op.ID })
		if claim, sure := w.sure[n.Op.ID]; sure && !known && w.all[w.tip].claim != claim {
			delete(w.sure, n.Op.ID)
		}
	}
	w.shared = unionOf(w.shared, c.nodes)
	c.nodes = unionOf(c.nodes, w.shared)
	c.heads = headsOf(c.nodes)
}

func headsOf(nodes []Node) []ID {
	child := map[int]bool{}
	for _, n := range nodes {
		for _, p := range n.Parents {
			child[p] = true
		}
	}
	var heads []ID
	for i, n := range nodes {
		if !child[i] {
			heads = append(heads, n.Op.ID)
		}
	}
	return heads
}

// unionOf lists the nodes of both, parents first.
func unionOf(a, b []Node) []Node {
	out := slices.Clone(a)
	at := map[ID]int{}
	for i, n := range out {
		at[n.Op.ID] = i
	}
	for _, n := range b {
		if _, known := at[n.Op.ID]; known {
			continue
		}
		moved := Node{Op: n.Op}
		for _, p := range n.Parents {
			moved.Parents = append(moved.Parents, at[b[p].Op.ID])
		}
		at[n.Op.ID] = len(out)
		out = append(out, moved)
	}
	return out
}

// S-12, S-14: whatever clones claim, let go, steal and do out of touch, what was
// done and shared under the claim that the arbiter had is void only by what was
// done under one that it took later.
func TestVoid_S12_theArbitersWordCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &locks{sure: map[ID]int{}}
		w.tip = w.add(lockState{parent: -1})
		first := &lockClone{}
		w.put(first, "open", 0, "", nil)
		w.shared = first.nodes
		for range rapid.IntRange(2, 4).Draw(t, "clones") {
			c := *first
			w.clones = append(w.clones, &c)
		}
		for range rapid.IntRange(5, 60).Draw(t, "steps") {
			me := rapid.IntRange(0, len(w.clones)-1).Draw(t, "clone")
			c := w.clones[me]
			l := w.all[c.tip]
			mine := l.held && l.owner == me
			switch rapid.SampledFrom([]string{"work", "work", "take", "let go", "steal", "sync", "sync"}).Draw(t, "step") {
			case "take":
				if !l.held {
					c.tip = w.claimOn(c.tip, me, l.fence+1)
				}
			case "steal":
				if l.held && !mine {
					c.tip = w.claimOn(c.tip, me, l.fence+1)
				}
			case "let go":
				if mine {
					c.tip = w.add(lockState{parent: c.tip, fence: l.fence, claim: l.claim, owner: me})
				}
			case "work":
				if mine {
					id := w.put(c, "do", l.fence, claimID(l.claim), nil)
					if there := w.all[w.tip]; there.held && there.claim == l.claim {
						w.sure[id] = l.claim
					}
				}
			case "sync":
				w.sync(me)
			}
		}
		for range 2 {
			for me := range w.clones {
				w.sync(me)
			}
		}
		nodes := w.shared
		void, seen := voidOf(nodes, testRules()), ancestors(nodes)
		claims := map[string]int{} // when the arbiter took it
		for n, s := range w.accepted {
			claims[claimID(s)] = n + 1
		}
		for i, n := range nodes {
			claim, sure := w.sure[n.Op.ID]
			if !sure || !void[i] {
				continue
			}
			taken := claims[claimID(claim)]
			if !slices.ContainsFunc(nodes, func(o Node) bool {
				at := slices.IndexFunc(nodes, func(x Node) bool { return x.Op.ID == o.Op.ID })
				return o.Op.Fence > 0 && o.Op.Kind == "do" && claims[o.Op.Claim] > taken && !seen[at].has(i)
			}) {
				t.Fatalf("operation %d, under the arbiter's claim %s, is void by what was done out of touch", i, n.Op.Claim)
			}
		}
	})
}
