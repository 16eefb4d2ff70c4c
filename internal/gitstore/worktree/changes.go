package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

const (
	// changesAge is how long a count of changes is good for while neither HEAD nor the
	// index moves.
	changesAge = 5 * time.Second
	// changesPatience is how long git may take to count, and changesTrouble how long
	// it is not asked again after it took longer.
	changesPatience = 300 * time.Millisecond
	changesTrouble  = 10 * time.Minute
)

// Changes counts the tracked files of the work tree that are not as in HEAD, as git
// status does: changed in the index, in the work tree, or in both. The count may be
// changesAge old. False: git can't tell in the time there is.
func (r *Tree) Changes(ctx context.Context, head plumbing.OID) (count int, ok bool) {
	index, err := gitfile.ReadStamp(filepath.Join(r.at.GitDir, "index"))
	if r.at.WorkTree == "" || err != nil {
		return 0, false
	}
	name := "changes-main"
	if id := r.at.WorktreeID(); id != "" {
		name = "changes-linked-" + id
	}
	// The cache is the time of the count, the count (-1: it took too long), and what
	// it was made of.
	of := fmt.Sprintf("%s.%x.%x", head, index.Mtime, index.Size)
	data, _ := gitfile.ReadFile(filepath.Join(r.at.CacheDir(), name))
	now, at, made := r.at.Now(), int64(0), ""
	if n, _ := fmt.Sscanf(string(data), "%d %d %s", &at, &count, &made); n == 3 {
		switch age := now.Sub(time.Unix(0, at)); {
		case age < 0:
		case count < 0 && age < changesTrouble:
			return 0, false
		case count >= 0 && age < changesAge && made == of:
			return count, true
		}
	}
	if count, err = r.countChanges(ctx); err != nil {
		if ctx.Err() != nil {
			return 0, false
		}
		count = -1
	}
	// Where it can't be kept, it is counted again.
	_ = r.at.WriteCache(name, fmt.Appendf(nil, "%d %d %s", now.UnixNano(), count, of))
	return max(count, 0), count >= 0
}

func (r *Tree) countChanges(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, changesPatience)
	defer cancel()
	out, err := r.at.Git.Run(ctx, "-C", r.at.WorkTree, "-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z",
		"--untracked-files=no", "--ignore-submodules=dirty", "--no-renames")
	return bytes.Count(out, []byte{0}), err
}

// Unclean names, from the top, what a work tree has that its HEAD has not: changed,
// staged, unmerged, or unknown to git, and submodules of which the same is so. A
// directory of which git knows nothing is one name, which ends with a slash. It is
// one look at all files, however long that takes, and whatever the user's settings
// hide of it. What stands at the paths in apart is left out. A repository without
// commits, or without a work tree, has nothing beside them.
func (r *Tree) Unclean(ctx context.Context, apart ...string) ([]string, error) {
	if bare, err := r.hasNoHead(ctx); err != nil || bare {
		return nil, err
	}
	out, err := r.at.Git.Run(ctx, "-C", r.at.WorkTree, "-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z",
		"--untracked-files=normal", "--ignore-submodules=none", "--no-renames")
	if err != nil {
		return nil, err
	}
	const codes = 3 // two letters and a blank, before the path
	var names []string
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if len(entry) > codes && !slices.Contains(apart, string(entry[codes:])) {
			names = append(names, string(entry[codes:]))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// hasNoHead reports whether nothing can be beside HEAD: there are no commits, or no
// work tree.
func (r *Tree) hasNoHead(ctx context.Context) (bool, error) {
	if r.at.WorkTree == "" {
		return true, nil
	}
	head, err := r.refs.Head(ctx)
	if errors.Is(err, plumbing.ErrNotExist) || err == nil && head.OID.IsZero() {
		return true, nil
	}
	return false, err
}

// Clean reports whether a work tree has what its HEAD has, and nothing beside it
// but what git is told to ignore: nothing changed, staged, unmerged or unknown to
// git, in submodules neither, whatever the user's settings hide of that. What the
// index says not to look at (git update-index --assume-unchanged) is not known to
// be clean, but for what a sparse checkout leaves out. It is
// git's own answer, however long that takes; see Changes for an estimate. What
// stands at the paths in apart, with slashes from the top, is left out. A
// repository without commits, or without a work tree, is not clean.
func (r *Tree) Clean(ctx context.Context, apart ...string) (bool, error) {
	if bare, err := r.hasNoHead(ctx); err != nil || bare {
		return false, err
	}
	if beside, err := r.Unclean(ctx, apart...); err != nil || len(beside) > 0 {
		return false, err
	}
	unseen, err := r.unseenInIndex(ctx, apart)
	return err == nil && !unseen, err
}

// unseenInIndex reports whether the index tells git not to look at some file.
func (r *Tree) unseenInIndex(ctx context.Context, apart []string) (bool, error) {
	out, err := r.at.Git.Run(ctx, "-C", r.at.WorkTree, "ls-files", "-v", "-z", "--full-name")
	if err != nil {
		return false, err
	}
	const tag = 2 // a letter and a blank, before the path
	sparse := bytes.HasPrefix(out, []byte("S ")) || bytes.Contains(out, []byte("\x00S "))
	if sparse {
		config, err := r.config.Read(ctx)
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
