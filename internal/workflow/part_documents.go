package workflow

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/trust"
)

// Documents keeps the texts of a task.
type Documents struct {
	clone   *clone.Clone
	code    *codediff.Code
	engine  *change.Engine
	records *records.Records
	trust   *trust.Trust
}
