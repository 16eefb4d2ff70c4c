// Package journal keeps what happened in sessions, without secrets, and sums it up.
package journal

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/redact"
)

// Journal keeps what happened in sessions, without secrets.
type Journal struct {
	secrets redact.Redactor
	tookOut []string // see TookOut
	Clone   *clone.Clone
	Config  *config.Config
}
