//go:build unix

package gitfile

import (
	"errors"
	"syscall"
)

// IsNotDir tells whether a path led through something that is no directory,
// which git takes for "does not exist".
func IsNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// IsDirError tells whether a directory was found where a file was asked for.
func IsDirError(err error) bool { return errors.Is(err, syscall.EISDIR) }

// ProcessLives tells whether a process of this machine runs; one of somebody
// else's that may not be asked does.
func ProcessLives(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
