package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// History visits a commit and all its ancestors, children before parents. It
// stops early when visit says no. At the boundary of a shallow clone the
// parents are named, but not visited.
//
// A history without merges is read as it is visited; the first merge makes it
// read the rest beforehand.
func (r *Repo) History(ctx context.Context, tip OID, visit func(OID, Commit) (bool, error)) error {
	cut, err := r.shallowCommits()
	if err != nil {
		return fmt.Errorf("walk history: %w", err)
	}
	w := historyWalk{repo: r, cut: cut, visit: visit}
	for at := tip; ; {
		c, err := r.Commit(ctx, at)
		if err != nil {
			return fmt.Errorf("walk history: %w", err)
		}
		if more, err := visit(at, c); err != nil || !more {
			return err
		}
		parents := w.parents(at, c)
		switch len(parents) {
		case 0:
			return nil
		case 1:
			at = parents[0]
		default:
			return w.branched(ctx, parents)
		}
	}
}

type historyWalk struct {
	repo  *Repo
	cut   map[OID]bool
	visit func(OID, Commit) (bool, error)
}

func (w *historyWalk) parents(id OID, c Commit) []OID {
	if w.cut[id] {
		return nil
	}
	return c.Parents
}

// branched visits everything from several commits on. A commit's turn comes
// when all its children have had theirs.
func (w *historyWalk) branched(ctx context.Context, from []OID) error {
	commits := map[OID]Commit{}
	children := map[OID]int{}
	pending := append([]OID(nil), from...)
	for len(pending) > 0 {
		id := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if _, seen := commits[id]; seen {
			continue
		}
		c, err := w.repo.Commit(ctx, id)
		if err != nil {
			return fmt.Errorf("walk history: %w", err)
		}
		commits[id] = c
		for _, parent := range w.parents(id, c) {
			children[parent]++
			pending = append(pending, parent)
		}
	}
	var ready []OID
	queued := map[OID]bool{}
	for _, id := range from {
		if children[id] == 0 && !queued[id] {
			ready = append(ready, id)
			queued[id] = true
		}
	}
	for len(ready) > 0 {
		id := ready[0]
		ready = ready[1:]
		if more, err := w.visit(id, commits[id]); err != nil || !more {
			return err
		}
		for _, parent := range w.parents(id, commits[id]) {
			if children[parent]--; children[parent] == 0 {
				ready = append(ready, parent)
			}
		}
	}
	return nil
}

// shallowCommits are those whose parents were left out on purpose.
func (r *Repo) shallowCommits() (map[OID]bool, error) {
	data, err := ReadFile(filepath.Join(r.commonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	cut := map[OID]bool{}
	for line := range strings.FieldsSeq(string(data)) {
		id, err := ParseOID(line)
		if err != nil {
			return nil, fmt.Errorf("shallow: %w", err)
		}
		cut[id] = true
	}
	return cut, nil
}

// IsAncestor tells whether a is b, or an ancestor of b.
func (r *Repo) IsAncestor(ctx context.Context, a, b OID) (bool, error) {
	if a == b {
		return true, nil
	}
	_, err := r.Git(ctx, "merge-base", "--is-ancestor", a.String(), b.String())
	switch {
	case err == nil:
		return true, nil
	case exitCode(err) == 1:
		return false, nil
	}
	return false, fmt.Errorf("compare %s with %s: %w", a.Short(), b.Short(), err)
}

// AheadBehind counts the commits that only a has, and those that only b has.
// Both are revisions as git reads them.
func (r *Repo) AheadBehind(ctx context.Context, a, b string) (ahead, behind int, err error) {
	out, err := r.Git(ctx, "rev-list", "--left-right", "--count", "--end-of-options", a+"..."+b, "--")
	if err != nil {
		return 0, 0, fmt.Errorf("compare %.100q with %.100q: %w", a, b, err)
	}
	fields := strings.Fields(string(out))
	if len(fields) != 2 {
		return 0, 0, fmt.Errorf("compare %.100q with %.100q: unexpected answer %.100q", a, b, out)
	}
	ahead, err1 := strconv.Atoi(fields[0])
	behind, err2 := strconv.Atoi(fields[1])
	return ahead, behind, errors.Join(err1, err2)
}

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

// Boundary are the commits whose parents were left out of a shallow clone.
func (r *Repo) Boundary() (map[OID]bool, error) { return r.shallowCommits() }

// Linked is a commit, and those it was made on.
type Linked struct {
	OID     OID
	Parents []OID
}

// Commits lists what is reachable from some commits and not from others,
// parents before children: limit commits at most, else ErrTooLarge. At the
// boundary of a shallow clone a commit has no parents.
func (r *Repo) Commits(ctx context.Context, limit int, from, without []OID) ([]Linked, error) {
	lines, err := r.revList(ctx, from, without, "--topo-order", "--parents", fmt.Sprintf("--max-count=%d", limit+1))
	if err != nil {
		return nil, err
	}
	if len(lines) > limit {
		return nil, fmt.Errorf("list commits: more than %d: %w", limit, ErrTooLarge)
	}
	list := make([]Linked, len(lines))
	for i, line := range lines {
		list[i] = Linked{OID: line[0], Parents: line[1:]}
	}
	apart := make(map[OID]bool, len(list))
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

// Apart tells which of some commits are not reachable from others.
func (r *Repo) Apart(ctx context.Context, commits, from []OID) (map[OID]bool, error) {
	lines, err := r.revList(ctx, commits, from)
	if err != nil {
		return nil, err
	}
	asked := make(map[OID]bool, len(commits))
	for _, id := range commits {
		asked[id] = true
	}
	apart := map[OID]bool{}
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
func (r *Repo) strike(ctx context.Context, apart map[OID]bool, from []OID) error {
	if len(apart) == 0 || len(from) == 0 {
		return nil
	}
	lines, err := r.revList(ctx, from, nil)
	for _, line := range lines {
		delete(apart, line[0])
	}
	return err
}

// Unreached tells which of some blobs stand in no tree that a commit leads to.
func (r *Repo) Unreached(ctx context.Context, from OID, blobs []OID) (map[OID]bool, error) {
	lines, err := r.revList(ctx, []OID{from}, nil, "--objects", "--no-object-names")
	if err != nil {
		return nil, err
	}
	apart := make(map[OID]bool, len(blobs))
	for _, id := range blobs {
		apart[id] = true
	}
	for _, line := range lines {
		delete(apart, line[0])
	}
	return apart, nil
}
