package cache

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// namesFile holds the slugs that several tasks share, after namesHeader one a line. They
// are for what is shown to people, and not worth a look at every ref: the list holds
// until a change of git brew makes or removes a task, and where plain git did that, for
// namesHold at most.
const (
	namesFile   = "names"
	namesHeader = "names 1\n"
	namesHold   = time.Hour
)

// Names gives the list that was kept last; false where it does not hold any more.
func (c *Cache) Names(now time.Time) (names []string, ok bool) {
	path := filepath.Join(c.repo.CacheDir(), namesFile)
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	if age := now.Sub(info.ModTime()); age < -namesHold || age > namesHold {
		return nil, false
	}
	data, err := os.ReadFile(path)
	body, ours := strings.CutPrefix(string(data), namesHeader)
	if err != nil || !ours {
		return nil, false
	}
	return strings.Fields(body), true
}

// PutNames keeps a list of names, which have no space in them.
func (c *Cache) PutNames(names []string) {
	_ = c.repo.WriteCache(namesFile, []byte(namesHeader+strings.Join(names, "\n"))) // else it is made again
}

// ForgetNames removes the list: a task was made or removed.
func (c *Cache) ForgetNames() {
	_ = os.Remove(filepath.Join(c.repo.CacheDir(), namesFile)) // else it holds for as long as it may
}
