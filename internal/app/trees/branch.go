package trees

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// Branch is a phase that somebody works on, and what is committed of it by now: the tip of its
// branch, the files that this changed since it left the task's branch, and what it conflicts with.
type Branch struct {
	Phase   task.Phase
	Tip     gitstore.OID
	Changed []string
	Meets   string
}

// Branch looks at what is committed of a phase, against the tip of the task's branch. was is how it
// was seen before. What can't be looked at has changed nothing.
func (a *Trees) Branch(ctx context.Context, p task.Phase, onto gitstore.OID, was Branch) Branch {
	tip, err := a.Repo.Refs.Get(ctx, a.Of(p).Ref())
	if err != nil || tip == onto {
		return Branch{Phase: p}
	}
	now := Branch{Phase: p, Tip: tip, Changed: was.Changed}
	if tip == was.Tip {
		return now
	}
	out, err := bounded(ctx, a.git(), nil, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z",
		onto.String()+"..."+tip.String(), "--")
	if now.Changed = nil; err == nil && len(out) > 0 {
		now.Changed = strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	return now
}

// lookPatience is how long git may look for conflicts between branches.
const lookPatience = 2 * time.Second

// Conflicts says of pairs of branches in which files they would conflict, "" where they merge,
// or git can't tell.
func (a *Trees) Conflicts(ctx context.Context, pairs []history.Pair) []string {
	ctx, stop := context.WithTimeout(ctx, lookPatience)
	defer stop()
	in := make([]string, len(pairs))
	said, _ := a.Repo.History.Conflicts(ctx, pairs) // what it does not say is not known
	for i, c := range said {
		if c.Is {
			in[i] = cmp.Or(invisible.Line(overlap.Named(c.Paths, 0)), "names of directories")
		}
	}
	return in
}

// Branches looks at phases that workers have begun: what is committed of each, and with which others
// of them that conflicts.
func (a *Trees) Branches(ctx context.Context, phases []task.Phase, onto gitstore.OID) map[task.UID]Branch {
	all := map[task.UID]Branch{}
	var pairs []history.Pair
	var of [][2]task.Phase
	for i, p := range phases {
		now := a.Branch(ctx, p, onto, Branch{})
		all[p.UID] = now
		for _, q := range phases[:i] {
			if was := all[q.UID]; len(was.Changed) > 0 && len(now.Changed) > 0 {
				pairs, of = append(pairs, history.Pair{was.Tip, now.Tip}), append(of, [2]task.Phase{q, p})
			}
		}
	}
	for i, in := range a.Conflicts(ctx, pairs) {
		for side, p := range of[i] {
			if one := all[p.UID]; in != "" {
				one.Meets = strings.TrimPrefix(one.Meets+"; it conflicts with phase "+of[i][1-side].ID+" in "+in, "; ")
				all[p.UID] = one
			}
		}
	}
	return all
}
