//go:build unix

package gitfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Flock takes the exclusive lock of an open file, or gives ErrWouldBlock.
// Closing the file releases it.
func Flock(file *os.File) error {
	err := flockHow(file, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrWouldBlock
	}
	return err
}

// FlockWait is flock, and waits for its turn.
func FlockWait(file *os.File) error { return flockHow(file, unix.LOCK_EX) }

func flockHow(file *os.File, how int) error {
	for {
		if err := unix.Flock(int(file.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
