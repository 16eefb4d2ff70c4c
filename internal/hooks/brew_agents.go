package hooks

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// SubAgents is what hooks need of the use cases for sub-agents alone.
type SubAgents interface {
	// HandTranscript writes what the session said and did since its first edit,
	// as its transcript at path tells, to files for one call that starts a
	// sub-agent. It takes no longer than a hook has; no files: nothing to hand
	// over.
	HandTranscript(ctx context.Context, at Place, path, call string) (Handed, error)
	// AgentFailed records that a worker ended with an error in the phase's current
	// iteration, and what it said as something to avoid; with the last try the
	// phase fails. It gives the phase after that, an empty one where nobody works
	// on it.
	AgentFailed(ctx context.Context, at Place, id task.ID, phase task.UID, agent, text string) (task.Phase, error)
}
