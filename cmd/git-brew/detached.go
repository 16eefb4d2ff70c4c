package main

import (
	"context"
	"os"

	"github.com/git-brew/git-brew/internal/workflow"
)

// syncing is set in the environment of a sync and of all that it starts: what
// they do starts no other one.
const syncing = "GIT_BREW_SYNC"

// syncLater starts a sync in the background, where a person agreed to that and
// none is under way. It waits for nothing and says nothing: how the sync ended
// is told by status and doctor.
func (e *env) syncLater(s *workflow.Service) {
	if e.Flags.DryRun {
		return
	}
	if e.Getenv(syncing) != "" {
		return
	}
	ctx := context.Background() // the command's own may be over
	start, err := s.SyncLater(ctx)
	if err != nil || !start {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	_ = s.Repo().StartApart(ctx, program, []string{"sync", "--detached"}, syncing+"=1") // the next one does it
}
