package gitfile

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// Flock takes the exclusive lock of an open file, or gives ErrWouldBlock.
// Closing the file releases it.
func Flock(file *os.File) error {
	const now = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), now, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrWouldBlock
	}
	return err
}

// IsNotDir tells whether a path led through something that is no directory,
// which git takes for "does not exist".
func IsNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, windows.ERROR_DIRECTORY)
}

// IsDirError tells whether a directory was found where a file was asked for.
func IsDirError(err error) bool {
	return errors.Is(err, syscall.EISDIR) || errors.Is(err, windows.ERROR_INVALID_FUNCTION)
}

// SyncDir does nothing: Windows offers no way to sync a directory, and NTFS
// journals its entries.
func SyncDir(string) error { return nil }
