//go:build unix

package gitstore

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// syncDir brings a directory's entries to the disk. One that vanished had
// nothing in it; some file systems can't, and then need not.
func syncDir(path string) error {
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
