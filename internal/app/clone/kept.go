package clone

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/refsync"
)

// keptFile is the file in the cache directory of the refs that remotes were asked to
// delete and did not, a line each: remote, ref, tip. Some servers delete nothing. The
// archive counts without that, so they are asked once for each.
const keptFile = "kept"

func keptLine(remote refsync.Remote, ref gitstore.RefName, tip gitstore.OID) string {
	return remote.Name + "\t" + string(remote.There(ref)) + "\t" + tip.String()
}

// Kept gives what is known of refs that a remote did not delete.
func (s *Clone) Kept(remote refsync.Remote) func(ref gitstore.RefName, tip gitstore.OID) bool {
	known := map[string]bool{}
	for _, line := range s.readKept() {
		known[line] = true
	}
	return func(ref gitstore.RefName, tip gitstore.OID) bool { return known[keptLine(remote, ref, tip)] }
}

func (s *Clone) readKept() []string {
	piece, _ := s.Repo.Cache.GetPiece(keptFile, statcache.Watch{})
	return strings.Split(piece, "\n")
}

// Keep remembers the refs that a remote did not delete, and tells of them once, where
// somebody reads it.
func (s *Clone) Keep(remote refsync.Remote, refs []gitstore.Ref, read bool) (notes []string) {
	lines := s.readKept()
	before := len(lines)
	for _, r := range refs {
		lines = append(lines, keptLine(remote, r.Name, r.OID))
	}
	told := remote.Name + "\ttold"
	untold := slices.ContainsFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, remote.Name+"\t")
	}) && !slices.Contains(lines, told)
	if read && untold {
		lines = append(lines, told)
		notes = []string{remote.Name + " deletes no refs: those of archived tasks stay there, and are in nobody's way"}
	}
	if len(lines) > before {
		s.Repo.Cache.PutPiece(keptFile, statcache.Watch{}, []byte(strings.Join(lines, "\n")))
	}
	return notes
}
