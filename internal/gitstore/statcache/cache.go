// Package statcache keeps answers for as long as the files that they came from stay what
// they were.
package statcache

import (
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Cache keeps answers in a repository's cache directory.
type Cache struct {
	at *place.Place
}

// New is the cache of a repository.
func New(at *place.Place) *Cache { return &Cache{at: at} }
