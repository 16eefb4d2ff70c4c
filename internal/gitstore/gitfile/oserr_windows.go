package gitfile

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// IsNotDir tells whether a path led through something that is no directory,
// which git takes for "does not exist".
func IsNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, windows.ERROR_DIRECTORY)
}

// IsDirError tells whether a directory was found where a file was asked for.
func IsDirError(err error) bool {
	return errors.Is(err, syscall.EISDIR) || errors.Is(err, windows.ERROR_INVALID_FUNCTION)
}

// ProcessLives tells whether a process of this machine runs. Where it can't be
// told cheaply, it does.
func ProcessLives(int) bool { return true }
