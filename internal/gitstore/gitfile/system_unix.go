//go:build unix

package gitfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flock takes the exclusive lock of an open file, or gives ErrWouldBlock.
// Closing the file releases it.
func Flock(file *os.File) error {
	for {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrWouldBlock
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

// IsNotDir tells whether a path led through something that is no directory,
// which git takes for "does not exist".
func IsNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// IsDirError tells whether a directory was found where a file was asked for.
func IsDirError(err error) bool { return errors.Is(err, syscall.EISDIR) }

// SyncDir brings a directory's entries to the disk. One that vanished had
// nothing in it; some file systems can't, and then need not.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
