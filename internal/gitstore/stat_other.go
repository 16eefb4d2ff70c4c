//go:build !linux && !darwin

package gitstore

import (
	"io/fs"
	"os"
)

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{Mtime: info.ModTime().UnixNano(), Size: info.Size()}
}

// deviceOf can't tell file systems apart here: all are taken for one.
func deviceOf(path string) (uint64, error) {
	_, err := os.Stat(path)
	return 0, err
}
