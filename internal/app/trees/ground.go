package trees

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Ground is what decides how git reads, checks out and merges, and lies in no commit: what each
// of the repository's files was when the run began, by its path from the common directory.
type Ground map[string]string

// maxGround is how much of a file is looked at.
const maxGround = 4 << 20

// ReadGround reads what the ground is now. Settings of git brew's own, and those of branches
// and notes, change while workers are at work, and decide nothing of that.
func ReadGround(common string) Ground {
	names := []string{
		"config", "config.worktree", "info/attributes", "info/exclude", "info/sparse-checkout", "info/grafts",
		"objects/info/alternates",
	}
	hooks, _ := os.ReadDir(filepath.Join(common, "hooks")) // none where there is no such directory
	for _, hook := range hooks {
		names = append(names, "hooks/"+hook.Name())
	}
	all := Ground{}
	for _, name := range names {
		all[name] = printOf(filepath.Join(common, filepath.FromSlash(name)), name == "config")
	}
	return all
}

// printOf is a file's size and hash; of what is none, what it is.
func printOf(path string, settings bool) string {
	at, err := os.Stat(path) // a hook may be a link
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return "unreadable"
	case !at.Mode().IsRegular():
		return at.Mode().Type().String()
	}
	file, err := os.Open(path)
	if err != nil {
		return "unreadable"
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxGround))
	if err != nil {
		return "unreadable"
	}
	if settings {
		data = withoutOwn(data)
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return fmt.Sprintf("%d %x", at.Size(), sha256.Sum256(data))
}

// withoutOwn is a file of git's settings without the sections brew, branch and notes. A section whose
// first line has anything more than its name stays.
func withoutOwn(data []byte) []byte {
	own := regexp.MustCompile(`^(?i)\[(brew|branch|notes)([ \t]+"[^"\]\\]*")?\]$`)
	var rest strings.Builder
	left := false
	for line := range strings.Lines(string(data)) {
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "[") {
			left = own.MatchString(bare)
		}
		if !left {
			rest.WriteString(line)
		}
	}
	return []byte(rest.String())
}

// ChangedSince names a file that is not as it was, "" for none.
func (g Ground) ChangedSince(was Ground) string {
	all := maps.Clone(was)
	maps.Copy(all, g)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if was[name] != g[name] {
			return name
		}
	}
	return ""
}
