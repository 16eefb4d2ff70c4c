package gitstore

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock takes the exclusive lock of an open file, or gives errWouldBlock.
// Closing the file releases it.
func flock(file *os.File) error {
	err := flockHow(file, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errWouldBlock
	}
	return err
}

// flockWait is flock, and waits for its turn.
func flockWait(file *os.File) error { return flockHow(file, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func flockHow(file *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
}
