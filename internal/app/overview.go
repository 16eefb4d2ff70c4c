package app

import (
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Overview looks at tasks: lists, a status, the task that a name or a branch means.
type Overview struct {
	next     *next.Next
	claims   *claim.Claims
	clone    *clone.Clone
	config   *config.Config
	locks    *lock.Locks
	place    *worktree.Place
	records  *records.Records
	sessions *session.Sessions
}
