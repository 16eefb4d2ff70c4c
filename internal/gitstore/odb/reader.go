package odb

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// Reader reads objects as Repo does, up to a size: what is larger is
// ErrTooLarge, and its content is not read.
type Reader struct {
	repo  *Store
	limit int64
}

// UpTo reads objects of at most limit bytes, and never more than MaxObjectSize.
func (r *Store) UpTo(limit int64) Reader { return Reader{r, min(limit, MaxObjectSize)} }

// Commit reads a commit.
func (b Reader) Commit(ctx context.Context, id plumbing.OID) (plumbing.Commit, error) {
	data, err := b.read(ctx, id, plumbing.KindCommit)
	if err != nil {
		return plumbing.Commit{}, err
	}
	c, err := plumbing.DecodeCommit(data)
	if err != nil {
		return plumbing.Commit{}, fmt.Errorf("read commit: %w", &plumbing.CorruptError{OID: id, Err: err})
	}
	return c, nil
}

// Tree lists a tree. It takes no commit for one.
func (b Reader) Tree(ctx context.Context, id plumbing.OID) ([]plumbing.Entry, error) {
	data, err := b.read(ctx, id, plumbing.KindTree)
	if err != nil {
		return nil, err
	}
	entries, err := plumbing.DecodeTree(data)
	if err != nil {
		return nil, fmt.Errorf("read tree: %w", &plumbing.CorruptError{OID: id, Err: err})
	}
	return entries, nil
}

// Blob reads a blob.
func (b Reader) Blob(ctx context.Context, id plumbing.OID) ([]byte, error) {
	return b.read(ctx, id, plumbing.KindBlob)
}

func (b Reader) read(ctx context.Context, id plumbing.OID, want plumbing.Kind) ([]byte, error) {
	k, data, err := b.repo.objectUpTo(ctx, id, b.limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", want, err)
	}
	if k != want {
		return nil, fmt.Errorf("read %s: object %s is a %s, %w", want, id, k, plumbing.ErrKind)
	}
	return data, nil
}

// BlobSize is how many bytes a blob has, its content unread and unchecked.
// ErrNotExist, ErrKind, *CorruptError.
func (r *Store) BlobSize(ctx context.Context, id plumbing.OID) (int64, error) {
	k, size, err := r.sizeOf(ctx, id)
	if err != nil {
		return 0, fmt.Errorf("look for object %s: %w", id, err)
	}
	if k != plumbing.KindBlob {
		return 0, fmt.Errorf("object %s is a %s, %w", id, k, plumbing.ErrKind)
	}
	return size, nil
}

func (r *Store) sizeOf(ctx context.Context, id plumbing.OID) (plumbing.Kind, int64, error) {
	if id.IsZero() {
		return "", 0, plumbing.ErrNotExist
	}
	if o, known := r.prefetched.get(id); known {
		return o.kind, int64(len(o.data)), nil
	}
	file, err := gitfile.OpenRegular(r.LoosePath(id))
	if errors.Is(err, fs.ErrNotExist) || gitfile.IsNotDir(err) {
		k, _, size, err := r.ask(ctx, &r.checks, id, 0)
		return k, size, err
	}
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	in, err := objfile.NewReader(file)
	if err != nil {
		return "", 0, &plumbing.CorruptError{OID: id, Err: truncated(err)}
	}
	defer in.Close()
	k, size, err := looseHeader(in)
	if err != nil {
		return "", 0, &plumbing.CorruptError{OID: id, Err: err}
	}
	return k, size, nil
}

// Commit reads a commit. ErrNotExist, *CorruptError.
func (r *Store) Commit(ctx context.Context, id plumbing.OID) (plumbing.Commit, error) {
	return r.UpTo(MaxObjectSize).Commit(ctx, id)
}

// Tree lists a tree, or a commit's tree, in git's order.
func (r *Store) Tree(ctx context.Context, id plumbing.OID) ([]plumbing.Entry, error) {
	entries, err := r.tree(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read tree: %w", err)
	}
	return entries, nil
}

func (r *Store) tree(ctx context.Context, id plumbing.OID) ([]plumbing.Entry, error) {
	k, data, err := r.Object(ctx, id)
	if err != nil {
		return nil, err
	}
	if k == plumbing.KindCommit {
		c, err := plumbing.DecodeCommit(data)
		if err != nil {
			return nil, &plumbing.CorruptError{OID: id, Err: err}
		}
		id = c.Tree
		if k, data, err = r.Object(ctx, id); err != nil {
			return nil, err
		}
	}
	if k != plumbing.KindTree {
		return nil, fmt.Errorf("object %s is a %s, %w", id, k, plumbing.ErrKind)
	}
	entries, err := plumbing.DecodeTree(data)
	if err != nil {
		return nil, &plumbing.CorruptError{OID: id, Err: err}
	}
	return entries, nil
}

// Files lists everything under a tree, or a commit's tree, in git's order,
// without the directories themselves. A path that could lead out of a
// directory, into .git, or hold control characters is an error.
func (r *Store) Files(ctx context.Context, id plumbing.OID) ([]File, error) {
	var files []File
	if err := r.walk(ctx, id, "", 0, &files); err != nil {
		var corrupt *plumbing.CorruptError
		if errors.As(err, &corrupt) && corrupt.OID == id {
			return nil, err // it names the object
		}
		return nil, fmt.Errorf("list files of %s: %w", id, err)
	}
	return files, nil
}

func (r *Store) walk(ctx context.Context, id plumbing.OID, prefix string, depth int, files *[]File) error {
	if depth > maxDepth {
		return fmt.Errorf("directories below %q: %w", prefix, plumbing.ErrTooLarge)
	}
	entries, err := r.tree(ctx, id)
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
	revs := bytes.NewBuffer(OIDLines(from))
	for _, id := range without {
		if !id.IsZero() {
			revs.WriteString("^" + id.String() + "\n")
		}
	}
	out, err := r.at.Git.AsStored(ctx, revs.Bytes(), slices.Concat([]string{"rev-list"}, args, []string{"--stdin"})...)
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

// OIDLines are ids, a line each.
func OIDLines(ids []plumbing.OID) []byte {
	var lines bytes.Buffer
	for _, id := range ids {
		lines.WriteString(id.String() + "\n")
	}
	return lines.Bytes()
}
