package run

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// share hands the record over in the background, so that nobody does elsewhere what is done.
func (r *record) share() {
	if r.o.Share != nil {
		r.o.Share()
	}
}

// isShared names the remote that others have the task from, "" for none, and reports whether it
// is told by itself what happens here.
func (r *record) isShared(ctx context.Context) (remote string, itself bool) {
	there, agreed, err := r.s.Config.Arbiter(ctx)
	if err == nil && agreed {
		set, err := r.s.Config.Settings(ctx)
		return there.Name, err == nil && set.Bool(config.KeySyncAuto)
	}
	if there, err = r.s.Config.RemoteFor(ctx, ""); err != nil {
		return "", false
	}
	if seen, err := r.s.Clone.Ledger.Tip(ctx, there.Seen(ledger.TaskRef(string(r.id)))); err != nil || seen.IsZero() {
		return "", false
	}
	return there.Name, false
}

// unshared tells that others can't see that this run is at work.
func (r *record) unshared(ctx context.Context) {
	if remote, itself := r.isShared(ctx); remote != "" && !itself {
		r.tell(Event{
			Kind: Noted, Text: remote + " has this task, and is not told what the run does: 'git brew sync' tells it",
		})
	}
}

// handOver shares the record as the run leaves it, and says which commands hand over what does
// not go by itself: the record, and the task's branch.
func (r *run) handOver(ctx context.Context) (hands []string) {
	r.share()
	remote, itself := r.isShared(ctx)
	if remote != "" && !itself {
		hands = append(hands, "git brew sync")
	}
	branch, exists, err := r.s.Place.BranchOf(ctx, r.ended.Task)
	if err != nil || !exists || remote == "" || len(r.ended.Completed) == 0 {
		return hands
	}
	refs := r.s.Clone.Repo.Refs
	tip, err := refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if err != nil {
		return hands
	}
	there, err := refs.Get(ctx, gitstore.RefName("refs/remotes/"+remote+"/"+branch))
	if err == nil && there == tip {
		return hands
	}
	return append(hands, "git push -u "+remote+" "+branch)
}
