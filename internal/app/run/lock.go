package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// patience is how long a run waits for one that was ended just now, and its workers.
const patience = 5 * time.Second

// leftBehind is how long the lock of a record has to stay as it is to be of a git that was killed.
const leftBehind = 2 * time.Second

// runLock keeps other runs of a task from beginning: one file is held by the run alone, the other
// one by what keeps its workers, too. ended: a worker was left that nobody kept any more.
type runLock struct {
	run, workers *os.File
	ended        bool
}

func (l runLock) close() {
	_ = l.workers.Close()
	_ = l.run.Close()
}

// lockRun takes the lock of a task's run, and ends what is left of one that is gone.
func (s *Runs) lockRun(ctx context.Context, id task.ID, patience time.Duration) (l runLock, err error) {
	name := s.Clone.RunFile(id)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return l, err
	}
	if l.run, err = s.Clone.Repo.Lock(ctx, name, patience); errors.Is(err, gitstore.ErrLocked) {
		return l, clone.Refuse("wait for it; 'git brew status --watch' shows how it stands",
			"the task is being run here already (%s is held)", filepath.Base(name))
	}
	if err != nil {
		return l, err
	}
	kept := strings.TrimSuffix(name, ".lock") + ".workers.lock"
	if l.workers, err = s.Clone.Repo.Lock(ctx, kept, patience); errors.Is(err, gitstore.ErrLocked) {
		l.ended = true
		runner.EndHolders(kept)
		l.workers, err = s.Clone.Repo.Lock(ctx, kept, 0)
	}
	if err == nil {
		if err = s.clearLocks(ctx); err != nil {
			l.close()
		}
		return l, err
	}
	_ = l.run.Close() // the first error tells more
	if errors.Is(err, gitstore.ErrLocked) {
		err = clone.Refuse("'lsof "+kept+"' names it: end it",
			"a worker is left of a run that was killed with what kept it")
	}
	return l, err
}

// clearLocks takes away locks of records that a git left which was killed with a run. Nobody writes
// records meanwhile.
func (s *Runs) clearLocks(ctx context.Context) error {
	return patiently(ctx, func() error {
		return s.Clone.Repo.Locked(ctx, func() error {
			_, err := s.Clone.Repo.Refs.ClearLocks(ctx, ledger.Prefix, leftBehind)
			return err
		})
	})
}

// isThere reports whether an open file is yet the one that has its name.
func isThere(file *os.File) bool {
	mine, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(file.Name())
	return err == nil && os.SameFile(mine, there)
}
