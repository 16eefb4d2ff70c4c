package hooks

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// Gate is what hooks need of the use cases to judge prompts and the tools that
// write. It is part of Brew.
type Gate interface {
	// WorkTrees are the tops of the work trees that a path lies in which a tool is
	// about to write: several where it may mean several files.
	WorkTrees(at Place, path string) []string
	// Target says where a path leads that a tool is about to write; relative
	// ones start where the agent is.
	Target(ctx context.Context, at Place, path string) (Target, error)
	// RunsHere says why git, started in dir, may run a program that the directory
	// itself names, as the end of a sentence ("it is a bare repository"); "" where it
	// does not. A relative dir starts where the agent is; empty: it is that place.
	// What the repository of the call, and that of the session's start, name is the
	// user's own. It starts no process.
	RunsHere(ctx context.Context, at Place, dir string) (what string, err error)
	// Astray says whether writing there leaves the branch or the work tree of
	// the session's task (brew.gate.branch); nil: no.
	Astray(ctx context.Context, at Place, path string) (*Astray, error)

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
