// Package remote runs the git processes that talk to a remote, and those that outlive
// this one.
package remote

import (
	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Client runs git against the remotes of a repository.
type Client struct {
	at     *place.Place
	config *config.Store
}

// New is a client of a repository's remotes.
func New(at *place.Place, config *config.Store) *Client { return &Client{at: at, config: config} }
