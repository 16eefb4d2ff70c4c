package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// A list of names is what somebody made of the ids of all tasks. It is for what
// is shown to people, and not worth a look at every ref: it holds until a change
// of git brew makes or removes a task, and where plain git did that, for namesHold
// at most.

// namesFile is its file in the cache directory, after namesHeader a name a line.
const (
	namesFile   = "names"
	namesHeader = "names 1\n"
	namesHold   = time.Hour
)

// Names gives the list that was remembered last; false where it does not
// hold any more.
func (l *Ledger) Names() (names []string, ok bool) {
	path := filepath.Join(l.repo.CacheDir(), namesFile)
	stamp, err := gitfile.ReadStamp(path)
	if err != nil {
		return nil, false
	}
	if age := l.now().Sub(time.Unix(0, stamp.Mtime)); age < -namesHold || age > namesHold {
		return nil, false
	}
	data, err := gitfile.ReadFile(path)
	body, ours := strings.CutPrefix(string(data), namesHeader)
	if err != nil || !ours {
		return nil, false
	}
	return strings.Fields(body), true
}

// PutNames keeps a list of names, which have no space in them.
func (l *Ledger) PutNames(names []string) {
	_ = l.repo.WriteCache(namesFile, []byte(namesHeader+strings.Join(names, "\n"))) // else it is made again
}

// forgetNames removes the list where a change made or removed a task.
func (l *Ledger) forgetNames(updates []gitstore.Update) {
	for _, u := range updates {
		if kind, _, _ := KindOf(u.Ref); kind == KindTask && u.Old.IsZero() != u.New.IsZero() {
			_ = os.Remove(filepath.Join(l.repo.CacheDir(), namesFile)) // else it holds for as long as it may
			return
		}
	}
}
