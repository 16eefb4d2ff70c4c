// Package setup plans what init and uninit change in a person's files, and
// carries a plan out: the repository's git configuration, the agent's settings,
// the list of files that git leaves alone, git's post-rewrite and pre-push
// hooks. A plan is made without touching anything, can be shown as a diff, and
// is applied file by file, each atomically; where one fails, those before it go
// back.
//
// It never follows a symbolic link out of the repository, never edits a hook
// that git tracks or that other repositories use, and never takes out what it
// did not put in.
//
// Glossary
//
//	plan      the changes of files, in order, and remarks on what was left alone
//	change    one file as it is and as it is to be; or one moved
//	manifest  what init made that the files themselves don't tell
//	ours      put there by git brew
package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks/settings"
)

// Options say what to set up, or to take out.
type Options struct {
	// Agents are the clients to set up, by their names in settings.Clients; none: Claude
	// Code.
	Agents []string
	// NoAgent leaves the agent's settings alone.
	NoAgent bool
	// NoAllow adds none of the rules by which the agent is not asked about git
	// brew's own commands.
	NoAllow bool
	// AgentsFile adds a few lines on git brew to AGENTS.md.
	AgentsFile bool
	// Shared registers the agent's hooks in the settings that are committed.
	Shared bool
	// Remote is the one that state is shared with; empty: git fetch brings
	// tasks from every remote, and which one is shared with stays open.
	Remote string
	// Namespace is what the names of records begin with on remotes, with a
	// slash at its end: config.Config.Namespace. Empty: ledger.Prefix.
	Namespace string
	// Version is this program's, for the marks of the files that it writes whole.
	Version string
}

// The agent's settings files, relative to the work tree.
const (
	agentDir       = ".claude"
	localSettings  = agentDir + "/settings.local.json"
	sharedSettings = agentDir + "/settings.json"
)

// Init plans what to add. What is there already is no part of the plan, so that
// a second init has nothing to do. The errors are ErrNoRemote and
// settings.ErrSettings, and what reading files gives.
func Init(ctx context.Context, repo *gitstore.Repo, o Options) (Plan, error) {
	w, err := newPlanner(repo, o.Namespace)
	if err != nil {
		return Plan{}, err
	}
	w.noteMade(manifestPath(w.repo))
	_, again := w.manifest.WorkTrees[w.key]
	if !again {
		if w.manifest.WorkTrees == nil {
			w.manifest.WorkTrees = map[string]*workTree{}
		}
		w.manifest.WorkTrees[w.key] = w.tree
	}
	var unseen, shown []string // files in the work tree that git need not see, and that it shall
	if !o.NoAgent {
		if unseen, shown, err = w.planAgents(ctx, o); err != nil {
			return w.Plan, err
		}
	}
	if o.AgentsFile && w.top != "" {
		if err := planAgentsFile(w, true, o.Version); err != nil {
			return w.Plan, err
		}
	}
	made, err := w.planHooks(ctx)
	if err != nil {
		return w.Plan, err
	}
	if err := w.planExclude(ctx, append(unseen, made...), shown); err != nil {
		return w.Plan, err
	}
	remotes, err := w.remotes(ctx, o.Remote)
	if err != nil {
		return w.Plan, err
	}
	if err := w.planConfig(ctx, remotes, o.Remote); err != nil {
		return w.Plan, err
	}
	if !again || len(w.Changes) > 0 {
		err = w.addManifest()
	}
	return w.Plan, err
}

// planAgent registers the agent's hooks and gives the files for git to ignore.
func (w *planner) planAgent(ctx context.Context, o Options) ([]string, error) {
	local, common := filepath.Join(w.top, localSettings), filepath.Join(w.top, sharedSettings)
	if o.Shared {
		ok, err := w.planSettings(common, settings.Shared, o)
		if err != nil || !ok {
			return nil, err
		}
		if !w.tracked(ctx, common) {
			w.remark("%s is for everybody once it is committed: git add %s", sharedSettings, agentDir)
		}
		w.tree.Shared = true
		return nil, w.planLocalBack(local)
	}
	commonData, _, err := w.editable(common, "")
	if err != nil {
		return nil, err
	}
	registered, err := settings.Registered(commonData)
	if err == nil && len(registered) == len(settings.Clients()[0].EventNames()) {
		w.remark("%s registers the hooks already, for everybody", sharedSettings)
		return nil, w.planLocalBack(local)
	}
	ok, err := w.planSettings(local, settings.Local, o, registered...)
	if err != nil || !ok {
		return nil, err
	}
	return []string{local}, nil
}

// planLocalBack takes the hooks out of a person's own settings, for they stand in the shared
// ones: not twice.
func (w *planner) planLocalBack(local string) error {
	err := w.planSettingsBack(local, w.tree.Allowed)
	w.tree.Allowed = nil
	return err
}

func (w *planner) planSettings(path string, form settings.Form, o Options, elsewhere ...string) (bool, error) {
	before, ok, err := w.editable(path, "the agent's hooks are not registered")
	if err != nil || !ok {
		return false, err
	}
	after, err := settings.Install(before, form, elsewhere...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", w.name(path), err)
	}
	if before == nil {
		w.noteMade(path)
	}
	var parts []string
	if !bytes.Equal(before, after) {
		parts = append(parts, "hooks")
	}
	if form == settings.Local && settings.ForeignStatusLine(before) {
		w.remark("the status line in %s stays as it is; git brew's is the command 'git-brew statusline'", w.name(path))
	} else if form == settings.Local && len(parts) > 0 {
		parts = append(parts, "status line")
	}
	if !o.NoAllow {
		var added []string
		if after, added, err = settings.Allow(after, settings.AllowRules()); err != nil {
			return false, fmt.Errorf("%s: %w", w.name(path), err)
		}
		if len(added) > 0 {
			parts = append(parts, "allow rules")
			list := &w.tree.Allowed
			if form == settings.Shared {
				list = &w.tree.SharedAllowed
			}
			*list = slices.Concat(*list, added)
		}
	}
	about := strings.Join(parts, ", ") + " of Claude Code"
	if n := len(parts); n > 1 {
		about = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1] + " of Claude Code"
	}
	if form == settings.Shared {
		about += ", for everybody"
	}
	w.add(Change{Path: path, About: about, Before: before, After: after})
	return true, nil
}

func (w *planner) planSettingsBack(path string, allowed []string) error {
	before, ok, err := w.editable(path, "")
	if err != nil || !ok || before == nil {
		return err
	}
	after, err := settings.Disallow(before, allowed)
	if err == nil {
		after, err = settings.Uninstall(after)
	}
	if err != nil {
		staysIn(w, path, before, err, true)
		return nil
	}
	if len(after) == 0 {
		after = nil
		if len(before) == 0 || !w.made(path) && len(w.manifest.WorkTrees) > 0 {
			after = []byte{} // it stood there empty
		}
	}
	w.add(Change{Path: path, About: "without git brew's hooks", Before: before, After: after})
	return nil
}

// Uninit plans to take out all that Init put in, and nothing else. What belongs
// to the whole repository stays while another of its work trees is set up. The
// shared settings are touched where this work tree's init did, or o.Shared says
// so. Tasks and their history stay.
func Uninit(ctx context.Context, repo *gitstore.Repo, o Options) (Plan, error) {
	w, err := newPlanner(repo, o.Namespace)
	if err != nil || o.NoAgent {
		return Plan{}, err
	}
	if w.top != "" {
		if err := w.planSettingsBack(filepath.Join(w.top, localSettings), w.tree.Allowed); err != nil {
			return w.Plan, err
		}
		if w.tree.Shared || o.Shared {
			rules := w.tree.SharedAllowed
			if !w.tree.Shared {
				rules = settings.AllowRules() // another clone's init added them
			}
			if err := w.planSettingsBack(filepath.Join(w.top, sharedSettings), rules); err != nil {
				return w.Plan, err
			}
		}
		if err := w.planTextsBack(ctx, w.tree.Shared || o.Shared); err != nil {
			return w.Plan, err
		}
		if w.tree.AgentsFile || o.Shared {
			if err := planAgentsFile(w, false, ""); err != nil {
				return w.Plan, err
			}
		}
		for _, c := range settings.Clients()[1:] { // Claude Code's are done
			if err := w.planClientBack(ctx, c, o.Shared || slices.Contains(w.tree.Agents, c.Name)); err != nil {
				return w.Plan, err
			}
		}
		w.tidy = append(w.tidy, madeIn(w.top, w.tree.Made)...)
	}
	delete(w.manifest.WorkTrees, w.key)
	if len(w.manifest.WorkTrees) > 0 {
		w.remark("another work tree is set up too: what belongs to the whole repository stays")
		err = w.addManifest()
		return w.Plan, err
	}
	if err := w.planHooksBack(ctx); err != nil {
		return w.Plan, err
	}
	if err := w.planExcludeBack(); err != nil {
		return w.Plan, err
	}
	if err := w.planConfigBack(ctx); err != nil {
		return w.Plan, err
	}
	w.add(Change{Path: manifestPath(w.repo), Before: w.stored, private: true})
	w.tidy = append(w.tidy, madeIn(repo.CommonDir, w.manifest.Made)...)
	err = w.planCacheBack()
	return w.Plan, err
}

// planCacheBack lets the cache directory go, but for texts that somebody wrote and
// that stand nowhere else.
func (w *planner) planCacheBack() error {
	dir := w.repo.CacheDir()
	w.caches = []string{dir, dir + ".lock"}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	kept := func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "edited-")
	}
	if !slices.ContainsFunc(entries, kept) {
		return nil
	}
	w.caches = w.caches[1:]
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); kept(e) {
			w.remark("%s stays: what is in it was never stored", w.name(path))
		} else {
			w.caches = append(w.caches, path)
		}
	}
	return nil
}
