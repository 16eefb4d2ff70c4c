package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
)

// BranchExists tells whether there is a local branch of this short name.
func (r *Repo) BranchExists(ctx context.Context, branch string) (bool, error) {
	ref, err := BranchRef(branch)
	if err != nil {
		return false, err
	}
	_, err = r.Ref(ctx, ref)
	if errors.Is(err, ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// CreateBranch makes a branch at a revision, without checking it out. When the
// revision is a remote-tracking branch, the new branch tracks it by git's
// usual rules.
func (r *Repo) CreateBranch(ctx context.Context, branch, start string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if start == "" || strings.HasPrefix(start, "-") {
		return fmt.Errorf("create branch %q: %.100q is not a revision", branch, start)
	}
	if _, err := r.Git(ctx, "branch", branch, start); err != nil {
		return fmt.Errorf("create branch %q: %w", branch, err)
	}
	return nil
}

// Checkout switches this work tree to a local branch. What stands in the way
// is told in git's own words; nothing is forced.
func (r *Repo) Checkout(ctx context.Context, branch string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.Git(ctx, "switch", "--no-guess", branch); err != nil {
		return fmt.Errorf("switch to branch %q: %w", branch, err)
	}
	return nil
}

// CheckoutDetached switches this work tree to a commit, without a branch.
func (r *Repo) CheckoutDetached(ctx context.Context, commit OID) error {
	if _, err := r.Git(ctx, "switch", "--detach", commit.String()); err != nil {
		return fmt.Errorf("switch to %s: %w", commit.Short(), err)
	}
	return nil
}

// CheckoutOrphan switches to a branch that has no commit yet: the work tree
// keeps no file that git knows.
func (r *Repo) CheckoutOrphan(ctx context.Context, branch string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.Git(ctx, "switch", "--orphan", branch); err != nil {
		return fmt.Errorf("switch to branch %q: %w", branch, err)
	}
	return nil
}

// CheckoutNew makes a branch at a revision and switches to it.
func (r *Repo) CheckoutNew(ctx context.Context, branch, start string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if start == "" || strings.HasPrefix(start, "-") {
		return fmt.Errorf("create branch %q: %.100q is not a revision", branch, start)
	}
	if _, err := r.Git(ctx, "switch", "-c", branch, start); err != nil {
		return fmt.Errorf("create branch %q: %w", branch, err)
	}
	return nil
}

// RemoteBranch lists the remote-tracking branches of this short name, on
// whatever remotes.
func (r *Repo) RemoteBranch(ctx context.Context, branch string) ([]Ref, error) {
	if _, err := BranchRef(branch); err != nil {
		return nil, err
	}
	remotes, err := r.remotes(ctx)
	if err != nil {
		return nil, err
	}
	var found []Ref
	for _, remote := range remotes {
		name := RefName("refs/remotes/" + remote + "/" + branch)
		id, err := r.Ref(ctx, name)
		if errors.Is(err, ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, Ref{Name: name, OID: id})
	}
	return found, nil
}

// remotes are the configured remotes' names, in configured order.
func (r *Repo) remotes(ctx context.Context) ([]string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range config.settings {
		rest, ok := strings.CutPrefix(s.key, "remote.")
		name, isURL := strings.CutSuffix(rest, ".url")
		if ok && isURL && refNameFault("refs/remotes/"+name) == "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// RenamedBranch gives the name that a branch has now, after "git branch -m",
// as far as the reflogs of the branches tell. ErrNotExist: they don't.
func (r *Repo) RenamedBranch(ctx context.Context, old string) (string, error) {
	ref, err := BranchRef(old)
	if err != nil {
		return "", err
	}
	renames, err := r.renames()
	if err != nil {
		return "", fmt.Errorf("look for branch %q: %w", old, err)
	}
	seen := map[RefName]bool{}
	for at := ref; !seen[at]; {
		seen[at] = true
		next, ok := renames[at]
		if !ok {
			break
		}
		at = next
		if _, err := r.Ref(ctx, at); err == nil {
			return at.Branch(), nil
		}
	}
	return "", fmt.Errorf("look for branch %q: %w", old, ErrNotExist)
}

// renames reads the branches' reflogs, which git moves along with them.
func (r *Repo) renames() (map[RefName]RefName, error) {
	found := map[RefName]RefName{}
	top := filepath.Join(r.commonDir, "logs", "refs", "heads")
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // renamed or removed meanwhile
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		for from, to := range renamesIn(data) {
			found[from] = to
		}
		return nil
	})
	return found, err
}

// renamesIn gives the renames that a reflog tells of: from the old name, to the
// new.
func renamesIn(log []byte) iter.Seq2[RefName, RefName] {
	return func(yield func(from, to RefName) bool) {
		marker := []byte("\tBranch: renamed ")
		for {
			_, rest, found := bytes.Cut(log, marker)
			if !found {
				return
			}
			var line []byte
			line, log, _ = bytes.Cut(rest, []byte{'\n'})
			from, to, ok := strings.Cut(string(line), " to ")
			if ok && refNameFault(from) == "" && refNameFault(to) == "" && !yield(RefName(from), RefName(to)) {
				return
			}
		}
	}
}
