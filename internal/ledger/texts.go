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
	repo *gitstore.Repo
	made map[string][]byte
	err  error // the first object that may be there and could not be read
	// beyond: a commit was wanted that a shallow clone lacks. Who asks says since
	// when, and whether the record is one that is cut.
	beyond bool
}

func newBlobs(ctx context.Context, repo *gitstore.Repo) *blobs {
	return &blobs{ctx: ctx, repo: repo, made: map[string][]byte{}}
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
	data, err := b.repo.Objects.Blob(b.ctx, id)
	if err == nil {
		return data, true
	}
	b.missed("a text", err)
	return nil, false
}

// missed notes why an object could not be read, unless it is none.
func (b *blobs) missed(what string, err error) {
	none := errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrKind) ||
		errors.Is(err, gitstore.ErrTooLarge)
	if !none && b.err == nil {
		b.err = fmt.Errorf("read %s: %w", what, err)
	}
}

// past reads a commit that an operation names.
func (b *blobs) past(oid string) (gitstore.Commit, bool) {
	id, err := gitstore.ParseOID(oid)
	if err != nil {
		return gitstore.Commit{}, false
	}
	c, err := b.repo.Objects.Commit(b.ctx, id)
	if err != nil {
		b.missed("a commit", err)
		b.beyond = b.beyond || errors.Is(err, gitstore.ErrNotExist) && b.repo.Shallow()
	}
	return c, err == nil
}

// Operation is Texts'.
func (b *blobs) Operation(commit string) (op operation.Operation, on string, ok bool) {
	c, ok := b.past(commit)
	if !ok || len(c.Parents) > 1 {
		return op, "", false
	}
	entries, err := b.repo.Objects.Tree(b.ctx, c.Tree)
	if err != nil {
		b.missed("a commit", err)
		return op, "", false
	}
	e, ok := entryNamed(entries, opFile)
	if !ok {
		return op, "", false
	}
	data, ok := b.Text(e.OID.String())
	if !ok {
		return op, "", false
	}
	if len(c.Parents) > 0 {
		on = c.Parents[0].String()
	}
	op, err = operation.Decode(data)
	return op, on, err == nil
}

// Files is Texts'.
func (b *blobs) Files(commit string) (Files, bool) {
	c, ok := b.past(commit)
	if !ok {
		return nil, false
	}
	list, err := b.repo.Objects.Files(b.ctx, c.Tree)
	if err != nil {
		b.missed("a commit", err)
		return nil, false
	}
	files := make(Files, len(list))
	for _, f := range list {
		if f.Path != opFile {
			files[f.Path] = File{OID: f.OID.String()}
		}
	}
	return files, true
}
