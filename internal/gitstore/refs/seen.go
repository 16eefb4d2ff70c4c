package refs

import (
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
		var look looker
		defer look.close()
		if slices.ContainsFunc(refs, func(ref SeenRef) bool { return look.at(r, ref.Name) != ref.Seen }) {
			return plumbing.ErrRefMoved
		}
		return nil
	})
	return func() bool { return looking.Wait() == nil }
}
