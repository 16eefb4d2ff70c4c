// Package texts keeps the documents of a task: read, set, edited, merged, checked.
package texts

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/trust"
)

// Documents keeps the texts of a task.
type Documents struct {
	Clone   *clone.Clone
	Code    *codediff.Code
	Engine  *change.Engine
	Records *records.Records
	Trust   *trust.Trust
}
