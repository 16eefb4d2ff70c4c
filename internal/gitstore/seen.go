package gitstore

import (
	"slices"

	"github.com/git-brew/git-brew/internal/safego"
)

// SeenRef is a ref, and what its own file looked like before it was read.
type SeenRef struct {
	Ref
	Seen FileSeen
}

// FileSeen tells a file from what it is after any change. The zero value stands
// for what no file tells: a packed ref, a symbolic one, or any where the system
// keeps no such data.
type FileSeen struct {
	Changed int64  // its ctime, in ns since 1970
	Inode   uint64 // of a file that took its place meanwhile, another one
}

// settled is f where any change after the instant at, by the file system's clock
// in ns since 1970, must show, the zero value otherwise.
func (f FileSeen) settled(at int64) FileSeen {
	if (Stamp{Ctime: f.Changed, Inode: f.Inode}).Settled(at) {
		return f
	}
	return FileSeen{}
}

// AsSeen looks at the files of refs, sorted by name, and reads none. It does so on
// a goroutine of its own: what it returns waits, and reports whether all of them are
// still what they were.
func (r *Repo) AsSeen(refs []SeenRef) func() bool {
	var looking safego.Group
	looking.Go(func() error {
		var look looker
		defer look.close()
		if slices.ContainsFunc(refs, func(ref SeenRef) bool { return look.at(r, ref.Name) != ref.Seen }) {
			return ErrRefMoved
		}
		return nil
	})
	return func() bool { return looking.Wait() == nil }
}
