//go:build linux || darwin

package refs

import (
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"golang.org/x/sys/unix"
)

// looker looks at the files of many refs in a few directories, without reading
// them.
type looker struct {
	dir    plumbing.RefName // with a slash at its end
	fd     int
	opened bool
}

func (l *looker) at(r *Store, ref plumbing.RefName) gitfile.FileSeen {
	cut := strings.LastIndexByte(string(ref), '/') + 1
	dir, name := ref[:cut], string(ref[cut:])
	if !l.opened || dir != l.dir {
		l.close()
		path := filepath.Dir(r.refPath(ref))
		fd, err := gitfile.Retry(func() (int, error) {
			return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		})
		if err != nil {
			return gitfile.FileSeen{}
		}
		l.dir, l.fd, l.opened = dir, fd, true
	}
	var stat unix.Stat_t
	_, err := gitfile.Retry(func() (int, error) { return 0, unix.Fstatat(l.fd, name, &stat, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return gitfile.FileSeen{}
	}
	return gitfile.FileSeen{Changed: stat.Ctim.Nano(), Inode: stat.Ino}
}

func (l *looker) close() {
	if l.opened {
		_ = unix.Close(l.fd) // only looked through
		l.opened = false
	}
}
