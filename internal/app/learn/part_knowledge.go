package learn

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/records"
)

// Knowledge keeps what was learned, and the backlog.
type Knowledge struct {
	Clone   *clone.Clone
	Config  *config.Config
	Engine  *change.Engine
	Journal *journal.Journal
	Records *records.Records
}
