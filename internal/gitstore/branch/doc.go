// Package branch knows branches, here and of remotes, and what became of their names.
package branch

import (
	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
)

// Branches are those of a repository.
type Branches struct {
	at     *place.Place
	config *config.Store
	refs   *refs.Store
}

// New is the branches of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store, refs *refs.Store) *Branches {
	return &Branches{at: at, config: config, refs: refs}
}
