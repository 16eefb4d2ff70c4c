package gitfile

import (
	"io/fs"
	"syscall"
)

// StampOf is the stamp of a file that was looked at.
func StampOf(info fs.FileInfo) Stamp {
	s := Stamp{Mtime: info.ModTime().UnixNano(), Size: info.Size()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Ctime = sys.Ctim.Nano()
		s.Inode, s.Dev = sys.Ino, sys.Dev
	}
	return s
}
