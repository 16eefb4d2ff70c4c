package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// syncTask brings what a remote has of one task and its lock, and settles both
// here; nothing is pushed. It waits for the network as long as ctx allows. A
// *refsync.RemoteError: the remote could not be asked. A lock that was set aside
// is an error too: nobody knows who holds it.
func (s *Service) syncTask(ctx context.Context, remote refsync.Remote, id task.ID) error {
	report, err := s.run(ctx, s.newExchange(), refsync.Options{Remote: remote, Tasks: []string{string(id)}, Locks: true, Fetch: true})
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

// pushLock gives a remote the lock of a task as it is here, if the remote still
// has what it had when it was last asked. Moved: the remote has something else by
// now, which is not fetched yet; UpToDate: it has that very lock, or there is
// nothing to give. A *refsync.RemoteError: the remote could not be asked, or takes
// no lock.
func (s *Service) pushLock(ctx context.Context, remote refsync.Remote, id task.ID) (refsync.Answer, error) {
	ref := ledger.LockRef(string(id))
	tip, err := s.ledger.Tip(ctx, ref)
	if err != nil {
		return "", err
	}
	seen, err := s.ledger.Tip(ctx, remote.Seen(ref))
	if err != nil {
		return "", err
	}
	if tip.IsZero() || tip == seen {
		return refsync.UpToDate, nil
	}
	return refsync.PushOne(ctx, s.repo, remote, ref, seen, tip)
}
