// Package refs reads and moves refs. They are read from their files, by binary search in
// packed-refs where they are packed, and moved by compare-and-swap under git's own
// <ref>.lock; everything unusual (reftable, reflogs, a reference-transaction hook,
// deletions) is done by "git update-ref".
package refs

import (
	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Store is the refs of a repository.
type Store struct {
	at      *place.Place
	config  *config.Store
	objects *odb.Store
}

// New is the refs of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store, objects *odb.Store) *Store {
	return &Store{at: at, config: config, objects: objects}
}
