package clone

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
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

// keptFile, in the cache directory, holds the remote that was asked to delete refs and
// did not, and when. Some servers delete nothing, and the archive counts without that:
// they are asked again after keptAge.
const (
	keptFile = "kept"
	keptAge  = 24 * time.Hour
)

// Keeps reports whether a remote was lately seen to delete no refs.
func (s *Clone) Keeps(remote string) bool {
	data, _ := gitfile.ReadFile(s.SyncFile(keptFile))
	name, at, _ := strings.Cut(string(data), "\n")
	asked, ok := ParseTime(at)
	return ok && name == remote && s.Now().Sub(asked) < keptAge
}

// NoteKeeps records that a remote deletes no refs, and says so.
func (s *Clone) NoteKeeps(remote string) (note string) {
	_ = s.Repo.WriteCache(keptFile, []byte(remote+"\n"+s.Timestamp())) // else it is asked again
	return remote + " deletes no refs: those of archived tasks stay there, and are in nobody's way"
}
