package refs

import (
	"os"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/safego"
)

// SeenRef is a ref, and what its own file looked like before it was read.
type SeenRef struct {
	Ref
	Seen gitfile.FileSeen
}

// Unchanged looks at the files of refs, sorted by name, and reads none. It does so on
// a goroutine of its own: what it returns waits, and reports whether all of them are
// still what they were.
func (r *Store) Unchanged(refs []SeenRef) func() bool {
	var looking safego.Group
	looking.Go(func() error {
		if slices.ContainsFunc(refs, func(ref SeenRef) bool { return r.seen(ref.Name) != ref.Seen }) {
			return plumbing.ErrRefMoved
		}
		return nil
	})
	return func() bool { return looking.Wait() == nil }
}

// seen looks at a ref's file, without reading it. Where the system keeps no ctime, the
// time and the size of the content have to do.
func (r *Store) seen(ref plumbing.RefName) gitfile.FileSeen {
	info, err := os.Lstat(r.refPath(ref))
	if err != nil || !info.Mode().IsRegular() {
		return gitfile.FileSeen{}
	}
	s := gitfile.StampOf(info)
	if s.Ctime == 0 {
		return gitfile.FileSeen{Changed: s.Mtime, Inode: uint64(s.Size)}
	}
	return gitfile.FileSeen{Changed: s.Ctime, Inode: s.Inode}
}
