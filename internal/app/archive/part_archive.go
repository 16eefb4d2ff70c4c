package archive

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
)

// Archive puts ended tasks away and finds them again.
type Archive struct {
	Clone   *clone.Clone
	Config  *config.Config
	Locks   *lock.Locks
	Records *records.Records
}
