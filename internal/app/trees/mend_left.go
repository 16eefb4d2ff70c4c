package trees

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// change is a path that two commits don't have alike; an id of zeros stands for none.
type change struct {
	path                       string
	oldMode, newMode, was, now string
}

func (c change) added() bool { return strings.Trim(c.oldMode, "0") == "" }

func (c change) removed() bool { return strings.Trim(c.newMode, "0") == "" }

// changes are the paths that git names in its raw form.
func changes(raw []byte) (all []change) {
	fields := strings.Split(string(raw), "\x00") // ":<mode> <mode> <id> <id> <letter>", "<path>"
	for i := 0; i+1 < len(fields); i += 2 {
		var c change
		var letter string
		if n, _ := fmt.Sscanf(fields[i], ":%s %s %s %s %s", &c.oldMode, &c.newMode, &c.was, &c.now, &letter); n < 5 {
			continue
		}
		c.path = fields[i+1]
		all = append(all, c)
	}
	return all
}

// leftIn are the paths that are in a tree, or in its index, as a merge leaves them.
func (a *Trees) leftIn(ctx context.Context, w Tree, from, to gitstore.OID) (left []change, err error) {
	raw := []string{"--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=all", from.String()}
	out, err := bounded(ctx, w.git, nil, slices.Concat([]string{"diff-tree", "-r"}, raw, []string{to.String()})...)
	if err != nil {
		return nil, err
	}
	all := changes(out)
	staged := map[string]change{}
	out, err = bounded(ctx, w.git, nil, slices.Concat([]string{"diff-index", "--cached"}, raw, []string{"--"})...)
	if err != nil {
		return nil, err
	}
	for _, c := range changes(out) {
		staged[c.path] = c
	}
	var before, after strings.Builder
	for _, c := range all {
		if !c.added() {
			fmt.Fprintf(&before, "%s %s\t%s\x00", c.oldMode, c.was, c.path)
		}
		if !c.removed() {
			fmt.Fprintf(&after, "%s %s\t%s\x00", c.newMode, c.now, c.path)
		}
	}
	notOld, err := a.differ(ctx, w, before.String())
	if err != nil {
		return nil, err
	}
	notNew, err := a.differ(ctx, w, after.String())
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(w.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, c := range all {
		in, isStaged := staged[c.path]
		_, err := root.Lstat(filepath.FromSlash(c.path))
		there := err == nil
		old := c.added() && !there || !c.added() && !notOld[c.path]
		switch {
		case isStaged && (in.newMode != c.newMode || in.now != c.now), old && !isStaged:
		case old, !there, !c.removed() && !notNew[c.path], w.isBegun(ctx, root, c, from, to):
			left = append(left, c)
		}
	}
	return left, nil
}

// differ are the paths that are in a tree otherwise than entries of an index have them.
func (a *Trees) differ(ctx context.Context, w Tree, entries string) (map[string]bool, error) {
	if err := os.MkdirAll(a.Repo.CacheDir(), 0o777); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(a.Repo.CacheDir(), "mend")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	in := *w.git
	in.Env = in.Env.With("GIT_INDEX_FILE=" + filepath.Join(dir, "index"))
	set := []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}
	if _, err = bounded(ctx, &in, []byte(entries), append(set, "update-index", "-z", "--index-info")...); err != nil {
		return nil, err
	}
	_, err = bounded(ctx, &in, nil, append(set, "update-index", "-q", "--refresh")...)
	if gitcmd.ExitCode(err) != 1 && err != nil { // with 1 it says that there are such
		return nil, err
	}
	out, err := bounded(ctx, &in, nil, append(set, "diff-files", "-z", "--name-only", "--no-renames",
		"--ignore-submodules=all")...)
	all := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		all[string(name)] = true
	}
	return all, err
}

// isBegun reports that a file has no more than the beginning of what one of two commits has there.
func (w Tree) isBegun(ctx context.Context, root *os.Root, c change, commits ...gitstore.OID) bool {
	name := filepath.FromSlash(c.path)
	if at, err := root.Lstat(name); err != nil || !at.Mode().IsRegular() {
		return false
	}
	have, err := root.ReadFile(name)
	if err != nil {
		return false
	}
	for _, commit := range commits {
		whole, err := bounded(ctx, w.git, nil, "cat-file", "--filters", commit.String()+":"+c.path)
		if err == nil && bytes.HasPrefix(whole, have) {
			return true
		}
	}
	return false
}

// takeBack has paths of a tree, and of its index, be as the branch has them.
func (w Tree) takeBack(ctx context.Context, from gitstore.OID, left []change) error {
	root, err := os.OpenRoot(w.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var restore, forget strings.Builder
	for _, c := range left {
		if !c.added() {
			restore.WriteString(c.path + "\x00")
			continue
		}
		forget.WriteString("0 " + strings.Repeat("0", len(from.String())) + "\t" + c.path + "\x00")
		if err := root.Remove(filepath.FromSlash(c.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	set := []string{"-c", "core.hooksPath=" + os.DevNull, "--literal-pathspecs"}
	if forget.Len() > 0 {
		_, err := bounded(ctx, w.git, []byte(forget.String()), append(set, "update-index", "-z", "--index-info")...)
		if err != nil {
			return err
		}
	}
	if restore.Len() == 0 {
		return nil
	}
	_, err = bounded(ctx, w.git, []byte(restore.String()), append(set, "restore", "--source="+from.String(), "--staged",
		"--worktree", "--no-recurse-submodules", "--pathspec-from-file=-", "--pathspec-file-nul")...)
	return err
}
