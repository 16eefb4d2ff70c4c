// Package worktree looks at a work tree and has git switch it.
package worktree

import (
	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
)

// Tree is a work tree.
type Tree struct {
	at     *place.Place
	config *config.Store
	refs   *refs.Store
}

// New is the work tree of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store, refs *refs.Store) *Tree {
	return &Tree{at: at, config: config, refs: refs}
}
