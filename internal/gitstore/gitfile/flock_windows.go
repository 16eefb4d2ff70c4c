package gitfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Flock takes the exclusive lock of an open file, or gives ErrWouldBlock.
// Closing the file releases it.
func Flock(file *os.File) error {
	err := flockHow(file, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrWouldBlock
	}
	return err
}

// FlockWait is Flock, and waits for its turn.
func FlockWait(file *os.File) error { return flockHow(file, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func flockHow(file *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
}
