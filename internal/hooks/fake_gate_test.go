package hooks

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/task"
)

// fakeGate plays the part of Brew that judges prompts and writing tools.
type fakeGate struct {
	tops    map[string][]string // the work trees of paths
	runs    map[string]string   // RunsHere, by directory
	targets map[string]worktree.Target
	astray  map[string]*worktree.Astray
	steps   Steps
	use     ContextUse
	// approved is what the user's word approves, unapproved why it does not.
	approved   task.Phase
	unapproved string
	read       int // how often a transcript was
}

func (f *fakeBrew) WorkTrees(_ Place, path string) []string { return f.gate.tops[path] }

func (f *fakeBrew) RunsHere(_ context.Context, _ Place, dir string) (string, error) {
	return f.gate.runs[dir], f.fail["RunsHere"]
}

func (f *fakeBrew) Target(_ context.Context, _ Place, path string) (worktree.Target, error) {
	return f.gate.targets[path], f.fail["Target"]
}

func (f *fakeBrew) Astray(_ context.Context, _ Place, path string) (*worktree.Astray, error) {
	return f.gate.astray[path], f.fail["Astray"]
}

func (f *fakeBrew) Steps(context.Context) (Steps, error) { return f.gate.steps, f.fail["Steps"] }

func (f *fakeBrew) ChangeSteps(_ context.Context, change func(Steps) Steps) (Steps, error) {
	s := change(f.gate.steps)
	err := f.call("SetSteps", s.List, s.Agreed)
	if err == nil {
		f.gate.steps = s
	}
	return f.gate.steps, err
}

func (f *fakeBrew) ApproveByWord(_ context.Context, id task.ID, which []task.UID) (task.Phase, string, error) {
	return f.gate.approved, f.gate.unapproved, f.call("ApproveByWord", id, which)
}

func (f *fakeBrew) ContextUse(_ context.Context, _ string) ContextUse {
	f.gate.read++
	return f.gate.use
}

func (f *fakeBrew) Tell(_ context.Context, marks ...string) (bool, error) {
	if err := f.call("Tell", marks); err != nil {
		return false, err
	}
	first := false
	for _, m := range marks {
		if !slices.Contains(f.view.Session.Told, m) {
			f.view.Session.Told, first = append(f.view.Session.Told, m), true
		}
	}
	return first, nil
}
