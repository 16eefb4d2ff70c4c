//go:build unix

package gitfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

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
