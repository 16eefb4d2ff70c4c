package gitstoretest

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	memoryDir  = "/dev/shm"
	memoryRoom = 2 << 30 // bytes
)

// InMemory lets a package's tests make their directories in memory, where the
// system offers that, there is room, and nobody chose another place (TMPDIR): it
// is for TestMain. Tests of thousands of small files spend a third of their time
// in a disk's file system; those about such a system itself stay on it.
func InMemory() {
	var fs unix.Statfs_t
	if os.Getenv("TMPDIR") != "" || unix.Statfs(memoryDir, &fs) != nil {
		return
	}
	if fs.Flags&unix.ST_NOEXEC == 0 && fs.Bavail*uint64(fs.Bsize) >= memoryRoom &&
		unix.Access(memoryDir, unix.W_OK) == nil {
		_ = os.Setenv("TMPDIR", memoryDir) // else they are made where they always are
	}
}
