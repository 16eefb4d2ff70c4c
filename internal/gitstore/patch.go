package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// patchRange bounds how many commits SamePatch compares.
const patchRange = "1000"

// SamePatch finds the commit in the history of tip that makes the same change
// as old does: what a rebase made of it. It is the zero id where there is none.
func (r *Repo) SamePatch(ctx context.Context, old, tip OID) (OID, error) {
	patch, err := r.Git(ctx, "diff-tree", "-p", "--root", "--no-ext-diff", "--no-textconv", "--end-of-options", old.String())
	if err != nil {
		return OID{}, fmt.Errorf("read the change of %s: %w", old.Short(), err)
	}
	want, err := r.patchIDs(ctx, patch)
	if err != nil || len(want) != 1 {
		return OID{}, err
	}
	log, err := r.Git(ctx, "log", "-p", "--no-merges", "--no-ext-diff", "--no-textconv", "-n", patchRange, "--format=commit %H", "--end-of-options", tip.String(), "^"+old.String())
	if err != nil {
		return OID{}, fmt.Errorf("read the changes up to %s: %w", tip.Short(), err)
	}
	have, err := r.patchIDs(ctx, log)
	if err != nil {
		return OID{}, err
	}
	for _, p := range have {
		if p[0] == want[0][0] {
			return ParseOID(p[1])
		}
	}
	return OID{}, nil
}

// patchIDs returns pairs of patch id and commit.
func (r *Repo) patchIDs(ctx context.Context, patch []byte) ([][2]string, error) {
	out, err := r.GitInput(ctx, patch, "patch-id", "--stable")
	if err != nil {
		return nil, fmt.Errorf("compute patch ids: %w", err)
	}
	var ids [][2]string
	for line := range bytes.Lines(out) {
		if id, commit, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok {
			ids = append(ids, [2]string{id, commit})
		}
	}
	return ids, nil
}

// CheckoutUnborn makes branch the one that the first commit of a repository
// without commits will go to.
func (r *Repo) CheckoutUnborn(ctx context.Context, branch string) error {
	if _, err := BranchRef(branch); err != nil {
		return err
	}
	if _, err := r.Git(ctx, "switch", "-c", branch); err != nil {
		return fmt.Errorf("create branch %q: %w", branch, err)
	}
	return nil
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
