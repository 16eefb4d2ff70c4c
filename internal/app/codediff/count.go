package codediff

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// counts, in the cache directory, has what was counted, a line each; maxCounts is
// how many are kept: some for every task that is looked at.
const (
	counts    = "counts"
	maxCounts = 200
)

// Count counts the commits in a range of commits named by their ids. The answer
// can't change, so it is kept: git takes as long for it as a whole command of
// ours.
func (s *Code) Count(ctx context.Context, revs ...string) (int, error) {
	if len(revs) == 2 && revs[1] == "^"+revs[0] {
		return 0, nil
	}
	line := strings.Join(revs, " ") + " "
	kept, err := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), counts))
	if err != nil {
		kept = nil // it is only a cache
	}
	if _, rest, found := bytes.Cut(kept, []byte("\n"+line)); found && !s.Clone.Repo.Shallow() {
		text, _, whole := bytes.Cut(rest, []byte("\n"))
		if n, err := strconv.Atoi(string(text)); err == nil && whole {
			return n, nil
		}
	}
	n, err := clone.CountIn(ctx, s.Clone.Repo, revs...)
	if err != nil {
		return 0, err
	}
	if !s.Clone.Repo.Shallow() {
		s.keepCount(kept, line+strconv.Itoa(n))
	}
	return n, nil
}

// keepCount adds a line to the counts, of which the latest are kept. Who comes
// last wins; what the other had found is found again.
func (s *Code) keepCount(kept []byte, line string) {
	lines := slices.DeleteFunc(strings.Split(string(kept), "\n"), func(l string) bool { return l == "" })
	lines = append(lines[max(0, len(lines)+1-maxCounts):], line)
	_ = s.Clone.Repo.WriteCache(counts, []byte("\n"+strings.Join(lines, "\n")+"\n")) // else it is counted again
}
