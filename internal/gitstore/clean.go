package gitstore

import (
	"bytes"
	"context"
	"errors"
	"slices"
)

// Clean reports whether a work tree has what its HEAD has, and nothing beside it
// but what git is told to ignore: nothing changed, staged, unmerged or unknown to
// git, in submodules neither, whatever the user's settings hide of that. What the
// index says not to look at (git update-index --assume-unchanged) is not known to
// be clean, but for what a sparse checkout leaves out. It is
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
	out, err := r.Git(ctx, "-C", r.workTree, "-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=none", "--no-renames")
	if err != nil {
		return false, err
	}
	const codes = 3 // two letters and a blank, before the path
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if len(entry) > codes && !slices.Contains(apart, string(entry[codes:])) {
			return false, nil
		}
	}
	unseen, err := r.unseenInIndex(ctx, apart)
	return err == nil && !unseen, err
}

// unseenInIndex reports whether the index tells git not to look at some file.
func (r *Repo) unseenInIndex(ctx context.Context, apart []string) (bool, error) {
	out, err := r.Git(ctx, "-C", r.workTree, "ls-files", "-v", "-z", "--full-name")
	if err != nil {
		return false, err
	}
	const tag = 2 // a letter and a blank, before the path
	sparse := bytes.HasPrefix(out, []byte("S ")) || bytes.Contains(out, []byte("\x00S "))
	if sparse {
		config, err := r.Config(ctx)
		if err != nil {
			return false, err
		}
		sparse = config.Bool("core.sparsecheckout", false)
	}
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		hidden := len(entry) > tag && (entry[0] >= 'a' && entry[0] <= 'z' || entry[0] == 'S' && !sparse)
		if hidden && !slices.Contains(apart, string(entry[tag:])) {
			return true, nil
		}
	}
	return false, nil
}
