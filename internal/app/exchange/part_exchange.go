package exchange

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
	On        func(repo *gitstore.Repo) *Exchange
	Archive   *archive.Archive
	Clone     *clone.Clone
	Code      *codediff.Code
	Config    *config.Config
	Journal   *journal.Journal
	Locks     *lock.Locks
	Pipelines *steps.Pipelines
	Records   *records.Records
	Trust     *trust.Trust
	Engine    *change.Engine
}
