//go:build unix

package event

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow keeps from symbolic links, and from waiting for a pipe's other end.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

// openJournal is os.OpenFile, but never through a symbolic link, and for regular
// files alone: anything else could be read for good.
func openJournal(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|noFollow, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file; put it out of the way", path)
	}
	if err != nil {
		_ = f.Close() // nothing was read
		return nil, err
	}
	return f, nil
}

// tryLock takes f's lock or says errLocked. Closing f releases it, and so does
// the end of the process.
func tryLock(f *os.File, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		default:
			return err
		}
	}
}
