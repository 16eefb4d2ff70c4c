package gitfile

import (
	"io/fs"
	"os"
	"syscall"
)

func StampOf(info fs.FileInfo) Stamp {
	s := Stamp{Mtime: info.ModTime().UnixNano(), Size: info.Size()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Ctime = sys.Ctimespec.Nano()
		s.Inode, s.Dev = sys.Ino, uint64(sys.Dev)
	}
	return s
}

func DeviceOf(path string) (uint64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return StampOf(info).Dev, nil
}
