//go:build unix

package gitstore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flock takes the exclusive lock of an open file, or gives errWouldBlock.
// Closing the file releases it.
func flock(file *os.File) error {
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return errWouldBlock
		default:
			return err
		}
	}
}
