//go:build !linux && !darwin

package gitfile

import "io/fs"

// StampOf is the stamp of a file that was looked at.
func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Mtime: info.ModTime().UnixNano(), Size: info.Size()}
}
