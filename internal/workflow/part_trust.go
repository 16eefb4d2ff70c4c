package workflow

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/steps"
)

// Trust lists what is used here on trust, and takes the person's word.
type Trust struct {
	clone     *clone.Clone
	config    *config.Config
	pipelines *steps.Pipelines
	records   *records.Records
}
