package history

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Pair are two commits that somebody may merge.
type Pair [2]plumbing.OID

// Conflict is how a merge of a pair would come out.
type Conflict struct {
	// Is: it would not merge by itself. Paths are the files that it would stop at, in order;
	// a conflict between names of directories may have none.
	Is    bool
	Paths []string
}

// Conflicts tells of each pair how a merge would come out, by git's own merge and the settings
// that it follows, in one process. Nothing stays of it in the repository. Where git can't tell of
// a pair, or ctx ends it, there are answers for the pairs before that one alone, and the error.
func (r *History) Conflicts(ctx context.Context, pairs []Pair) ([]Conflict, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	objects, err := r.lent()
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(objects) }() // else it goes with the next MakeScratch
	var asked bytes.Buffer
	for _, p := range pairs {
		fmt.Fprintf(&asked, "%s %s\n", p[0], p[1])
	}
	args := []string{
		"-c", "core.compression=0", "merge-tree", "--write-tree", "--stdin", "--name-only", "--no-messages",
		"--allow-unrelated-histories",
	}
	cmd := r.at.Git.Command(ctx, args...)
	if r.at.WorkTree != "" {
		cmd.Dir = r.at.WorkTree // paths are told as seen from there
	}
	cmd.Env = gitcmd.Environ(cmd.Env).With("LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_OBJECT_DIRECTORY="+objects)
	out, err := gitcmd.Output(ctx, cmd, asked.Bytes(), args)
	answers := readConflicts(string(out), pairs)
	if err == nil && len(answers) < len(pairs) {
		err = fmt.Errorf("merge %s and %s: git does not say how", pairs[len(answers)][0].Short(),
			pairs[len(answers)][1].Short())
	}
	return answers, err
}

// lent makes a directory for the objects that a merge writes, which has those of the
// repository, too.
func (r *History) lent() (string, error) {
	dir, err := r.at.MakeScratch()
	if err != nil {
		return "", err
	}
	if err = os.Mkdir(filepath.Join(dir, "info"), 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, "info", "alternates"), []byte(r.at.ObjectDir+"\n"), 0o600)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// readConflicts reads git merge-tree --stdin: for each pair whether it merges, the tree, the paths
// of conflicts, and an empty field. What is cut off is no answer.
func readConflicts(out string, pairs []Pair) (all []Conflict) {
	for len(all) < len(pairs) {
		answer, rest, whole := strings.Cut(out, "\x00\x00")
		fields := strings.Split(answer, "\x00")
		if !whole || len(fields) < 2 || fields[0] != "0" && fields[0] != "1" {
			break
		}
		c := Conflict{Is: fields[0] == "0"}
		for _, path := range fields[2:] {
			c.Paths = append(c.Paths, withoutSide(path, pairs[len(all)]))
		}
		slices.Sort(c.Paths)
		c.Paths = slices.Compact(c.Paths)
		all, out = append(all, c), rest
	}
	return all
}

// withoutSide is a path without what git puts behind that of a file where the other side has a
// directory: which side it is from.
func withoutSide(path string, p Pair) string {
	for _, side := range p {
		if before, _, is := strings.Cut(path, "~"+side.String()); is {
			return before
		}
	}
	return path
}
