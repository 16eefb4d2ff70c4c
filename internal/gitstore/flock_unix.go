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
	err := flockHow(file, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errWouldBlock
	}
	return err
}

// flockWait is flock, and waits for its turn.
func flockWait(file *os.File) error { return flockHow(file, unix.LOCK_EX) }

func flockHow(file *os.File, how int) error {
	for {
		if err := unix.Flock(int(file.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
