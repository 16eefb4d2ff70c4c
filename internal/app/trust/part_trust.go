package trust

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/steps"
)

// Trust lists what is used here on trust, and takes the person's word.
type Trust struct {
	Clone     *clone.Clone
	Config    *config.Config
	Pipelines *steps.Pipelines
	Records   *records.Records
}
