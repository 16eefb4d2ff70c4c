package clone

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// told is the file of what FoldIn left alone and people were told of, a hash a
// line. Losing it only means that it is told once more.
const told = "told-aside"

// LeftAlone is in each line of FoldIn's about a ref that stays as it is, for as
// long as nobody mends it at the remote.
const LeftAlone = " is left alone: "

// Untold gives those of FoldIn's lines that are to be told: what is left alone is
// told once, until it changes, or was gone in between. It is for whoever prints
// them.
func (s *Clone) Untold(lines []string) []string {
	before := s.readTold()
	known := make(map[string]bool, len(before))
	for _, mark := range before {
		known[mark] = true
	}
	var now, fresh []string
	for _, line := range lines {
		if !strings.Contains(line, LeftAlone) {
			fresh = append(fresh, line)
			continue
		}
		sum := sha256.Sum256([]byte(line))
		mark := hex.EncodeToString(sum[:8])
		now = append(now, mark)
		if !known[mark] {
			fresh = append(fresh, line)
		}
	}
	if !slices.Equal(before, now) {
		_ = s.Repo.WriteCache(told, []byte(strings.Join(now, "\n"))) // else it is told again
	}
	return fresh
}

func (s *Clone) readTold() []string {
	data, err := gitfile.ReadFile(filepath.Join(s.Repo.CacheDir(), told))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}
