package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
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
	out, err := r.GitInput(ctx, patch, patchID...)
	want := patchIDs(out)
	if err != nil || len(want) != 1 {
		return OID{}, err
	}
	out, err = r.through(ctx, patchID, "log", "-p", "--no-merges", "--no-ext-diff", "--no-textconv", "-n", patchRange, "--format=commit %H", "--end-of-options", tip.String(), "^"+old.String())
	if err != nil {
		return OID{}, fmt.Errorf("read the changes up to %s: %w", tip.Short(), err)
	}
	for _, p := range patchIDs(out) {
		if p[0] == want[0][0] {
			return ParseOID(p[1])
		}
	}
	return OID{}, nil
}

// patchID makes an id of each patch in a log.
var patchID = []string{"patch-id", "--stable"}

// patchIDs reads pairs of patch id and commit.
func patchIDs(out []byte) [][2]string {
	var ids [][2]string
	for line := range bytes.Lines(out) {
		if id, commit, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok {
			ids = append(ids, [2]string{id, commit})
		}
	}
	return ids
}

// through runs one git on what another one prints, of which nothing is kept here: a
// thousand patches may be large.
func (r *Repo) through(ctx context.Context, reader []string, writer ...string) ([]byte, error) {
	from, to := r.plain(ctx, writer...), r.plain(ctx, reader...)
	var problems tail
	from.Stderr = &problems
	pipe, err := from.StdoutPipe()
	if err != nil {
		return nil, notRun(err)
	}
	if err := from.Start(); err != nil {
		return nil, notRun(err)
	}
	to.Stdin = pipe
	out, err := output(ctx, to, nil, reader)
	_ = pipe.Close() // a writer that nobody reads ends
	ended := from.Wait()
	if exit, failed := errors.AsType[*exec.ExitError](ended); err == nil && failed {
		err = &CommandError{Args: writer, Code: exit.ExitCode(), Stderr: problems.String()}
	}
	return out, err
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
