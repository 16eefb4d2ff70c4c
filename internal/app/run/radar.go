package run

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// live is a phase that somebody works on, and what is committed of it by now: the tip of its
// branch, the files that this changed since it left the task's branch, and what it conflicts with.
type live struct {
	phase   task.Phase
	tip     gitstore.OID
	changed []string
	meets   string
}

// live looks at what is committed of a phase, against the tip of the task's branch. was is how it
// was seen before. What can't be looked at has changed nothing.
func (a *trees) live(ctx context.Context, p task.Phase, onto gitstore.OID, was live) live {
	tip, err := a.repo.Refs.Get(ctx, a.of(p).ref())
	if err != nil || tip == onto {
		return live{phase: p}
	}
	now := live{phase: p, tip: tip, changed: was.changed}
	if tip == was.tip {
		return now
	}
	out, err := a.git().Run(ctx, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z",
		onto.String()+"..."+tip.String(), "--")
	if now.changed = nil; err == nil && len(out) > 0 {
		now.changed = strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	return now
}

// keptApart reports that a phase is not begun beside those at work, and tells once why.
func (r *crew) keptApart(ctx context.Context, p task.Phase, onto gitstore.OID) bool {
	if p.Status != task.PhasePending || len(namedPaths(p)) == 0 {
		return false
	}
	var all []live
	for _, j := range r.sorted() {
		j.live = r.trees.live(ctx, j.phase, onto, j.live)
		all = append(all, j.live)
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
	var all []*job
	for _, j := range r.jobs {
		all = append(all, j)
	}
	slices.SortFunc(all, func(a, b *job) int { return cmp.Compare(a.phase.ID, b.phase.ID) })
	return all
}

// lookPatience is how long git may look for conflicts between branches.
const lookPatience = 2 * time.Second

// conflicts says of pairs of branches in which files they would conflict, "" where they merge,
// or git can't tell.
func (a *trees) conflicts(ctx context.Context, pairs []history.Pair) []string {
	ctx, stop := context.WithTimeout(ctx, lookPatience)
	defer stop()
	in := make([]string, len(pairs))
	said, _ := a.repo.History.Conflicts(ctx, pairs) // what it does not say is not known
	for i, c := range said {
		if c.Is {
			in[i] = cmp.Or(invisible.Line(overlap.Named(c.Paths, 0)), "names of directories")
		}
	}
	return in
}

// meet looks which others' work that of a job conflicts with by now, and tells it. Whose worker
// has another turn is told there.
func (r *crew) meet(ctx context.Context, j *job) {
	mine, err := r.s.Clone.Repo.Refs.Get(ctx, j.tree.ref())
	if err != nil || mine == j.from {
		return
	}
	var pairs []history.Pair
	var others []*job
	for _, other := range r.sorted() {
		tip, err := r.s.Clone.Repo.Refs.Get(ctx, other.tree.ref())
		if err == nil && other != j && tip != other.from && tip != mine {
			pairs, others = append(pairs, history.Pair{mine, tip}), append(others, other)
		}
	}
	for i, in := range r.trees.conflicts(ctx, pairs) {
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

// begun looks at phases that workers have begun: what is committed of each, and with which others
// of them that conflicts.
func (a *trees) begun(ctx context.Context, phases []task.Phase, onto gitstore.OID) map[task.UID]live {
	all := map[task.UID]live{}
	var pairs []history.Pair
	var of [][2]task.Phase
	for i, p := range phases {
		now := a.live(ctx, p, onto, live{})
		all[p.UID] = now
		for _, q := range phases[:i] {
			if was := all[q.UID]; len(was.changed) > 0 && len(now.changed) > 0 {
				pairs, of = append(pairs, history.Pair{was.tip, now.tip}), append(of, [2]task.Phase{q, p})
			}
		}
	}
	for i, in := range a.conflicts(ctx, pairs) {
		for side, p := range of[i] {
			if one := all[p.UID]; in != "" {
				one.meets = strings.TrimPrefix(one.meets+"; it conflicts with phase "+of[i][1-side].ID+" in "+in, "; ")
				all[p.UID] = one
			}
		}
	}
	return all
}
