package workflow

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/records"
)

// Documents keeps the texts of a task.
type Documents struct {
	clone   *clone.Clone
	code    *codediff.Code
	engine  *change.Engine
	records *records.Records
	trust   *Trust
}
