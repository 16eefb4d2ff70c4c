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

// blobs are the texts of a repository, and those staged beside. Who folds with
// them looks at err afterwards.
type blobs struct {
	read   func(gitstore.OID) ([]byte, error)
	commit func(gitstore.OID) (gitstore.Commit, error)
	top    func(gitstore.OID) ([]gitstore.Entry, error)
	tree   func(gitstore.OID) ([]gitstore.File, error)
	made   map[string][]byte
	err    error // the first object that may be there and could not be read
	// beyond: a commit was wanted that a shallow clone lacks. Who asks says since
	// when, and whether the record is one that is cut.
	beyond bool
	cut    func() bool
}

func newBlobs(ctx context.Context, repo *gitstore.Repo) *blobs {
	return &blobs{
		read:   func(oid gitstore.OID) ([]byte, error) { return repo.Objects.Blob(ctx, oid) },
		commit: func(oid gitstore.OID) (gitstore.Commit, error) { return repo.Objects.Commit(ctx, oid) },
		top:    func(oid gitstore.OID) ([]gitstore.Entry, error) { return repo.Objects.Tree(ctx, oid) },
		tree:   func(oid gitstore.OID) ([]gitstore.File, error) { return repo.Objects.Files(ctx, oid) },
		made:   map[string][]byte{},
		cut:    repo.Shallow,
	}
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
	data, err := b.read(id)
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
	c, err := b.commit(id)
	if err != nil {
		b.missed("a commit", err)
		b.beyond = b.beyond || errors.Is(err, gitstore.ErrNotExist) && b.cut()
	}
	return c, err == nil
}

// Operation is Texts'.
func (b *blobs) Operation(commit string) (op operation.Operation, on string, ok bool) {
	c, ok := b.past(commit)
	if !ok || len(c.Parents) > 1 {
		return op, "", false
	}
	entries, err := b.top(c.Tree)
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
	list, err := b.tree(c.Tree)
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
