package odb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// MaxObjectSize is the largest object that is read, in bytes. What a stranger
// may have pushed is not taken into memory without a limit.
const MaxObjectSize = 64 << 20

// Blob reads a blob. ErrNotExist: no such object. ErrKind: it is no blob.
// *CorruptError: truncated, garbled, or not what its id says.
func (r *Store) Blob(ctx context.Context, id plumbing.OID) ([]byte, error) {
	return r.UpTo(MaxObjectSize).Blob(ctx, id)
}

// Has tells whether an object is there. A loose one may still be corrupt.
func (r *Store) Has(ctx context.Context, id plumbing.OID) (bool, error) {
	if id.IsZero() {
		return false, nil
	}
	if _, err := os.Lstat(r.LoosePath(id)); err == nil {
		return true, nil
	}
	_, _, _, err := r.ask(ctx, &r.checks, id, 0)
	if errors.Is(err, plumbing.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for object %s: %w", id, err)
	}
	return true, nil
}

// Object reads an object of any kind, and checks it against its id.
func (r *Store) Object(ctx context.Context, id plumbing.OID) (plumbing.Kind, []byte, error) {
	return r.objectUpTo(ctx, id, MaxObjectSize)
}

// objectUpTo is object with a limit of its own: ErrTooLarge, unread.
func (r *Store) objectUpTo(ctx context.Context, id plumbing.OID, limit int64) (plumbing.Kind, []byte, error) {
	if id.IsZero() {
		return "", nil, fmt.Errorf("object %s: %w", id, plumbing.ErrNotExist)
	}
	if o, known := r.prefetched.get(id); known && int64(len(o.data)) <= limit {
		return o.kind, o.data, nil
	}
	k, data, err := r.looseUpTo(id, limit)
	if err == nil {
		return k, data, nil
	}
	var corrupt *plumbing.CorruptError
	garbled := errors.As(err, &corrupt)
	if !garbled && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("object %s: %w", id, err)
	}
	k, data, _, packedErr := r.ask(ctx, &r.contents, id, limit)
	switch {
	case packedErr == nil:
	case ctx.Err() != nil || errors.Is(packedErr, plumbing.ErrTooLarge):
		return "", nil, fmt.Errorf("object %s: %w", id, packedErr)
	case garbled:
		// The child dies of a garbled loose object, or finds none besides.
		return "", nil, corrupt
	default:
		return "", nil, fmt.Errorf("object %s: %w", id, packedErr)
	}
	if plumbing.HashObject(k, data) != id {
		return "", nil, &plumbing.CorruptError{OID: id, Err: errors.New("its content has another id")}
	}
	return k, data, nil
}

func (r *Store) LoosePath(id plumbing.OID) string {
	name := id.String()
	return filepath.Join(r.at.ObjectDir(), name[:2], name[2:])
}

// looseUpTo reads an object from its own file: fs.ErrNotExist, or *CorruptError.
func (r *Store) looseUpTo(id plumbing.OID, limit int64) (plumbing.Kind, []byte, error) {
	file, err := gitfile.OpenRegular(r.LoosePath(id))
	if gitfile.IsNotDir(err) {
		return "", nil, fs.ErrNotExist
	}
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	k, data, err := decodeLoose(file, id, limit)
	if err == nil || errors.Is(err, plumbing.ErrTooLarge) {
		return k, data, err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return "", nil, err
	}
	return "", nil, &plumbing.CorruptError{OID: id, Err: err}
}

// looseHeader reads what an object's file begins with.
func looseHeader(in *objfile.Reader) (plumbing.Kind, int64, error) {
	typ, size, err := in.Header()
	if err != nil {
		return "", 0, truncated(err)
	}
	k, ok := plumbing.KindOf(typ)
	if !ok || size < 0 {
		return "", 0, fmt.Errorf("header says %q, %d bytes", typ, size)
	}
	return k, size, nil
}

func decodeLoose(file io.Reader, id plumbing.OID, limit int64) (plumbing.Kind, []byte, error) {
	in, err := objfile.NewReader(file)
	if err != nil {
		return "", nil, truncated(err)
	}
	defer in.Close()
	k, size, err := looseHeader(in)
	if err != nil {
		return "", nil, err
	}
	if size > limit {
		return "", nil, fmt.Errorf("%d bytes: %w", size, plumbing.ErrTooLarge)
	}
	// One byte more than announced shows what doesn't end where it should.
	// The buffer grows with what comes, not with what the header claims.
	buf := bytes.NewBuffer(make([]byte, 0, min(size, 64<<10)+bytes.MinRead))
	n, err := io.Copy(buf, io.LimitReader(in, size+1))
	if err != nil {
		return "", nil, truncated(err)
	}
	if n != size {
		return "", nil, fmt.Errorf("%d bytes where the header says %d", n, size)
	}
	if (plumbing.OID{B: in.Hash()}) != id {
		return "", nil, errors.New("its content has another id")
	}
	return k, buf.Bytes(), nil
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("truncated")
	}
	return err
}
