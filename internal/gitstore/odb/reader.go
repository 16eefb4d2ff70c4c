package odb

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Reader reads objects as Store does, up to a size: what is larger is
// ErrTooLarge, and its content is not read.
type Reader struct {
	repo  *Store
	limit int64
}

// UpTo reads objects of at most limit bytes, and never more than MaxObjectSize.
func (r *Store) UpTo(limit int64) Reader { return Reader{r, min(limit, MaxObjectSize)} }

// Commit reads a commit. ErrNotExist, *CorruptError.
func (b Reader) Commit(ctx context.Context, id plumbing.OID) (plumbing.Commit, error) {
	o, err := b.repo.object(ctx, id, b.limit)
	return decoded(id, o, err, plumbing.KindCommit, plumbing.DecodeCommit)
}

// Tree lists a tree. It takes no commit for one.
func (b Reader) Tree(ctx context.Context, id plumbing.OID) ([]plumbing.Entry, error) {
	o, err := b.repo.object(ctx, id, b.limit)
	return decoded(id, o, err, plumbing.KindTree, plumbing.DecodeTree)
}

// Blob reads a blob. ErrNotExist: no such object. ErrKind: it is no blob.
// *CorruptError: truncated, garbled, or not what its id says.
func (b Reader) Blob(ctx context.Context, id plumbing.OID) ([]byte, error) {
	o, err := b.repo.object(ctx, id, b.limit)
	return decoded(id, o, err, plumbing.KindBlob, func(data []byte) ([]byte, error) { return data, nil })
}

// decoded is what an object of a kind holds, or why it is not known.
func decoded[T any](id plumbing.OID, o rawObject, err error, want plumbing.Kind,
	decode func([]byte) (T, error),
) (T, error) {
	var v T
	if err == nil && o.kind != want {
		err = fmt.Errorf("object %s is a %s, %w", id, o.kind, plumbing.ErrKind)
	}
	if err == nil {
		if v, err = decode(o.data); err != nil {
			err = &plumbing.CorruptError{OID: id, Err: err}
		}
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", want, err)
	}
	return v, err
}

// Tree lists a tree, or a commit's tree, in git's order.
func (r *Store) Tree(ctx context.Context, id plumbing.OID) ([]plumbing.Entry, error) {
	o, err := r.object(ctx, id, MaxObjectSize)
	if err == nil && o.kind == plumbing.KindCommit {
		c, err := decoded(id, o, nil, plumbing.KindCommit, plumbing.DecodeCommit)
		if err != nil {
			return nil, err
		}
		return r.Reader.Tree(ctx, c.Tree)
	}
	return decoded(id, o, err, plumbing.KindTree, plumbing.DecodeTree)
}

// Files lists everything under a tree, or a commit's tree, in git's order,
// without the directories themselves. A path that could lead out of a
// directory, into .git, or hold control characters is an error.
func (r *Store) Files(ctx context.Context, id plumbing.OID) ([]File, error) {
	var files []File
	if err := r.walk(ctx, id, "", 0, &files); err != nil {
		var corrupt *plumbing.CorruptError
		if errors.As(err, &corrupt) && corrupt.OID == id {
			return nil, corrupt // it names the object
		}
		return nil, fmt.Errorf("list files of %s: %w", id, err)
	}
	return files, nil
}

func (r *Store) walk(ctx context.Context, id plumbing.OID, prefix string, depth int, files *[]File) error {
	if depth > maxDepth {
		return fmt.Errorf("directories below %q: %w", prefix, plumbing.ErrTooLarge)
	}
	entries, err := r.Tree(ctx, id)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if fault := plumbing.NameFault(e.Name); fault != "" {
			return &plumbing.CorruptError{OID: id, Err: fmt.Errorf("name %.100q %s", e.Name, fault)}
		}
		path := prefix + e.Name
		if e.Mode == plumbing.ModeDir {
			if err := r.walk(ctx, e.OID, path+"/", depth+1, files); err != nil {
				return err
			}
			continue
		}
		if len(*files) == MaxFiles {
			return fmt.Errorf("more than %d files: %w", MaxFiles, plumbing.ErrTooLarge)
		}
		*files = append(*files, File{Path: path, Mode: e.Mode, OID: e.OID})
	}
	return nil
}

// File is an entry under its path from the top of the tree, with slashes.
type File struct {
	Path string
	Mode plumbing.Mode
	OID  plumbing.OID
}

// MaxFiles limits a recursive listing, and maxDepth how deep it goes: a small
// tree can be made to unfold without end.
const (
	MaxFiles = 1_000_000
	maxDepth = 64
)

// RevList asks git rev-list what is reachable from some commits and not from others: a
// commit, and what else the arguments ask for, a line. What it lists before an error is
// given, too.
func (r *Store) RevList(ctx context.Context, from, without []plumbing.OID, args ...string) ([][]plumbing.OID, error) {
	revs := bytes.NewBuffer(oidLines(from))
	for _, id := range without {
		if !id.IsZero() {
			revs.WriteString("^" + id.String() + "\n")
		}
	}
	stored := *r.at.Git // not as somebody's replacements have it
	stored.Env = stored.Env.With("GIT_NO_REPLACE_OBJECTS=1")
	out, err := stored.Input(ctx, revs.Bytes(), slices.Concat([]string{"rev-list"}, args, []string{"--stdin"})...)
	if err != nil {
		err = fmt.Errorf("list commits: %w", err)
	}
	var lines [][]plumbing.OID
	for text := range strings.Lines(string(out)) {
		var line []plumbing.OID
		for field := range strings.FieldsSeq(text) {
			id, perr := plumbing.ParseOID(field)
			if perr != nil {
				return lines, cmp.Or(err, fmt.Errorf("list commits: %w", perr))
			}
			line = append(line, id)
		}
		lines = append(lines, line)
	}
	return lines, err
}

func oidLines(ids []plumbing.OID) []byte {
	var lines bytes.Buffer
	for _, id := range ids {
		lines.WriteString(id.String() + "\n")
	}
	return lines.Bytes()
}
