package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Texts gives folds the contents of blobs.
type Texts interface {
	Text(oid string) ([]byte, bool)
}

// blobs are the texts of a repository, and those staged beside. Who folds with
// them looks at err afterwards.
type blobs struct {
	read   func(gitstore.OID) ([]byte, error)
	staged map[string][]byte
	err    error // the first blob that may be there and could not be read
}

func newBlobs(ctx context.Context, repo *gitstore.Repo) *blobs {
	return &blobs{
		read:   func(oid gitstore.OID) ([]byte, error) { return repo.Blob(ctx, oid) },
		staged: map[string][]byte{},
	}
}

// Text returns a blob's content. What an operation names may be no text at all:
// an id of nothing, of a tree, of too large a blob, is none everywhere.
func (b *blobs) Text(oid string) ([]byte, bool) {
	if data, ok := b.staged[oid]; ok {
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
	none := errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrKind) || errors.Is(err, gitstore.ErrTooLarge)
	if !none && b.err == nil {
		b.err = fmt.Errorf("read a text: %w", err)
	}
	return nil, false
}
