package run

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/task"
)

// keptApart reports that a phase is not begun beside those at work, and tells once why.
func (r *crew) keptApart(ctx context.Context, p task.Phase, onto gitstore.OID) bool {
	if p.Status != task.PhasePending || len(namedPaths(p)) == 0 {
		return false
	}
	var all []trees.Branch
	for _, j := range r.sorted() {
		j.branch = r.trees.Branch(ctx, j.phase, onto, j.branch)
		all = append(all, j.branch)
	}
	why := apart(p, all)
	if why != "" && r.waits[p.UID] != why {
		r.tell(Event{Kind: Noted, Phase: p, Text: "it waits, for " + why})
	}
	r.waits[p.UID] = why
	return why != ""
}

// sorted are the jobs in the order of their phases' ids.
func (r *crew) sorted() []*job {
	byID := func(a, b *job) int { return cmp.Compare(a.phase.ID, b.phase.ID) }
	return slices.SortedFunc(maps.Values(r.jobs), byID)
}

// meet looks which others' work that of a job conflicts with by now, and tells it. Whose worker
// has another turn is told there.
func (r *crew) meet(ctx context.Context, j *job) {
	mine, err := r.s.Clone.Repo.Refs.Get(ctx, j.tree.Ref())
	if err != nil || mine == j.from {
		return
	}
	var pairs []history.Pair
	var others []*job
	for _, other := range r.sorted() {
		tip, err := r.s.Clone.Repo.Refs.Get(ctx, other.tree.Ref())
		if err == nil && other != j && tip != other.from && tip != mine {
			pairs, others = append(pairs, history.Pair{mine, tip}), append(others, other)
		}
	}
	for i, in := range r.trees.Conflicts(ctx, pairs) {
		other := others[i]
		if in != "" && j.met[other.phase.UID] != in {
			r.tell(Event{
				Kind: Noted, Phase: j.phase, Tier: j.tier,
				Text: "what it has committed conflicts with phase " + other.phase.ID + " in " + in,
			})
		}
		j.met[other.phase.UID], other.met[j.phase.UID] = in, in
	}
}
