package gitstore

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// isNotDir tells whether a path led through something that is no directory,
// which git takes for "does not exist".
func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, windows.ERROR_DIRECTORY)
}

// isDirError tells whether a directory was found where a file was asked for.
func isDirError(err error) bool {
	return errors.Is(err, syscall.EISDIR) || errors.Is(err, windows.ERROR_INVALID_FUNCTION)
}

// processLives tells whether a process of this machine runs. Where it can't be
// told cheaply, it does.
func processLives(int) bool { return true }
