package clone

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/refsync"
)

// The files of syncs, in the cache directory, beside syncNow: the lock of the one
// that is under way, the note that somebody else wanted one meanwhile, and how the last one
// ended.
const (
	SyncLock  = "sync.lock"
	syncAgain = "sync-again"
	syncLast  = "sync-last.json"
	SyncApart = "sync-apart" // the remote that has two namespaces in use
)

// LastSync is how the last sync ended, whoever started it.
type LastSync struct {
	At     string `json:"at"` // RFC 3339, UTC
	Remote string `json:"remote"`
	OK     bool   `json:"ok"`
	// Said is what went wrong, one line; "" where nothing did.
	Said string `json:"said,omitempty"`
}

// LastSync tells how the last sync ended; false where there was none.
func (s *Clone) LastSync() (LastSync, bool) {
	var last LastSync
	data, err := gitfile.ReadFile(s.SyncFile(syncLast))
	if err != nil || json.Unmarshal(data, &last) != nil {
		return LastSync{}, false
	}
	return last, true
}

func (s *Clone) SyncFile(name string) string { return filepath.Join(s.Repo.CacheDir(), name) }

// NoteSync records how a sync ended. It is told, not decided on: where it can't
// be written, nobody is told.
func (s *Clone) NoteSync(remote string, err error) {
	last := LastSync{At: s.Timestamp(), Remote: remote, OK: err == nil}
	if err != nil {
		last.Said = err.Error()
	}
	data, err := json.Marshal(last)
	if err != nil {
		return
	}
	_ = s.Repo.WriteCache(syncLast, append(data, '\n'))
}

// WantAgain asks whoever syncs now to do it once more.
func (s *Clone) WantAgain() {
	if s.Repo.MakeDir(s.Repo.CacheDir()) != nil {
		return // nor is anything else written there
	}
	if file, err := gitfile.OpenToAppend(s.SyncFile(syncAgain)); err == nil {
		_ = s.Repo.Share(file)
		_ = file.Close()
	}
}

// WantedAgain reports whether somebody asked for one more sync, and takes the
// note away.
func (s *Clone) WantedAgain() bool { return os.Remove(s.SyncFile(syncAgain)) == nil }

// Waiting reports whether there is such a note.
func (s *Clone) Waiting() bool {
	_, err := os.Lstat(s.SyncFile(syncAgain))
	return err == nil
}

// keptFile is the file in the cache directory of the refs that remotes were asked to
// delete and did not, a line each: remote, ref, tip. Some servers delete nothing. The
// archive counts without that, so they are asked once for each.
const keptFile = "kept"

func keptLine(remote refsync.Remote, ref gitstore.RefName, tip gitstore.OID) string {
	return remote.Name + "\t" + string(remote.There(ref)) + "\t" + tip.String()
}

// Kept gives what is known of refs that a remote did not delete.
func (s *Clone) Kept(remote refsync.Remote) func(ref gitstore.RefName, tip gitstore.OID) bool {
	piece, _ := s.Repo.Cache.GetPiece(keptFile, statcache.Watch{})
	known := strings.Split(piece, "\n")
	return func(ref gitstore.RefName, tip gitstore.OID) bool {
		return slices.Contains(known, keptLine(remote, ref, tip))
	}
}

// Keep remembers the refs that a remote did not delete, which are new, and tells of them.
func (s *Clone) Keep(remote refsync.Remote, refs []gitstore.Ref) (notes []string) {
	if len(refs) == 0 {
		return nil
	}
	piece, _ := s.Repo.Cache.GetPiece(keptFile, statcache.Watch{})
	for _, r := range refs {
		piece += keptLine(remote, r.Name, r.OID) + "\n"
	}
	s.Repo.Cache.PutPiece(keptFile, statcache.Watch{}, []byte(piece))
	return []string{remote.Name + " deletes no refs: those of archived tasks stay there, and are in nobody's way"}
}
