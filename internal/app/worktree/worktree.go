// Package worktree says which task a work tree is about, whether an agent strays from it,
// and how branches of a task and its services are made and left.
package worktree

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// Place says which task a work tree is about, and looks at its files and services.
type Place struct {
	// inside is the service that the caller is in, a submodule of this
	// repository, and at its path here; nil: none. See App.Outer.
	Inside  *gitstore.Repo
	At      string
	Clone   *clone.Clone
	Config  *config.Config
	Records *records.Records
}
