package workflow

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/records"
)

// Knowledge keeps what was learned, and the backlog.
type Knowledge struct {
	clone   *clone.Clone
	config  *config.Config
	engine  *change.Engine
	journal *journal.Journal
	records *records.Records
}
