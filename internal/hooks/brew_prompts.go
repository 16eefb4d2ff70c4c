package hooks

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// Prompts is what hooks need of the use cases for prompts and lists of steps. It is part
// of Brew.
type Prompts interface {
	// Steps are the steps of the session that stand in this work tree.
	Steps(ctx context.Context, at Place) (Steps, error)
	// ChangeSteps makes of them what change does, which may be called more than
	// once, and returns them: a proposal while the mode is discussion, which a
	// switch to implementation agrees to. A switch back forgets them.
	ChangeSteps(ctx context.Context, at Place, change func(have Steps) Steps) (Steps, error)

	// ApproveByWord records that the user approved what is in review of a task, by what
	// they said in the session. It gives the phase, or none, and why nothing was recorded;
	// no reason: nothing is in review any more.
	ApproveByWord(ctx context.Context, at Place, id task.ID, which []task.UID) (approved task.Phase, why string, err error)

	// ContextUse reads the end of a transcript.
	ContextUse(ctx context.Context, at Place, transcript string) ContextUse
	// Tell records that the session is told what the marks stand for. It
	// reports false where it was told all of it before, by another run of the
	// same hook, say.
	Tell(ctx context.Context, at Place, marks ...string) (first bool, err error)
}
