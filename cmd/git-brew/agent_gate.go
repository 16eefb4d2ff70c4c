package main

import (
	"cmp"
	"context"
	"path/filepath"
	"strconv"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/workflow"
)

// gate adds to a view what prompts and the gate obey.
func (a *agent) gate(v workflow.AgentView, out *hooks.View) {
	out.Guarded, out.Bypassed, out.Session.Told = v.Guarded, v.Off != "", v.Session.Told
	set := v.Settings
	g := hooks.GateSettings{ReadOnly: set.List(workflow.KeyReadOnly), Ultrathink: set.Bool(workflow.KeyUltrathink)}
	for _, kind := range workflow.TriggerKinds() {
		switch kind {
		case workflow.TriggerImplementation, workflow.TriggerStop:
		case workflow.TriggerApprove:
			g.Approvals = set.List(kind.Key())
		default:
			g.Protocols = append(g.Protocols, hooks.Protocol{Kind: string(kind), Phrases: set.List(kind.Key())})
		}
	}
	for _, at := range set.List(workflow.KeyContextWarnAt) {
		if n, err := strconv.Atoi(at); err == nil {
			g.WarnAt = append(g.WarnAt, n)
		}
	}
	switch set.Text(workflow.KeyGateSteps) {
	case workflow.StepsAgreed:
		g.Steps = hooks.StepsAgreed
	case workflow.StepsFirst:
		g.Steps = hooks.StepsFirst
	}
	out.Settings.GateSettings = g
}

// topOf is the top of a work tree that is a repository's own by where it lies: what
// core.worktree says could be anybody's.
func topOf(r *gitstore.Repo) string {
	if top := r.WorkTree(); r.GitDir() == filepath.Join(top, ".git") || r.WorktreeID() != "" {
		return top
	}
	return ""
}

func (a *agent) WorkTrees(p hooks.Place, path string) []string {
	return workflow.WorkTreesOf(path, cmp.Or(p.Cwd, a.env.Dir), a.env.Getenv("HOME"))
}

func (a *agent) RunsHere(_ context.Context, p hooks.Place, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		// As it is written: what lies behind a link the system finds.
		dir = cmp.Or(p.Cwd, a.env.Dir) + string(filepath.Separator) + dir
	}
	started := p
	started.Here = cmp.Or(p.ProjectDir, p.Here)
	var trusted []string
	for _, at := range []hooks.Place{p, started} {
		if s, err := a.at(at); err == nil { // else nothing is the user's own there
			trusted = append(trusted, s.Repo().CommonDir())
		}
	}
	return place.RunsHere(dir, a.env.Environ, trusted...), nil
}

func (a *agent) Target(ctx context.Context, p hooks.Place, path string) (hooks.Target, error) {
	s, err := a.at(p)
	if err != nil {
		return hooks.Target{}, err
	}
	home := a.env.Getenv("HOME")
	keep := setup.AgentSettings(s.Repo().WorkTree(), p.ProjectDir, hooks.ClientDir(a.env.Getenv))
	if state := a.env.stateDir(); state != "" && p.Session != "" { // where the session started
		keep = append(keep, startFile(state, p.Session))
	}
	t, err := s.Target(ctx, path, home, keep)
	return hooks.Target(t), err
}

func (a *agent) Astray(ctx context.Context, p hooks.Place, path string) (*hooks.Astray, error) {
	s, err := a.at(p)
	if err != nil {
		return nil, err
	}
	where, err := s.Astray(ctx, path)
	if where == nil || err != nil {
		return nil, err
	}
	return (*hooks.Astray)(where), nil
}

func (a *agent) Steps(ctx context.Context, p hooks.Place) (hooks.Steps, error) {
	s, err := a.at(p)
	if err != nil {
		return hooks.Steps{}, err
	}
	have, err := s.Steps(ctx)
	return hookSteps(have), err
}

func (a *agent) ApproveByWord(ctx context.Context, p hooks.Place, id task.ID, which []task.UID) (task.Phase, string, error) {
	s, err := a.at(p)
	if err != nil {
		return task.Phase{}, "", err
	}
	r, err := s.ApproveByWord(ctx, id, which)
	return r.Phase, r.Why, unable(ctx, s, err)
}

func hookSteps(s workflow.Steps) hooks.Steps {
	return hooks.Steps{List: s.List, IDs: s.IDs, Done: s.Done, Agreed: s.Agreed}
}

func (a *agent) ChangeSteps(ctx context.Context, p hooks.Place, change func(hooks.Steps) hooks.Steps) (hooks.Steps, error) {
	s, err := a.at(p)
	if err != nil {
		return hooks.Steps{}, err
	}
	now, err := s.ChangeSteps(ctx, func(have workflow.Steps) workflow.Steps {
		next := change(hookSteps(have))
		return workflow.Steps{List: next.List, IDs: next.IDs, Done: next.Done, Agreed: next.Agreed}
	})
	return hookSteps(now), err
}

func (a *agent) Tell(ctx context.Context, p hooks.Place, marks ...string) (bool, error) {
	s, err := a.at(p)
	if err != nil {
		return false, err
	}
	return s.Tell(ctx, marks...)
}

func (a *agent) ContextUse(ctx context.Context, p hooks.Place, path string) hooks.ContextUse {
	s, err := a.at(p)
	if err != nil {
		return hooks.ContextUse{}
	}
	return hooks.ContextUse(s.ContextUse(ctx, path))
}
