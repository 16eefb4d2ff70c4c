package place

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Lock waits in the kernel's own queue: one who only looked now and then could
// find the lock held every time.
func (r *Place) Lock(ctx context.Context, path string, patience time.Duration) (*os.File, error) {
	file, err := r.openLock(path, gitfile.Flock)
	if !errors.Is(err, gitfile.ErrWouldBlock) {
		return file, err
	}
	if patience <= 0 {
		return nil, &plumbing.LockedError{Path: path}
	}
	type outcome struct {
		file *os.File
		err  error
	}
	got := make(chan outcome)
	gone := make(chan struct{}) // nobody waits for the outcome any more
	defer close(gone)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				select {
				case got <- outcome{err: fmt.Errorf("internal error: %v", p)}: // a crash exits with 2
				case <-gone:
				}
			}
		}()
		file, err := r.openLock(path, gitfile.FlockWait)
		for errors.Is(err, gitfile.ErrWouldBlock) {
			file, err = r.openLock(path, gitfile.FlockWait)
		}
		select {
		case got <- outcome{file, err}:
		case <-gone:
			if file != nil {
				_ = file.Close() // gives the lock back
			}
		}
	}()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case o := <-got:
		return o.file, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-timeout.C:
		return nil, &plumbing.LockedError{Path: path}
	}
}

// openLock locks the file that path leads to now: one that was replaced while
// we waited would exclude nobody, and counts as held.
func (r *Place) openLock(path string, take func(*os.File) error) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	_ = r.Share(file) // somebody else's file has it already
	if err := take(file); err != nil {
		_ = file.Close() // the first error tells more
		return nil, err
	}
	mine, err := file.Stat()
	if err != nil {
		_ = file.Close() // as above
		return nil, err
	}
	there, err := os.Stat(path)
	if err == nil && os.SameFile(mine, there) {
		return file, nil
	}
	_ = file.Close() // it is not the lock
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, gitfile.ErrWouldBlock
}
