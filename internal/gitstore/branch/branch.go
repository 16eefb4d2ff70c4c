// Package branch knows branches, here and of remotes, and what became of their names.
package branch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
)

// Exists tells whether there is a local branch of this short name.
func (r *Branches) Exists(ctx context.Context, branch string) (bool, error) {
	ref, err := plumbing.BranchRef(branch)
	if err != nil {
		return false, err
	}
	_, err = r.refs.Get(ctx, ref)
	if errors.Is(err, plumbing.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Create makes a branch at a revision, without checking it out. When the
// revision is a remote-tracking branch, the new branch tracks it by git's
// usual rules.
func (r *Branches) Create(ctx context.Context, branch, start string) error {
	if _, err := plumbing.BranchRef(branch); err != nil {
		return err
	}
	if start == "" || strings.HasPrefix(start, "-") {
		return fmt.Errorf("create branch %q: %.100q is not a revision", branch, start)
	}
	if _, err := r.at.Git.Run(ctx, "branch", branch, start); err != nil {
		return fmt.Errorf("create branch %q: %w", branch, err)
	}
	return nil
}

// Remote lists the remote-tracking branches of this short name, on
// whatever remotes.
func (r *Branches) Remote(ctx context.Context, branch string) ([]refs.Ref, error) {
	if _, err := plumbing.BranchRef(branch); err != nil {
		return nil, err
	}
	remotes, err := r.remotes(ctx)
	if err != nil {
		return nil, err
	}
	var found []refs.Ref
	for _, remote := range remotes {
		name := plumbing.RefName("refs/remotes/" + remote + "/" + branch)
		id, err := r.refs.Get(ctx, name)
		if errors.Is(err, plumbing.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, refs.Ref{Name: name, OID: id})
	}
	return found, nil
}

// remotes are the configured remotes' names, in configured order.
func (r *Branches) remotes(ctx context.Context) ([]string, error) {
	config, err := r.config.Read(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range config.Settings {
		rest, ok := strings.CutPrefix(s.Key, "remote.")
		name, isURL := strings.CutSuffix(rest, ".url")
		if ok && isURL && plumbing.RefNameFault("refs/remotes/"+name) == "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// Delete takes back a branch that was just made and still is at the
// commit where it was made.
func (r *Branches) Delete(ctx context.Context, branch string, at plumbing.OID) error {
	ref, err := plumbing.BranchRef(branch)
	if err != nil {
		return err
	}
	return r.refs.Update(ctx, refs.Update{Ref: ref, Old: at})
}

// Reachable tells whether a branch, here or of a remote, or a tag leads to a commit:
// then nothing is lost where HEAD goes elsewhere.
func (r *Branches) Reachable(ctx context.Context, commit plumbing.OID) (bool, error) {
	out, err := r.at.Git.Run(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit.String(),
		"refs/heads", "refs/remotes", "refs/tags")
	return len(bytes.TrimSpace(out)) > 0, err
}

// Branches are those of a repository.
type Branches struct {
	at     *place.Place
	config *config.Store
	refs   *refs.Store
}

// New is the branches of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store, refs *refs.Store) *Branches {
	return &Branches{at: at, config: config, refs: refs}
}

// Upstream is the ref that a branch follows, by its configuration: a branch here, or where
// git fetch usually puts the remote's. "" where it follows none. It starts no process.
func (r *Branches) Upstream(ctx context.Context, branch string) (plumbing.RefName, error) {
	config, err := r.config.Read(ctx)
	if err != nil || branch == "" {
		return "", err
	}
	remote, _ := config.Get("branch." + branch + ".remote")
	merge, _ := config.Get("branch." + branch + ".merge")
	short := plumbing.RefName(merge).Branch()
	switch {
	case remote == "" || short == "":
		return "", nil
	case remote == ".":
		return plumbing.ParseRefName(merge)
	}
	return plumbing.ParseRefName("refs/remotes/" + remote + "/" + short)
}

// RenamedFrom gives the names that a branch had before, latest first, as far as
// its reflog tells: git moves it along with the branch.
func (r *Branches) RenamedFrom(_ context.Context, branch string) ([]string, error) {
	ref, err := plumbing.BranchRef(branch)
	if err != nil {
		return nil, err
	}
	renames, err := r.renames(ref)
	if err != nil {
		return nil, fmt.Errorf("look for branch %q: %w", branch, err)
	}
	before := map[plumbing.RefName]plumbing.RefName{}
	for old, now := range renames {
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
	renames, err := r.renames("refs/heads")
	if err != nil {
		return "", fmt.Errorf("look for branch %q: %w", old, err)
	}
	seen := map[plumbing.RefName]bool{}
	for at := renames[ref]; at != "" && !seen[at]; at = renames[at] {
		seen[at] = true
		if _, err := r.refs.Get(ctx, at); err == nil {
			return at.Branch(), nil
		}
	}
	return "", fmt.Errorf("look for branch %q: %w", old, plumbing.ErrNotExist)
}

// renames are the renames that the reflogs at, or below, a name tell of: from the old
// name, to the new.
func (r *Branches) renames(of plumbing.RefName) (map[plumbing.RefName]plumbing.RefName, error) {
	found := map[plumbing.RefName]plumbing.RefName{}
	top := filepath.Join(r.at.CommonDir, "logs", filepath.FromSlash(string(of)))
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		var log []byte
		if err == nil && entry.Type().IsRegular() {
			log, err = gitfile.ReadFile(path)
		}
		if errors.Is(err, fs.ErrNotExist) || gitfile.IsNotDir(err) {
			return nil // there is none, or it was renamed or removed meanwhile
		}
		for line := range strings.Lines(string(log)) {
			_, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\tBranch: renamed ")
			from, to, ok := strings.Cut(names, " to ")
			if ok && plumbing.RefNameFault(from) == "" && plumbing.RefNameFault(to) == "" {
				found[plumbing.RefName(from)] = plumbing.RefName(to)
			}
		}
		return err
	})
	return found, err
}
