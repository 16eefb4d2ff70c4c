package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// Texts gives folds the contents of blobs, and what a record was before.
type Texts interface {
	Text(oid string) ([]byte, bool)
	// Operation is the one that a commit of the record's history made, and the
	// commit it was made on, "" for none.
	Operation(commit string) (op operation.Operation, on string, ok bool)
	// Files are those of the state at a commit, without their contents.
	Files(commit string) (Files, bool)
}

// blobs are the texts of a repository, and those staged beside, for one fold or change.
// Who folds with them looks at err afterwards.
type blobs struct {
	ctx  context.Context // of the fold: laws know none
	l    *Ledger
	made map[string][]byte
	err  error // the first object that may be there and could not be read
	// beyond: a commit was wanted that a shallow clone lacks. Who asks says since
	// when, and whether the record is one that is cut.
	beyond bool
}

func newBlobs(ctx context.Context, l *Ledger) *blobs {
	return &blobs{ctx: ctx, l: l, made: map[string][]byte{}}
}

// Text returns a blob's content. What an operation names may be no text at all:
// an id of nothing, of a tree, of too large a blob, is none everywhere.
func (b *blobs) Text(oid string) ([]byte, bool) {
	if data, ok := b.made[oid]; ok {
		return data, true
	}
	id, err := gitstore.ParseOID(oid)
	if err != nil {
		return nil, false
	}
	data, err := b.l.repo.Objects.Blob(b.ctx, id)
	if err == nil {
		return data, true
	}
	b.missed("a text", err)
	return nil, false
}

// missed notes why an object could not be read, unless it is none.
func (b *blobs) missed(what string, err error) {
	none := errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrKind) ||
		errors.Is(err, gitstore.ErrTooLarge) || errors.Is(err, operation.ErrInvalid)
	if !none && b.err == nil {
		b.err = fmt.Errorf("read %s: %w", what, err)
	}
}

// past reads a commit that an operation names.
func (b *blobs) past(oid string) (s Step, ok bool) {
	id, err := gitstore.ParseOID(oid)
	if err != nil {
		return s, false
	}
	if s, err = readStep(b.ctx, b.l.repo.Objects.UpTo(gitstore.MaxObjectSize), id); err != nil {
		b.missed("a commit", err)
		b.beyond = b.beyond || errors.Is(err, gitstore.ErrNotExist) && b.l.repo.Shallow()
	}
	return s, err == nil
}

// Operation is Texts'.
func (b *blobs) Operation(commit string) (op operation.Operation, on string, ok bool) {
	s, ok := b.past(commit)
	if !ok || len(s.Parents) > 1 {
		return op, "", false
	}
	if err := b.l.readOperation(b.ctx, &s); err != nil {
		b.missed("an operation", err)
		return op, "", false
	}
	if s.Op == nil {
		return op, "", false
	}
	if len(s.Parents) > 0 {
		on = s.Parents[0].String()
	}
	return *s.Op, on, true
}

// Files is Texts'.
func (b *blobs) Files(commit string) (Files, bool) {
	s, ok := b.past(commit)
	if !ok {
		return nil, false
	}
	files, err := b.l.files(b.ctx, s.tree)
	if err != nil {
		b.missed("a commit", err)
	}
	return files, err == nil
}
