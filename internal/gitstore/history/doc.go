// Package history asks what leads to which commit, and who signed it.
package history

import (
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// History is what the commits of a repository make together.
type History struct {
	at      *place.Place
	objects *odb.Store
}

// New is the history of a repository; nothing is read yet.
func New(at *place.Place, objects *odb.Store) *History { return &History{at: at, objects: objects} }
