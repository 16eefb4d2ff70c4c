package branch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// RenamedFrom gives the names that a branch had before, latest first, as far as
// its reflog tells: git moves it along with the branch.
func (r *Branches) RenamedFrom(_ context.Context, branch string) ([]string, error) {
	ref, err := plumbing.BranchRef(branch)
	if err != nil {
		return nil, err
	}
	log, err := gitfile.ReadFile(filepath.Join(r.at.CommonDir(), "logs", filepath.FromSlash(string(ref))))
	if errors.Is(err, fs.ErrNotExist) || gitfile.IsNotDir(err) || gitfile.IsDirError(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for branch %q: %w", branch, err)
	}
	before := map[plumbing.RefName]plumbing.RefName{}
	for old, now := range renamesIn(log) {
		before[now] = old
	}
	var names []string
	seen := map[plumbing.RefName]bool{ref: true}
	for at := before[ref]; at != "" && !seen[at]; at = before[at] {
		seen[at] = true
		names = append(names, at.Branch())
	}
	return names, nil
}

// RenamedTo gives the name that a branch has now, after "git branch -m",
// as far as the reflogs of the branches tell. ErrNotExist: they don't.
func (r *Branches) RenamedTo(ctx context.Context, old string) (string, error) {
	ref, err := plumbing.BranchRef(old)
	if err != nil {
		return "", err
	}
	renames, err := r.renames()
	if err != nil {
		return "", fmt.Errorf("look for branch %q: %w", old, err)
	}
	seen := map[plumbing.RefName]bool{}
	for at := ref; !seen[at]; {
		seen[at] = true
		next, ok := renames[at]
		if !ok {
			break
		}
		at = next
		if _, err := r.refs.Get(ctx, at); err == nil {
			return at.Branch(), nil
		}
	}
	return "", fmt.Errorf("look for branch %q: %w", old, plumbing.ErrNotExist)
}

// renames reads the branches' reflogs, which git moves along with them.
func (r *Branches) renames() (map[plumbing.RefName]plumbing.RefName, error) {
	found := map[plumbing.RefName]plumbing.RefName{}
	top := filepath.Join(r.at.CommonDir(), "logs", "refs", "heads")
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // renamed or removed meanwhile
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := gitfile.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		maps.Copy(found, renamesIn(data))
		return nil
	})
	return found, err
}

// renamesIn gives the renames that a reflog tells of: from the old name, to the
// new.
func renamesIn(log []byte) map[plumbing.RefName]plumbing.RefName {
	found := map[plumbing.RefName]plumbing.RefName{}
	for line := range strings.Lines(string(log)) {
		_, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\tBranch: renamed ")
		from, to, ok := strings.Cut(names, " to ")
		if ok && plumbing.RefNameFault(from) == "" && plumbing.RefNameFault(to) == "" {
			found[plumbing.RefName(from)] = plumbing.RefName(to)
		}
	}
	return found
}
