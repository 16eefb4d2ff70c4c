// Package config reads and changes git's configuration, and says who the person is by it.
package config

import (
	"sync"

	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Store is the configuration of a repository.
type Store struct {
	at *place.Place

	configMu sync.Mutex // guards config; held while git is asked
	config   *Config
}

// New is the configuration of a repository; nothing is read yet.
func New(at *place.Place) *Store { return &Store{at: at} }
