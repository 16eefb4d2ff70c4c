// Package odb is a repository's object database: one reader and one writer of objects.
//
// Loose objects are read and written through go-git's plumbing; what is packed, in an
// alternate or on a promisor remote is asked of one "git cat-file" child, started only
// when needed. Objects and the directories that lead to them are synced before they
// are said to be written.
package odb

import (
	"sync"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Store is the object database of a repository.
type Store struct {
	at     *place.Place
	config *config.Store

	mu       sync.Mutex // guards contents and checks
	contents *batch
	checks   *batch

	prefetched prefetched
}

// New is the object database of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store) *Store { return &Store{at: at, config: config} }

// Close ends the child processes that were started.
func (r *Store) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.contents.close()
	r.checks.close()
	r.contents, r.checks = nil, nil
}
