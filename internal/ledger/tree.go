package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Tree returns the entries of a commit's or a tree's tree, staged or stored.
func (tx *Tx) Tree(ctx context.Context, oid gitstore.OID) ([]gitstore.Entry, error) {
	if oid.IsZero() {
		return nil, nil
	}
	if c, ok := tx.staged[oid]; ok {
		oid = c.Tree
	}
	if entries, ok := tx.w.Entries(oid); ok {
		return entries, nil
	}
	entries, err := tx.l.repo.Objects.Tree(ctx, oid)
	if tx.mending && Damaged(err) {
		return nil, nil
	}
	return entries, err
}

// edit returns the tree that differs from the one of oid (a commit, a tree or
// zero) in the given paths; the zero id takes a path out. Only the trees along
// these paths are read and written, so its cost does not grow with the record.
func (tx *Tx) edit(ctx context.Context, oid gitstore.OID, changes map[string]gitstore.OID) (gitstore.OID, error) {
	entries, err := tx.Tree(ctx, oid)
	if err != nil {
		return gitstore.OID{}, err
	}
	byName := make(map[string]gitstore.Entry, len(entries)+len(changes))
	for _, e := range entries {
		byName[e.Name] = e
	}
	below := map[string]map[string]gitstore.OID{}
	for path, blob := range changes {
		dir, rest, nested := strings.Cut(path, "/")
		switch {
		case nested:
			if below[dir] == nil {
				below[dir] = map[string]gitstore.OID{}
			}
			below[dir][rest] = blob
		case blob.IsZero():
			delete(byName, path)
		default:
			byName[path] = gitstore.Entry{Name: path, Mode: gitstore.ModeFile, OID: blob}
		}
	}
	for dir, inner := range below {
		var sub gitstore.OID
		if e, ok := byName[dir]; ok && e.Mode == gitstore.ModeDir {
			sub = e.OID
		}
		made, err := tx.edit(ctx, sub, inner)
		if err != nil {
			return gitstore.OID{}, err
		}
		if left, _ := tx.w.Entries(made); len(left) == 0 {
			delete(byName, dir)
			continue
		}
		byName[dir] = gitstore.Entry{Name: dir, Mode: gitstore.ModeDir, OID: made}
	}
	list := make([]gitstore.Entry, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		list = append(list, byName[name])
	}
	return tx.w.Tree(list), nil
}

// Put stages a commit on ref that changes files of its tree: a nil content takes a file
// out. It goes on from the ref's tip, or, where it is told, from other commits: what the
// record was before is not below it any more then.
func (tx *Tx) Put(ctx context.Context, ref gitstore.RefName, files map[string][]byte, message string,
	onto ...gitstore.OID,
) (gitstore.OID, error) {
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return tip, err
	}
	if len(onto) == 0 {
		onto = []gitstore.OID{tip}
	}
	changes := make(map[string]gitstore.OID, len(files))
	for path, data := range files {
		if changes[path] = (gitstore.OID{}); data != nil {
			changes[path] = tx.Blob(data)
		}
	}
	tree, err := tx.edit(ctx, tip, changes)
	if err != nil {
		return tip, err
	}
	next, err := tx.Stage(ctx, tree, message, onto...)
	if err != nil {
		return tip, err
	}
	return next, tx.Move(ctx, ref, next)
}

// PutOver is Put for a record that may be damaged: trees that are gone or
// garbled count as empty, and the damaged commit stays below as the parent. A
// tip that is no commit can't be one: the message names it.
func (tx *Tx) PutOver(ctx context.Context, ref gitstore.RefName, files map[string][]byte,
	message string,
) (gitstore.OID, error) {
	next, err := tx.Put(ctx, ref, files, message)
	if !Damaged(err) {
		return next, err
	}
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return tip, err
	}
	tx.mending = true
	defer func() { tx.mending = false }()
	parent := tip
	if _, err := tx.l.repo.Objects.Commit(ctx, tip); Damaged(err) {
		parent, message = gitstore.OID{}, message+"\nThe record before this one can't be read: "+tip.String()+"\n"
	} else if err != nil {
		return tip, err
	}
	return tx.Put(ctx, ref, files, message, parent)
}

// Damaged reports whether an error says that an object is gone, or is not what
// it should be; not that it could not be looked at.
func Damaged(err error) bool {
	_, corrupt := errors.AsType[*gitstore.CorruptError](err)
	return corrupt || errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrKind)
}

// entryAt finds a path below a tree; false where there is none.
func entryAt(ctx context.Context, tree func(context.Context, gitstore.OID) ([]gitstore.Entry, error), at gitstore.OID,
	path string,
) (gitstore.Entry, bool, error) {
	for {
		name, rest, nested := strings.Cut(path, "/")
		entries, err := tree(ctx, at)
		e, ok := entryNamed(entries, name)
		if err != nil || !ok || !nested {
			return e, ok, err
		}
		if e.Mode != gitstore.ModeDir {
			return e, false, nil
		}
		at, path = e.OID, rest
	}
}

// Entry finds a path below a commit or a tree, staged or stored; false where there is
// none.
func (tx *Tx) Entry(ctx context.Context, at gitstore.OID, path string) (gitstore.Entry, bool, error) {
	return entryAt(ctx, tx.Tree, at, path)
}

// File returns a file of the tree of tip; gitstore.ErrNotExist where there is
// none.
func (l *Ledger) File(ctx context.Context, tip gitstore.OID, path string) ([]byte, error) {
	e, ok, err := entryAt(ctx, l.repo.Objects.Tree, tip, path)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, gitstore.ErrNotExist
	}
	return l.repo.Objects.Blob(ctx, e.OID)
}

// Dir lists a directory of the tree of tip; empty where it has none.
func (l *Ledger) Dir(ctx context.Context, tip gitstore.OID, dir string) ([]gitstore.Entry, error) {
	if tip.IsZero() {
		return nil, nil
	}
	if dir != "" {
		e, ok, err := entryAt(ctx, l.repo.Objects.Tree, tip, dir)
		if err != nil || !ok || e.Mode != gitstore.ModeDir {
			return nil, err
		}
		tip = e.OID
	}
	return l.repo.Objects.Tree(ctx, tip)
}

// directories are those of a tip's tree, by name.
type directories struct {
	tip   gitstore.OID
	trees map[string]gitstore.OID
}

// Directories lists the tree of a tip that has nothing else, by name; none for the
// zero tip. The last one that was read is kept at hand. Nobody may change the answer.
func (tx *Tx) Directories(ctx context.Context, tip gitstore.OID) (map[string]gitstore.OID, error) {
	if tip.IsZero() {
		return nil, nil
	}
	if tip == tx.l.listed.tip {
		return tx.l.listed.trees, nil
	}
	entries, err := tx.Tree(ctx, tip)
	if err != nil {
		return nil, err
	}
	trees := make(map[string]gitstore.OID, len(entries))
	for _, e := range entries {
		if e.Mode != gitstore.ModeDir {
			return nil, fmt.Errorf("%.100q at %s: it is no directory", e.Name, tip.Short())
		}
		trees[e.Name] = e.OID
	}
	tx.l.listed = directories{tip, trees}
	return trees, nil
}
