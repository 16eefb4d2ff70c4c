package gitstore

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock takes the exclusive lock of an open file, or gives errWouldBlock.
// Closing the file releases it.
func flock(file *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errWouldBlock
	}
	return err
}
