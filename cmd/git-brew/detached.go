package main

import (
	"context"
	"os"

	"github.com/git-brew/git-brew/internal/workflow"
)

// syncing is set in the environment of a sync and of all that it starts: what
// they do starts no other one.
const syncing = "GIT_BREW_SYNC"

// quiet are variables that keep git, and what it asks for credentials, from
// asking a person who is not there.
func quiet() []string {
	return []string{
		syncing + "=1", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never",
	}
}

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
	start, err := s.SyncLater(context.Background())
	if err != nil || !start {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	_ = s.Repo().StartApart(program, []string{"sync", "--detached"}, quiet()...) // the next one does it
}
