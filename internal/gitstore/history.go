package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
