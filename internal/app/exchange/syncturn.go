package exchange

import (
	"context"
	"errors"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// SyncBusyError says that another sync of this clone was still under way when this
// one had waited for as long as a remote may be silent.
type SyncBusyError struct{ Remote string }

func (e *SyncBusyError) Error() string {
	return e.Remote + " was not asked: another sync of this clone is still under way"
}

const (
	// syncPatience is how long a person waits for a sync whose remote may be silent
	// for ever.
	syncPatience = time.Minute
	// syncGrace is how much longer they wait: a sync that gives up has to end.
	syncGrace = 3 * time.Second
)

// inTurn runs f while no other sync of this clone does. It waits as long as another
// one can go on without a word from its remote, and a little longer: a *SyncBusyError.
func (s *Exchange) inTurn(ctx context.Context, remote string, silence time.Duration, f func() error) error {
	began := false
	once := func() error {
		began = true
		return f()
	}
	err := s.Clone.Repo.Exclusive(ctx, clone.SyncLock, 0, once)
	if began || !errors.Is(err, gitstore.ErrLocked) {
		return err
	}
	done := s.Clone.Waits("waiting for another sync of this clone")
	if silence <= 0 {
		silence = syncPatience
	}
	err = s.Clone.Repo.Exclusive(ctx, clone.SyncLock, silence+syncGrace, once)
	done()
	if began || !errors.Is(err, gitstore.ErrLocked) {
		return err
	}
	return &SyncBusyError{Remote: remote}
}
