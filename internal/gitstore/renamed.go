package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// RenamedFrom gives the names that a branch had before, latest first, as far as
// its reflog tells: git moves it along with the branch.
func (r *Repo) RenamedFrom(_ context.Context, branch string) ([]string, error) {
	ref, err := BranchRef(branch)
	if err != nil {
		return nil, err
	}
	log, err := ReadFile(filepath.Join(r.commonDir, "logs", filepath.FromSlash(string(ref))))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) || isDirError(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for branch %q: %w", branch, err)
	}
	before := map[RefName]RefName{}
	for old, now := range renamesIn(log) {
		before[now] = old
	}
	var names []string
	seen := map[RefName]bool{ref: true}
	for at := before[ref]; at != "" && !seen[at]; at = before[at] {
		seen[at] = true
		names = append(names, at.Branch())
	}
	return names, nil
}
