// Package texts keeps the documents of a task: read, set, edited, merged, checked.
package texts

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/trust"
)

// Documents keeps the texts of a task.
type Documents struct {
	*change.Engine
	Trust *trust.Trust
}
