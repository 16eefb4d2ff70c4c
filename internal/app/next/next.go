// Package next says what comes next for whoever asks, and who is asked for it.
package next

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Next says what comes next for whoever asks, and who is asked for it.
type Next struct {
	Clone     *clone.Clone
	Config    *config.Config
	Locks     *lock.Locks
	Pipelines *steps.Pipelines
	Place     *worktree.Place
	Records   *records.Records
	Sessions  *session.Sessions
}
