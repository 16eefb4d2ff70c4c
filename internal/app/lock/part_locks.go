package lock

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/task"
)

// Locks reads locks, and says who may act under them and how two of them become one.
type Locks struct {
	Claiming task.ID   // the task whose lock is being claimed; see decide
	observed *observed // read on first use
	Clone    *clone.Clone
	Config   *config.Config
	Journal  *journal.Journal
	Records  *records.Records
}
