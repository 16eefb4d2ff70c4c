//go:build unix

package gitstore

import (
	"errors"
	"syscall"
)

// isNotDir tells whether a path led through something that is no directory,
// which git takes for "does not exist".
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// isDirError tells whether a directory was found where a file was asked for.
func isDirError(err error) bool { return errors.Is(err, syscall.EISDIR) }

// processLives tells whether a process of this machine runs; one of somebody
// else's that may not be asked does.
func processLives(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
