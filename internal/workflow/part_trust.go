package workflow

import "github.com/git-brew/git-brew/internal/app/clone"

// Trust lists what is used here on trust, and takes the person's word.
type Trust struct {
	clone     *clone.Clone
	config    *Config
	pipelines *Pipelines
	records   *Records
}
