package worktree

import (
	"bytes"
	"context"
	"path/filepath"
	"strconv"
	"strings"
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
	index, err := gitfile.ReadStamp(filepath.Join(r.at.GitDir(), "index"))
	if r.at.WorkTree() == "" || err != nil {
		return 0, false
	}
	name := "changes-main"
	if id := r.at.WorktreeID(); id != "" {
		name = "changes-linked-" + id
	}
	// The cache is the time of the count, the count (-1: it took too long), and what
	// it was made of.
	of := head.String() + " " + strconv.FormatInt(index.Mtime, 16) + "." + strconv.FormatInt(index.Size, 16)
	data, _ := gitfile.ReadFile(filepath.Join(r.at.CacheDir(), name))
	if f := strings.SplitN(string(data), " ", 3); len(f) == 3 {
		at, err1 := strconv.ParseInt(f[0], 10, 64)
		count, err2 := strconv.Atoi(f[1])
		age := r.at.Now().Sub(time.Unix(0, at))
		switch {
		case err1 != nil || err2 != nil || age < 0:
		case count < 0 && age < changesTrouble:
			return 0, false
		case count >= 0 && age < changesAge && f[2] == of:
			return count, true
		}
	}
	now := r.at.Now()
	if count, err = r.countChanges(ctx); err != nil {
		if ctx.Err() != nil {
			return 0, false
		}
		count = -1
	}
	// Where it can't be kept, it is counted again.
	_ = r.at.WriteCache(name, []byte(strconv.FormatInt(now.UnixNano(), 10)+" "+strconv.Itoa(count)+" "+of))
	return max(count, 0), count >= 0
}

func (r *Tree) countChanges(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, changesPatience)
	defer cancel()
	out, err := r.at.Git.Run(ctx, "-C", r.at.WorkTree(), "-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z",
		"--untracked-files=no", "--ignore-submodules=dirty", "--no-renames")
	return bytes.Count(out, []byte{0}), err
}
