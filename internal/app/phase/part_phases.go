package phase

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Phases plans and moves the phases of a task.
type Phases struct {
	Next      *next.Next
	Clone     *clone.Clone
	Code      *codediff.Code
	Config    *config.Config
	Documents *texts.Documents
	Engine    *change.Engine
	Journal   *journal.Journal
	Knowledge *learn.Knowledge
	Place     *worktree.Place
	Records   *records.Records
}
