package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

// DeleteBranch takes back a branch that was just made and still is at the
// commit where it was made.
func (r *Repo) DeleteBranch(ctx context.Context, branch string, at OID) error {
	ref, err := BranchRef(branch)
	if err != nil {
		return err
	}
	return r.UpdateRefs(ctx, Update{Ref: ref, Old: at})
}

// Named tells whether a branch, here or of a remote, or a tag leads to a commit:
// then nothing is lost where HEAD goes elsewhere.
func (r *Repo) Named(ctx context.Context, commit OID) (bool, error) {
	out, err := r.Git(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit.String(), "refs/heads", "refs/remotes", "refs/tags")
	return len(bytes.TrimSpace(out)) > 0, err
}
