package gitstore

import (
	"context"
	"errors"
	"fmt"
)

// RenamedFrom gives the names that a branch had before, latest first, as far as
// the reflogs of the branches tell.
func (r *Repo) RenamedFrom(_ context.Context, branch string) ([]string, error) {
	ref, err := BranchRef(branch)
	if err != nil {
		return nil, err
	}
	renames, err := r.renames()
	if errors.Is(err, ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for branch %q: %w", branch, err)
	}
	before := make(map[RefName]RefName, len(renames))
	for old, now := range renames {
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
