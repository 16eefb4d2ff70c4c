package setup

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks/settings"
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
	w := planner{repo: repo, top: repo.WorkTree}
	if w.top == "" {
		return r
	}
	for name, to := range map[string]*[]string{localSettings: &r.Local, sharedSettings: &r.Shared} {
		data, err := w.read(filepath.Join(w.top, filepath.FromSlash(name)))
		if err == nil {
			*to, err = settings.Registered(data)
		}
		if err != nil {
			r.Broken, r.Err = name, err
		}
	}
	return r
}

// MissingHook is one of git's hooks that does not call git brew, and why: what
// is so, and what to do.
type MissingHook struct{ Name, Why string }

// HooksMissing says which of git's hooks do not call git brew where init was run;
// none where nobody ran init.
func HooksMissing(ctx context.Context, repo *gitstore.Repo) ([]MissingHook, error) {
	w, err := newPlanner(repo, "")
	if err != nil || len(w.manifest.WorkTrees) == 0 {
		return nil, err
	}
	dir, err := w.hooksDir(ctx)
	if err != nil {
		return nil, err
	}
	var missing []MissingHook
	for _, hook := range gitHooks() {
		w.Plan = Plan{}
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			w.remark("git's hooks are turned off (core.hooksPath is %s)", dir)
		} else if _, err := w.planHook(ctx, dir, hook); err != nil {
			return missing, err
		}
		switch {
		case len(w.Remarks) > 0:
			missing = append(missing, MissingHook{hook.name, w.Remarks[0]})
		case len(w.Changes) > 0:
			missing = append(missing, MissingHook{hook.name, hook.lost + "; 'git brew init' puts the hook in"})
		}
	}
	return missing, nil
}

// AgentSettings are the files in which the agent's client may find git brew's
// hooks, or be told to leave them out, there or not: of each of the directories
// that it may have been started in, and of its user's (claude.Dir). Empty ones
// are passed over.
func AgentSettings(workTree, projectDir, client string) []string {
	var files []string
	for _, top := range []string{workTree, projectDir} {
		if top != "" {
			files = append(files, filepath.Join(top, localSettings), filepath.Join(top, sharedSettings))
		}
	}
	if client != "" {
		files = append(files, filepath.Join(client, filepath.Base(localSettings)),
			filepath.Join(client, filepath.Base(sharedSettings)))
	}
	return files
}
