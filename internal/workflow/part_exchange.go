package workflow

import (
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// Exchange settles records with those of a remote.
type Exchange struct {
	// on is the same on another repository.
	on        func(repo *gitstore.Repo) *Exchange
	archive   *archive.Archive
	clone     *clone.Clone
	code      *codediff.Code
	config    *config.Config
	journal   *journal.Journal
	locks     *lock.Locks
	pipelines *steps.Pipelines
	records   *records.Records
	trust     *trust.Trust
	engine    *change.Engine
}
