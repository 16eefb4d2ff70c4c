//go:build unix

package event

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const noFollow = unix.O_NOFOLLOW

// openJournal is os.OpenFile, but never through a symbolic link.
func openJournal(path string, flags int) (*os.File, error) {
	return os.OpenFile(path, flags|noFollow, 0o666)
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
