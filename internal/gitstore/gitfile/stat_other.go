//go:build !linux && !darwin

package gitfile

import (
	"io/fs"
	"os"
)

func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Mtime: info.ModTime().UnixNano(), Size: info.Size()}
}

// DeviceOf can't tell file systems apart here: all are taken for one.
func DeviceOf(path string) (uint64, error) {
	_, err := os.Stat(path)
	return 0, err
}
