package cli

import (
	"context"
	"os"

	"github.com/git-brew/git-brew/internal/app"
)

// SyncVariable is set in the environment of a sync and of all that it starts: what
// they do starts no other one.
const SyncVariable = "GIT_BREW_SYNC"

// SyncLater starts a sync in the background, where a person agreed to that and
// none is under way. It waits for nothing and says nothing: how the sync ended
// is told by status and doctor. Started: it is on its way.
func SyncLater(e *Env, s *app.App) (started bool) {
	if e.Flags.DryRun || e.Getenv(SyncVariable) != "" {
		return false
	}
	ctx := context.Background() // the command's own may be over
	start, err := s.Exchange.SyncLater(ctx)
	if err != nil || !start {
		return false
	}
	program, err := os.Executable()
	if err != nil {
		return false
	}
	// Where it fails, the next one does it.
	return s.Clone.Repo.Remote.StartDetached(ctx, program, []string{"sync", "--detached"}, SyncVariable+"=1") == nil
}

// TellFree tells the others that a lock is free now, in the background; notes are
// what there was to say of that they do not know yet.
func TellFree(e *Env, s *app.App, notes []string) []string {
	if SyncLater(e, s) && len(notes) > 0 {
		return []string{"others hear of it in the background"}
	}
	return notes
}
