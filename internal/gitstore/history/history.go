// Package history asks what leads to which commit, and who signed it.
package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Walk visits a commit and all its ancestors, children before parents. It
// stops early when visit says no. At the boundary of a shallow clone the
// parents are named, but not visited.
//
// A history without merges is read as it is visited; from the first merge on git
// lists it.
func (r *History) Walk(ctx context.Context, tip plumbing.OID,
	visit func(plumbing.OID, plumbing.Commit) (bool, error),
) error {
	cut, err := r.Boundary()
	if err != nil {
		return fmt.Errorf("walk history: %w", err)
	}
	for at := tip; ; {
		c, err := r.objects.Commit(ctx, at)
		if err != nil {
			return fmt.Errorf("walk history: %w", err)
		}
		if more, err := visit(at, c); err != nil || !more {
			return err
		}
		switch {
		case len(c.Parents) == 0, cut[at]:
			return nil
		case len(c.Parents) > 1:
			return r.walkBranched(ctx, c.Parents, visit)
		}
		at = c.Parents[0]
	}
}

// walkBranched visits everything from several commits on, in git's order.
func (r *History) walkBranched(ctx context.Context, from []plumbing.OID,
	visit func(plumbing.OID, plumbing.Commit) (bool, error),
) error {
	lines, listed := r.objects.RevList(ctx, from, nil, "--topo-order")
	for _, line := range lines {
		c, err := r.objects.Commit(ctx, line[0])
		if err != nil {
			return fmt.Errorf("walk history: %w", err)
		}
		if more, err := visit(line[0], c); err != nil || !more {
			return err
		}
	}
	if listed != nil {
		return fmt.Errorf("walk history: %w", listed)
	}
	return nil
}

// Boundary are the commits whose parents were left out of a shallow clone.
func (r *History) Boundary() (map[plumbing.OID]bool, error) {
	data, err := gitfile.ReadFile(filepath.Join(r.at.CommonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	cut := map[plumbing.OID]bool{}
	for line := range strings.FieldsSeq(string(data)) {
		id, err := plumbing.ParseOID(line)
		if err != nil {
			return nil, fmt.Errorf("shallow: %w", err)
		}
		cut[id] = true
	}
	return cut, nil
}

// IsAncestor tells whether a is b, or an ancestor of b.
func (r *History) IsAncestor(ctx context.Context, a, b plumbing.OID) (bool, error) {
	if a == b {
		return true, nil
	}
	_, err := r.at.Git.Run(ctx, "merge-base", "--is-ancestor", a.String(), b.String())
	switch {
	case err == nil:
		return true, nil
	case gitcmd.ExitCode(err) == 1:
		return false, nil
	}
	return false, fmt.Errorf("compare %s with %s: %w", a.Short(), b.Short(), err)
}

// SamePatch finds what a rebase made of some commits: the first commit in the history of
// tip that makes the same change as one of those that lead to last, and not to without,
// a revision. It is the zero id where there is none.
func (r *History) SamePatch(ctx context.Context, last plumbing.OID, without string,
	tip plumbing.OID,
) (plumbing.OID, error) {
	out, err := r.at.Git.Run(ctx, "rev-list", "--cherry", "--topo-order", "--reverse", "--end-of-options",
		last.String()+"..."+tip.String(), "^"+without, "--")
	if err != nil {
		return plumbing.OID{}, fmt.Errorf("read the changes up to %s: %w", tip.Short(), err)
	}
	for line := range strings.Lines(string(out)) {
		if id, same := strings.CutPrefix(strings.TrimSpace(line), "="); same {
			return plumbing.ParseOID(id)
		}
	}
	return plumbing.OID{}, nil
}

// Linked is a commit, and those it was made on.
type Linked struct {
	OID     plumbing.OID
	Parents []plumbing.OID
}

// Between lists what is reachable from some commits and not from others,
// parents before children: limit commits at most, else ErrTooLarge. At the
// boundary of a shallow clone a commit has no parents.
func (r *History) Between(ctx context.Context, limit int, from, without []plumbing.OID) ([]Linked, error) {
	lines, err := r.objects.RevList(ctx, from, without, "--topo-order", "--parents",
		fmt.Sprintf("--max-count=%d", limit+1))
	if err != nil {
		return nil, err
	}
	if len(lines) > limit {
		return nil, fmt.Errorf("list commits: more than %d: %w", limit, plumbing.ErrTooLarge)
	}
	list := make([]Linked, len(lines))
	for i, line := range lines {
		list[i] = Linked{OID: line[0], Parents: line[1:]}
	}
	apart := map[plumbing.OID]bool{}
	for _, c := range list {
		apart[c.OID] = true
	}
	if err := r.strike(ctx, apart, without); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c Linked) bool { return !apart[c.OID] })
	slices.Reverse(list)
	return list, nil
}

// Outside tells which of some commits are not reachable from others.
func (r *History) Outside(ctx context.Context, commits, from []plumbing.OID) (map[plumbing.OID]bool, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	lines, err := r.objects.RevList(ctx, commits, from)
	if err != nil {
		return nil, fmt.Errorf("compare histories: %w", err)
	}
	asked := make(map[plumbing.OID]bool, len(commits))
	for _, id := range commits {
		asked[id] = true
	}
	apart := map[plumbing.OID]bool{}
	for _, line := range lines {
		if asked[line[0]] {
			apart[line[0]] = true
		}
	}
	return apart, r.strike(ctx, apart, from)
}

// strike takes out what is reachable from some commits all the same. Git looks
// for that by the times of commits, and stops early: where clocks went wrong it
// lists more than there is.
func (r *History) strike(ctx context.Context, apart map[plumbing.OID]bool, from []plumbing.OID) error {
	if len(apart) == 0 || len(from) == 0 {
		return nil
	}
	lines, err := r.objects.RevList(ctx, from, nil)
	for _, line := range lines {
		delete(apart, line[0])
	}
	return err
}

// Unreached tells which of some commits, trees and blobs are nowhere in the history of a
// commit. Trees are looked at only where it is about more than commits.
func (r *History) Unreached(ctx context.Context, from plumbing.OID,
	ids []plumbing.OID,
) (map[plumbing.OID]bool, error) {
	apart := make(map[plumbing.OID]bool, len(ids))
	for _, id := range ids {
		apart[id] = true
	}
	for _, of := range [][]string{nil, {"--objects", "--no-object-names"}} {
		if len(apart) == 0 {
			break
		}
		lines, err := r.objects.RevList(ctx, []plumbing.OID{from}, nil, of...)
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			delete(apart, line[0])
		}
	}
	return apart, nil
}

// History is what the commits of a repository make together.
type History struct {
	at      *place.Place
	objects *odb.Store
}

// New is the history of a repository; nothing is read yet.
func New(at *place.Place, objects *odb.Store) *History { return &History{at: at, objects: objects} }
