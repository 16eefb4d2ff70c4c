package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// tip is where the task's branch is.
func (r *target) tip(ctx context.Context, t task.Task) (string, gitstore.OID, error) {
	branch, exists, err := r.s.Place.BranchOf(ctx, t)
	if err == nil && !exists {
		err = clone.Refuse("'git brew switch "+r.id.Slug()+"' makes it", "the task's branch %s is not here", t.Branch)
	}
	if err != nil {
		return "", gitstore.OID{}, err
	}
	oid, err := r.s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	return branch, oid, err
}

// lastMoments is how long git has for what it is at, once the run is interrupted.
const lastMoments = 4 * time.Second

// outlive is a context that ends a while after another one: what is begun is not left half done
// for an interrupt, and nothing that hangs is waited for.
func outlive(all context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(context.WithoutCancel(all))
	stop := context.AfterFunc(all, func() {
		time.AfterFunc(lastMoments, func() { end(context.Cause(all)) })
	})
	return ctx, func() { stop(); end(nil) }
}

// advance moves the task's branch. A hook of git's that hangs after that is told.
func (r *target) advance(all context.Context, branch string, from, to gitstore.OID) (moved bool, err error) {
	ctx, stop := outlive(all)
	defer stop()
	moved, err = r.trees.Advance(ctx, branch, from, to)
	_, hook := errors.AsType[trees.HookError](err)
	if hook || err != nil && all.Err() != nil { // else it is the run's last word
		r.tell(Event{Kind: Noted, Text: err.Error()})
	}
	if hook {
		err = nil
	}
	return moved, err
}

// sweep takes up what runs before this one left, here and on other clones: work of completed
// phases that the task's branch has not come to here, and trees that nobody needs any more.
// Work that was rebased since is on another line, and stays there; work that is lost is refused.
func (r *run) sweep(ctx context.Context) error {
	t, err := r.s.Records.Task(ctx, r.id)
	if err != nil {
		return err
	}
	branch, tip, err := r.tip(ctx, t)
	if err != nil {
		return err
	}
	r.task = t
	r.files = newFiles(r.workers, r.s.standingFile(r.id), r.began, t)
	for _, p := range t.Phases {
		end, err := gitstore.ParseOID(p.EndCommit)
		if p.Status != task.PhaseCompleted && p.Status != task.PhaseInReview || len(p.Turns) == 0 || err != nil {
			continue
		}
		at, err := r.trees.Has(ctx, tip, end)
		if err == nil && at == trees.Ahead {
			err = r.mend(ctx, p, branch, tip, end)
		}
		switch {
		case err != nil:
			return err
		case p.Status == task.PhaseInReview:
		case at == trees.Ahead:
			if _, err := r.advance(ctx, branch, tip, end); err != nil {
				return err
			}
			tip = end
		case at == trees.Elsewhere:
			if ways, err := lost(ctx, r.trees, branch, tip, end); err != nil || ways != "" {
				return cmp.Or(err, clone.Refuse(ways, "what was done in phase %s, commit %s, is not on %s any more", p.ID,
					p.EndCommit[:7], branch))
			}
		case at == trees.Missing:
			what, bring := r.s.Place.MissingWork(ctx, t)
			return clone.Refuse(bring, "%s", what)
		}
	}
	r.at = tip
	for _, p := range worked(t) {
		if p.Status == task.PhaseCompleted {
			r.putAway(ctx, p, tip)
		}
	}
	return nil
}

// lost says what gets work onto the task's branch again that was merged there, and is on another line
// now; "" where a rebase or a squash has it on the branch.
func lost(ctx context.Context, all trees.Trees, branch string, tip, end gitstore.OID) (ways string, err error) {
	if held, err := all.Holds(ctx, tip, end); err != nil || held {
		return "", err
	}
	commit := end.String()[:7]
	return fmt.Sprintf("on %s, 'git merge %s' brings it back, 'git merge -s ours %[2]s' says that it is not missing; "+
		"'git brew phase reset' has it done anew", branch, commit), nil
}

// mend takes back what a git left that was killed while it merged a phase.
func (r *record) mend(ctx context.Context, p task.Phase, branch string, tip, end gitstore.OID) error {
	dir, err := r.trees.Mend(ctx, branch, tip, end)
	if dir != "" && err == nil {
		r.noted(p, "its merge was killed, or undone, and what that left in "+dir+" is taken back")
	}
	return err
}

// putAway takes away the tree and branch of a phase that is completed, or tells why they stay:
// that keeps nobody from working.
func (r *record) putAway(ctx context.Context, p task.Phase, tip gitstore.OID) {
	if why := r.trees.PutAway(ctx, p, tip); why != "" {
		r.noted(p, why)
	}
}
