package workflow

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
	next      *next.Next
	clone     *clone.Clone
	code      *codediff.Code
	config    *config.Config
	documents *texts.Documents
	engine    *change.Engine
	journal   *journal.Journal
	knowledge *learn.Knowledge
	place     *worktree.Place
	records   *records.Records
}
