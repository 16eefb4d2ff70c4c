package exchange

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// SyncTask brings what a remote has of one task and its lock, and settles both
// here; nothing is pushed. It waits for the network as long as ctx allows. A
// *refsync.RemoteError: the remote could not be asked. A lock that was set aside
// is an error too: nobody knows who holds it.
func (s *Exchange) SyncTask(ctx context.Context, remote refsync.Remote, id task.ID) error {
	_, report, err := s.run(ctx, refsync.Options{Remote: remote, Tasks: []string{string(id)}, Locks: true, Fetch: true})
	if err != nil {
		return err
	}
	for _, r := range report.Refs {
		if r.Err != nil && r.Ref == ledger.LockRef(string(id)) {
			return r.Err
		}
	}
	return nil
}

// PushLock gives a remote the lock of a task as it is here, if the remote still
// has what it had when it was last asked. Moved: the remote has something else by
// now, which is not fetched yet; UpToDate: it has that very lock, or there is
// nothing to give. A *refsync.RemoteError: the remote could not be asked, or takes
// no lock.
//
// With it goes what the lock is taken for, or neither does: so nobody sees who holds
// the lock without what they do. A remote that does not take both at once gets the
// lock alone.
func (s *Exchange) PushLock(ctx context.Context, remote refsync.Remote, id task.ID,
	with *Begun,
) (refsync.Answer, error) {
	lock, err := s.moveOn(ctx, remote, ledger.LockRef(string(id)))
	if err != nil {
		return "", err
	}
	if lock.New.IsZero() || lock.New == lock.Old {
		return refsync.UpToDate, nil
	}
	refused := false
	if with != nil {
		along, err := s.moveOn(ctx, remote, ledger.TaskRef(string(id)))
		if err == nil && s.mayHave(ctx, along, with.tip) {
			along.New = with.tip
			answer, err := refsync.PushTogether(ctx, s.Clone.Repo, remote, lock, along)
			if err == nil || ctx.Err() != nil {
				return answer, err
			}
			refused = refsync.Answered(err)
		}
	}
	answer, err := refsync.PushTogether(ctx, s.Clone.Repo, remote, lock)
	if err != nil && refused && !refsync.Answered(err) {
		return refsync.Moved, nil // it said no, and then nothing: that is no claim made offline
	}
	return answer, err
}

// moveOn is the move of a remote's ref from what it was last seen to have to what is
// here.
func (s *Exchange) moveOn(ctx context.Context, remote refsync.Remote, ref gitstore.RefName) (gitstore.Update, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, ref)
	if err != nil {
		return gitstore.Update{}, err
	}
	seen, err := s.Clone.Ledger.Tip(ctx, remote.Seen(ref))
	return gitstore.Update{Ref: ref, Old: seen, New: tip}, err
}

// mayHave reports whether a remote may be given a task's tip that goes on from what is
// here: all that the remote has is here, and others would take it from there.
func (s *Exchange) mayHave(ctx context.Context, m gitstore.Update, tip gitstore.OID) bool {
	if m.New.IsZero() {
		return false // it comes from the archive, and goes with a sync
	}
	if !m.Old.IsZero() {
		if follows, err := s.Clone.Repo.History.IsAncestor(ctx, m.Old, m.New); err != nil || !follows {
			return false
		}
	}
	return (&Settler{S: s}).Sendable(ctx, m.Ref, m.Old, tip) == nil
}

// Begun is a change of a task that is made and not recorded here.
type Begun struct {
	tip           gitstore.OID // of the task's record with it
	Before, after task.Task
	kinds         []operation.Kind
}

// Begin makes a change of a task without recording it; nil where it can't be made, as
// whoever makes it later will hear.
func (s *Exchange) Begin(ctx context.Context, id task.ID, decide func(ctx context.Context, c *change.Tx) error) *Begun {
	b := &Begun{}
	err := s.Clone.Ledger.Stage(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := &change.Tx{Engine: s.Engine, ID: id, Ledger: tx}
		if err := c.Read(ctx); err != nil {
			return err
		}
		b.Before = c.Task
		if err := decide(ctx, c); err != nil {
			return err
		}
		var err error
		b.after, b.kinds = c.Task, c.Last.Kinds
		b.tip, err = tx.Tip(ctx, ledger.TaskRef(string(id)))
		return err
	})
	if err != nil {
		return nil
	}
	return b
}

// Came reports whether what was begun has come back from the arbiter, and notes it as
// what this change did.
func (s *Exchange) Came(ctx context.Context, c *change.Tx, b *Begun) (bool, error) {
	if b == nil {
		return false, nil
	}
	tip, err := c.Ledger.Tip(ctx, ledger.TaskRef(string(c.ID)))
	if err != nil {
		return false, err
	}
	if is, err := s.Clone.Repo.History.IsAncestor(ctx, b.tip, tip); err != nil || !is {
		return false, err
	}
	s.Journal.RecordAfter(c.Ledger, journal.TaskEvents(b.Before, b.after)...)
	drafts := make([]ledger.Draft, len(b.kinds))
	for i, kind := range b.kinds {
		drafts[i].Kind = kind
	}
	c.Found = b.Before
	return true, c.Note(ctx, drafts)
}
