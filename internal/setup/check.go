package setup

import (
	"context"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
)

// Registration is which of the agent's events call git brew, by settings file.
type Registration struct {
	Local, Shared []string
	// Broken names a settings file that can't be read, Err says why.
	Broken string
	Err    error
}

// Registered reads what init has registered with the agent in this work tree.
func Registered(repo *gitstore.Repo) Registration {
	var r Registration
	w := place{repo, repo.WorkTree()}
	if w.top == "" {
		return r
	}
	for name, to := range map[string]*[]string{localSettings: &r.Local, sharedSettings: &r.Shared} {
		data, err := w.read(filepath.Join(w.top, filepath.FromSlash(name)))
		if err == nil {
			*to, err = hooks.Registered(data)
		}
		if err != nil {
			r.Broken, r.Err = name, err
		}
	}
	return r
}

// Complete says that every event calls git brew.
func (r Registration) Complete() bool {
	return len(r.Local) == len(hooks.Events()) || len(r.Shared) == len(hooks.Events())
}

// Any says that at least one event calls git brew.
func (r Registration) Any() bool { return len(r.Local)+len(r.Shared) > 0 }

// Twice says that both files register hooks: each call is answered twice.
func (r Registration) Twice() bool { return len(r.Local) > 0 && len(r.Shared) > 0 }

// HookMissing says why git's post-rewrite hook does not call git brew where init
// was run, and what to do, as init would; "" where it does, or nobody ran init.
func HookMissing(ctx context.Context, repo *gitstore.Repo) (why string, err error) {
	w := place{repo, repo.WorkTree()}
	m, before, err := w.manifest()
	if err != nil || before == nil {
		return "", err
	}
	var p Plan
	switch _, err := w.planHook(ctx, &p, &m); {
	case err != nil:
		return "", err
	case len(p.Remarks) > 0:
		return p.Remarks[0], nil
	case len(p.Changes) > 0:
		return "git does not run git brew after it rewrote commits: notes stay with the old ones; 'git brew init' puts the hook in", nil
	}
	return "", nil
}
