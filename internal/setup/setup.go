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
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/settings"
)

// Options say what to set up, or to take out.
type Options struct {
	// NoAgent leaves the agent's settings alone.
	NoAgent bool
	// NoAllow adds none of the rules by which the agent is not asked about git
	// brew's own commands.
	NoAllow bool
	// Shared registers the agent's hooks in the settings that are committed.
	Shared bool
	// Remote is the one that state is shared with; empty: git fetch brings
	// tasks from every remote, and which one is shared with stays open.
	Remote string
	// Namespace is what the names of records begin with on remotes, with a
	// slash at its end: config.Config.Namespace. Empty: ledger.Prefix.
	Namespace string
}

// The agent's settings files, relative to the work tree.
const (
	localSettings  = ".claude/settings.local.json"
	sharedSettings = ".claude/settings.json"
)

// Init plans what to add. What is there already is no part of the plan, so that
// a second init has nothing to do. The errors are ErrNoRemote and
// settings.ErrSettings, and what reading files gives.
func Init(ctx context.Context, repo *gitstore.Repo, o Options) (Plan, error) {
	w := place{repo, repo.WorkTree(), o.Namespace}
	var p Plan
	m, before, err := w.manifest()
	if err != nil {
		return p, err
	}
	m.noteMade(w, w.manifestPath(), false)
	_, again := m.WorkTrees[w.key()]
	if !again {
		m.WorkTrees[w.key()] = workTree{}
	}
	var unseen []string // files in the work tree that git need not see
	if !o.NoAgent {
		if unseen, err = w.planAgent(ctx, &p, &m, o); err != nil {
			return p, err
		}
	}
	made, err := w.planHooks(ctx, &p, &m)
	if err != nil {
		return p, err
	}
	if unseen = append(unseen, made...); len(unseen) > 0 {
		if err := w.planExclude(ctx, &p, &m, unseen); err != nil {
			return p, err
		}
	}
	remotes, err := w.remotes(ctx, o.Remote)
	if err != nil {
		return p, err
	}
	if err := w.planConfig(ctx, &p, &m, remotes, o.Remote); err != nil {
		return p, err
	}
	if again && len(p.Changes) == 0 {
		return p, nil
	}
	return w.withManifest(p, m, before)
}

// withManifest is the plan with the manifest before all else, so that what a
// cut-off init made can be taken out.
func (w place) withManifest(p Plan, m manifest, before []byte) (Plan, error) {
	after, err := m.encode()
	if err != nil {
		return p, err
	}
	whole := Plan{Remarks: p.Remarks}
	whole.add(Change{Path: w.manifestPath(), Name: w.name(w.manifestPath()), Before: before, After: after, private: true})
	whole.Changes = append(whole.Changes, p.Changes...)
	return whole, nil
}

// planAgent registers the agent's hooks and gives the files for git to ignore.
func (w place) planAgent(ctx context.Context, p *Plan, m *manifest, o Options) ([]string, error) {
	if w.top == "" {
		p.remark("there is no work tree here, so no agent is set up")
		return nil, nil
	}
	local, common := filepath.Join(w.top, localSettings), filepath.Join(w.top, sharedSettings)
	commonData, err := w.read(common)
	if err != nil && !errors.Is(err, errForeign) {
		return nil, err
	}
	registered, regErr := settings.Registered(commonData)
	if !o.Shared && regErr == nil && len(registered) == len(claude.Events()) {
		p.remark("%s registers the hooks already, for everybody", sharedSettings)
		return nil, nil
	}
	if o.Shared {
		before := m.WorkTrees[w.key()].Allowed
		ok, err := w.planSettings(p, m, common, settings.Shared, o)
		if err != nil || !ok {
			return nil, err
		}
		if !w.tracked(ctx, common) {
			p.remark("%s is for everybody once it is committed: git add %s", sharedSettings, sharedSettings)
		}
		t := m.WorkTrees[w.key()]
		t.Shared = true
		m.WorkTrees[w.key()] = t
		return nil, w.planSettingsBack(p, *m, local, before) // not twice
	}
	ok, err := w.planSettings(p, m, local, settings.Local, o)
	if err != nil || !ok {
		return nil, err
	}
	return []string{local}, nil
}

func (w place) planSettings(p *Plan, m *manifest, path string, form settings.Form, o Options) (bool, error) {
	before, err := w.read(path)
	if errors.Is(err, errForeign) {
		p.remark("%s: %v; the agent's hooks are not registered", w.name(path), err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	after, err := settings.Install(before, form)
	if err != nil {
		return false, fmt.Errorf("%s: %w", w.name(path), err)
	}
	if before == nil {
		m.noteMade(w, path, true)
	}
	var parts []string
	if !bytes.Equal(before, after) {
		parts = append(parts, "hooks")
	}
	if form == settings.Local && settings.ForeignStatusLine(before) {
		p.remark("the status line in %s stays as it is; git brew's is the command 'git-brew statusline'", w.name(path))
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
			t := m.WorkTrees[w.key()]
			t.Allowed = append(t.Allowed[:len(t.Allowed):len(t.Allowed)], added...)
			m.WorkTrees[w.key()] = t
		}
	}
	p.add(Change{Path: path, Name: w.name(path), About: aboutAgent(parts, form), Before: before, After: after})
	return true, nil
}

// aboutAgent says what of git brew's goes into the agent's settings.
func aboutAgent(parts []string, form settings.Form) string {
	about := ""
	for i, part := range parts {
		switch {
		case i == 0:
			about = part
		case i == len(parts)-1:
			about += " and " + part
		default:
			about += ", " + part
		}
	}
	if about += " of Claude Code"; form == settings.Shared {
		about += ", for everybody"
	}
	return about
}

func (w place) planSettingsBack(p *Plan, m manifest, path string, allowed []string) error {
	before, err := w.read(path)
	if errors.Is(err, errForeign) || before == nil && err == nil {
		return nil
	}
	if err != nil {
		return err
	}
	after, err := settings.Disallow(before, allowed)
	if err == nil {
		after, err = settings.Uninstall(after)
	}
	if err != nil {
		p.remark("%s: %v; it is left alone", w.name(path), err)
		return nil
	}
	if len(after) == 0 {
		after = nil
		if len(before) == 0 || !m.made(w, path) && len(m.WorkTrees) > 0 {
			after = []byte{} // it stood there empty
		}
	}
	p.add(Change{Path: path, Name: w.name(path), About: "without git brew's hooks", Before: before, After: after})
	return nil
}

// Uninit plans to take out all that Init put in, and nothing else. What belongs
// to the whole repository stays while another of its work trees is set up. The
// shared settings are touched where this work tree's init did, or o.Shared says
// so. Tasks and their history stay.
func Uninit(ctx context.Context, repo *gitstore.Repo, o Options) (Plan, error) {
	w := place{repo, repo.WorkTree(), o.Namespace}
	var p Plan
	m, before, err := w.manifest()
	if err != nil {
		return p, err
	}
	t := m.WorkTrees[w.key()]
	if w.top != "" && !o.NoAgent {
		if err := w.planSettingsBack(&p, m, filepath.Join(w.top, localSettings), t.Allowed); err != nil {
			return p, err
		}
		if t.Shared || o.Shared {
			rules := t.Allowed
			if !t.Shared {
				rules = settings.AllowRules() // another clone's init added them
			}
			if err := w.planSettingsBack(&p, m, filepath.Join(w.top, sharedSettings), rules); err != nil {
				return p, err
			}
		}
		p.tidy = append(p.tidy, madePaths(w.top, t.Made)...)
	}
	if o.NoAgent {
		return p, nil
	}
	delete(m.WorkTrees, w.key())
	if len(m.WorkTrees) > 0 {
		p.remark("another work tree is set up too: what belongs to the whole repository stays")
		after, err := m.encode()
		if err == nil {
			p.add(Change{Path: w.manifestPath(), Name: w.name(w.manifestPath()), Before: before, After: after, private: true})
		}
		return p, err
	}
	m.WorkTrees[w.key()] = t // so that what was made here is known
	if err := w.planHooksBack(ctx, &p); err != nil {
		return p, err
	}
	if err := w.planExcludeBack(&p, m); err != nil {
		return p, err
	}
	if err := w.planConfigBack(ctx, &p, m); err != nil {
		return p, err
	}
	p.add(Change{Path: w.manifestPath(), Name: w.name(w.manifestPath()), Before: before, private: true})
	p.tidy = append(p.tidy, madePaths(repo.CommonDir(), m.Made)...)
	return p, w.planCacheBack(&p)
}

// planCacheBack lets the cache directory go, but for texts that somebody wrote and
// that stand nowhere else.
func (w place) planCacheBack(p *Plan) error {
	dir := w.repo.CacheDir()
	p.caches = []string{dir, dir + ".lock"}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	kept := func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "edited-") || strings.HasPrefix(e.Name(), "broken-")
	}
	if !slices.ContainsFunc(entries, kept) {
		return nil
	}
	p.caches = p.caches[1:]
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); kept(e) {
			p.remark("%s stays: what is in it was never stored", w.name(path))
		} else {
			p.caches = append(p.caches, path)
		}
	}
	return nil
}
