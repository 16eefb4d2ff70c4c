package gitstore

import (
	"bytes"
	"context"
	"errors"
	"slices"
)

// Clean reports whether a work tree has what its HEAD has, and nothing beside it
// but what git is told to ignore: nothing changed, staged, unmerged or unknown to
// git, in submodules neither, whatever the user's settings hide of that. It is
// git's own answer, however long that takes; see Changes for an estimate. What
// stands at the paths in apart, with slashes from the top, is left out. A
// repository without commits, or without a work tree, is not clean.
func (r *Repo) Clean(ctx context.Context, apart ...string) (bool, error) {
	if r.workTree == "" {
		return false, nil
	}
	head, err := r.Head(ctx)
	if errors.Is(err, ErrNotExist) || err == nil && head.OID.IsZero() {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	out, err := r.Git(ctx, "-C", r.workTree, "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=none", "--no-renames")
	if err != nil {
		return false, err
	}
	const codes = 3 // two letters and a blank, before the path
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if len(entry) > codes && !slices.Contains(apart, string(entry[codes:])) {
			return false, nil
		}
	}
	return true, nil
}
