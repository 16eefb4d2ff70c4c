//go:build !linux && !darwin

package refs

import (
	"os"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// looker looks at the files of refs, without reading them. Where the system keeps
// no ctime, the time and the size of the content have to do.
type looker struct{}

func (looker) at(r *Store, ref plumbing.RefName) gitfile.FileSeen {
	info, err := os.Lstat(r.refPath(ref))
	if err != nil || !info.Mode().IsRegular() {
		return gitfile.FileSeen{}
	}
	return gitfile.FileSeen{Changed: info.ModTime().UnixNano(), Inode: uint64(info.Size())}
}

func (looker) close() {}
