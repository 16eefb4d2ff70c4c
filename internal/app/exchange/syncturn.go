package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// SyncNow is the file, beside syncLock, that says who holds it. It counts while the
// lock is held and its process lives.
const SyncNow = "sync-now.json"

// syncHolder is the sync that is under way.
type syncHolder struct {
	PID    int    `json:"pid"`
	Host   string `json:"host"`
	Remote string `json:"remote"`
	Since  string `json:"since"` // RFC 3339, UTC
}

// SyncBusyError says that another sync of this clone was still under way when this
// one had waited for as long as a remote may be silent.
type SyncBusyError struct {
	Remote string
	// By says who is at it, as far as that is known.
	By string
}

func (e *SyncBusyError) Error() string {
	return fmt.Sprintf("%s was not asked: %s is still under way", e.Remote, e.By)
}

// inTurn runs f while no other sync of this clone does. It waits as long as another
// one can go on without a word from its remote, and a little longer: a *SyncBusyError.
// Who waits is told for whom.
func (s *Exchange) inTurn(ctx context.Context, remote string, silence time.Duration, f func() error) error {
	began := false
	held := func() error {
		began = true
		defer s.HoldSync(remote)()
		return f()
	}
	err := s.Clone.Repo.Exclusive(ctx, clone.SyncLock, 0, held)
	if began || !errors.Is(err, gitstore.ErrLocked) {
		return err
	}
	done := s.Clone.Waits("waiting for " + s.syncsNow())
	if silence <= 0 {
		silence = syncPatience
	}
	err = s.Clone.Repo.Exclusive(ctx, clone.SyncLock, silence+syncGrace, held)
	done()
	if began || !errors.Is(err, gitstore.ErrLocked) {
		return err
	}
	return &SyncBusyError{Remote: remote, By: s.syncsNow()}
}

const (
	// syncPatience is how long a person waits for a sync whose remote may be silent
	// for ever.
	syncPatience = time.Minute
	// syncGrace is how much longer they wait: a sync that gives up has to end.
	syncGrace = 3 * time.Second
)

// HoldSync says, until done, that this process syncs. Where that can't be written,
// others are told less.
func (s *Exchange) HoldSync(remote string) (done func()) {
	data, err := json.Marshal(syncHolder{
		PID: s.Clone.Caller.PID, Host: s.Clone.Caller.Host, Remote: remote,
		Since: s.Clone.Timestamp(),
	})
	if err == nil {
		_ = s.Clone.Repo.WriteCache(SyncNow, append(data, '\n'))
	}
	return func() { _ = os.Remove(s.Clone.SyncFile(SyncNow)) }
}

// syncsNow names the sync that holds the lock: one whose process is gone, or is on
// another machine, is not named.
func (s *Exchange) syncsNow() string {
	const unnamed = "another sync"
	var by syncHolder
	data, err := gitfile.ReadFile(s.Clone.SyncFile(SyncNow))
	if err != nil || json.Unmarshal(data, &by) != nil || by.Host != s.Clone.Caller.Host || !lives(by.PID) {
		return unnamed
	}
	since, ok := clone.ParseTime(by.Since)
	if !ok {
		return unnamed
	}
	return fmt.Sprintf("%s with %.100q (process %d, since %s)", unnamed, by.Remote, by.PID,
		since.Local().Format(time.TimeOnly))
}

// lives reports whether there is a process of that number.
func lives(pid int) bool {
	if pid <= 0 {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil || runtime.GOOS == "windows" {
		return err == nil
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
