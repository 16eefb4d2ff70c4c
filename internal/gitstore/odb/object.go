// Package odb is a repository's object database: one reader and one writer of objects.
//
// Loose objects are read and written through go-git's plumbing; what is packed, in an
// alternate or on a promisor remote is asked of one "git cat-file" child, started only
// when needed. Objects and the directories that lead to them are synced before they
// are said to be written.
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
	"sync"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// MaxObjectSize is the largest object that is read, in bytes. What a stranger
// may have pushed is not taken into memory without a limit.
const MaxObjectSize = 64 << 20

// Store is the object database of a repository.
type Store struct {
	Reader // of objects of any size that is read
	at     *place.Place
	config *config.Store

	mu    sync.Mutex // held while the child is asked
	child *batch

	prefetched prefetched
}

// New is the object database of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store) *Store {
	r := &Store{at: at, config: config}
	r.Reader = r.UpTo(MaxObjectSize)
	return r
}

// Close ends the child process, if one was started.
func (r *Store) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.child.end()
	r.child = nil
}

// rawObject is an object. Where it is larger than was asked for, it comes without its
// data, beside ErrTooLarge.
type rawObject struct {
	kind plumbing.Kind
	size int64
	data []byte
}

func tooLarge(size int64) error { return fmt.Errorf("%d bytes: %w", size, plumbing.ErrTooLarge) }

// Has tells whether an object is there. A loose one may still be corrupt.
func (r *Store) Has(ctx context.Context, id plumbing.OID) (bool, error) {
	if id.IsZero() {
		return false, nil
	}
	if _, err := os.Lstat(r.LoosePath(id)); err == nil {
		return true, nil
	}
	switch _, err := r.ask(ctx, id, 0); {
	case err == nil, errors.Is(err, plumbing.ErrTooLarge):
		return true, nil
	case errors.Is(err, plumbing.ErrNotExist):
		return false, nil
	default:
		return false, fmt.Errorf("look for object %s: %w", id, err)
	}
}

// BlobSize is how many bytes a blob has, its content unread and unchecked.
// ErrNotExist, ErrKind, *CorruptError.
func (r *Store) BlobSize(ctx context.Context, id plumbing.OID) (int64, error) {
	o, err := r.object(ctx, id, 0)
	if err != nil && !errors.Is(err, plumbing.ErrTooLarge) {
		return 0, err
	}
	if o.kind != plumbing.KindBlob {
		return 0, fmt.Errorf("object %s is a %s, %w", id, o.kind, plumbing.ErrKind)
	}
	return o.size, nil
}

// object reads an object of at most limit bytes, and checks it against its id.
func (r *Store) object(ctx context.Context, id plumbing.OID, limit int64) (o rawObject, err error) {
	if id.IsZero() {
		return o, fmt.Errorf("object %s: %w", id, plumbing.ErrNotExist)
	}
	o, known := r.prefetched.get(id)
	if !known {
		o, err = r.loose(id, limit)
	} else if o.size > limit {
		err = tooLarge(o.size)
	}
	var corrupt *plumbing.CorruptError
	garbled := errors.As(err, &corrupt)
	if garbled || errors.Is(err, fs.ErrNotExist) {
		// The child dies of a garbled loose object, or finds none besides.
		o, err = r.ask(ctx, id, limit)
		switch {
		case err == nil && plumbing.HashObject(o.kind, o.data) != id:
			return rawObject{}, &plumbing.CorruptError{OID: id, Err: errors.New("its content has another id")}
		case err != nil && garbled && ctx.Err() == nil && !errors.Is(err, plumbing.ErrTooLarge):
			return rawObject{}, corrupt
		}
	}
	if err != nil {
		return o, fmt.Errorf("object %s: %w", id, err)
	}
	return o, nil
}

// LoosePath is where an object lies that has a file of its own.
func (r *Store) LoosePath(id plumbing.OID) string {
	name := id.String()
	return filepath.Join(r.at.ObjectDir, name[:2], name[2:])
}

// loose reads an object from its own file: fs.ErrNotExist, or *CorruptError.
func (r *Store) loose(id plumbing.OID, limit int64) (o rawObject, err error) {
	file, err := gitfile.OpenRegular(r.LoosePath(id))
	if gitfile.IsNotDir(err) {
		return o, fs.ErrNotExist
	}
	if err != nil {
		return o, err
	}
	defer file.Close()
	o, err = decodeLoose(file, id, limit)
	if _, unread := errors.AsType[*fs.PathError](err); err == nil || unread || errors.Is(err, plumbing.ErrTooLarge) {
		return o, err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("truncated")
	}
	return o, &plumbing.CorruptError{OID: id, Err: err}
}

func decodeLoose(file io.Reader, id plumbing.OID, limit int64) (o rawObject, err error) {
	in, err := objfile.NewReader(file)
	if err != nil {
		return o, err
	}
	defer in.Close()
	typ, size, err := in.Header()
	if err != nil {
		return o, err
	}
	o = rawObject{kind: plumbing.Kind(typ.String()), size: size}
	if !o.kind.Valid() || size < 0 {
		return o, fmt.Errorf("header says %q, %d bytes", typ, size)
	}
	if size > limit {
		return o, tooLarge(size)
	}
	// One byte more than announced shows what doesn't end where it should.
	// The buffer grows with what comes, not with what the header claims.
	buf := bytes.NewBuffer(make([]byte, 0, min(size, 64<<10)+bytes.MinRead))
	n, err := io.Copy(buf, io.LimitReader(in, size+1))
	if err != nil {
		return o, err
	}
	if n != size {
		return o, fmt.Errorf("%d bytes where the header says %d", n, size)
	}
	if (plumbing.OID{B: in.Hash()}) != id {
		return o, errors.New("its content has another id")
	}
	o.data = buf.Bytes()
	return o, nil
}
