package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/plugin"
)

// planAgents registers the hooks of each client that is asked for, and gives the files that
// git need not see, and those that it shall.
func (w *planner) planAgents(ctx context.Context, o Options) (unseen, shown []string, err error) {
	if w.top == "" {
		w.remark("there is no work tree here, so no agent is set up")
		return nil, nil, nil
	}
	others := false // than Claude Code
	for _, c := range settings.Clients() {
		name := c.Name
		asked := slices.Contains(o.Agents, name) || len(o.Agents) == 0 && name == claudeCode
		var files, texts []string
		switch {
		case !asked:
		case name == claudeCode:
			files, err = w.planAgent(ctx, o)
			if err = leftOut(w, err, o); err != nil {
				return nil, nil, err
			}
			at, err := w.planTexts(ctx, agentDir, o.Version, o.Shared || w.tree.Shared)
			if err != nil {
				return nil, nil, err
			}
			files, texts = append(files, at.unseen...), at.shown
		default:
			files, texts, err = w.planClient(ctx, c, o)
			err, others = leftOut(w, err, o), true
		}
		if err != nil {
			return nil, nil, err
		}
		unseen, shown = append(unseen, files...), append(shown, texts...)
	}
	if !others {
		return unseen, shown, nil
	}
	at, err := w.planTexts(ctx, commonDir, o.Version, o.Shared)
	for _, path := range at.unseen {
		if !slices.Contains(shown, path) && !slices.Contains(unseen, path) { // by another name
			unseen = append(unseen, path)
		}
	}
	return unseen, append(shown, at.shown...), err
}

// leftOut remarks that a client is not set up, where others are and its file can't be edited.
func leftOut(w *planner, err error, o Options) error {
	if len(o.Agents) < 2 || !errors.Is(err, settings.ErrSettings) {
		return err
	}
	w.remark("%v; its hooks are not registered", err)
	return nil
}

// staysIn remarks that settings which can't be read are left alone, and what they still do.
func staysIn(w *planner, path string, data []byte, err error, known bool) {
	switch {
	case bytes.Contains(data, []byte(`"git-brew hook`)), bytes.Contains(data, []byte("exec git-brew hook")):
		w.remark("%s: %v; git brew's lines stay in it: take them out by hand", w.name(path), err)
	case known:
		w.remark("%s: %v; it is left alone", w.name(path), err)
	}
}

// HasClient reports whether a client keeps a directory in a work tree.
func HasClient(top string, c settings.Client) bool {
	if top == "" || c.Name == "copilot" { // .github is everybody's
		return false
	}
	dir, _, _ := strings.Cut(c.Local, "/")
	info, err := os.Stat(filepath.Join(top, dir))
	return err == nil && info.IsDir()
}

// OtherClient reports whether another client than Claude Code has git brew's hooks here.
func OtherClient(repo *gitstore.Repo) bool {
	w := planner{repo: repo, top: repo.WorkTree}
	return slices.ContainsFunc(settings.Clients()[1:], func(c settings.Client) bool {
		data, err := w.read(filepath.Join(w.top, filepath.FromSlash(c.Local)))
		if err != nil || data == nil || c.Text != "" {
			return err == nil && data != nil
		}
		events, err := c.Registered(data)
		return err == nil && len(events) > 0
	})
}

const claudeCode = "claude-code"

// planClient puts the hooks into a client's file, and gives it for git to ignore where it
// is a person's own, and to show where it is for everybody.
func (w *planner) planClient(ctx context.Context, c settings.Client, o Options) (unseen, shown []string, err error) {
	name, form := c.Local, settings.Local
	if o.Shared {
		name, form = c.Shared, settings.Shared
	}
	path := filepath.Join(w.top, filepath.FromSlash(name))
	about := "hooks of " + c.Title
	if o.Shared {
		about += ", for everybody"
	}
	if c.Text != "" {
		ours, err := w.planOwn(Change{Path: path, About: about, After: plugin.MarkScript(c.Text, o.Version)})
		if err != nil || !ours {
			return nil, nil, err
		}
	} else {
		before, ok, err := w.editable(path, c.Title+"'s hooks are not registered")
		if err != nil || !ok {
			return nil, nil, err
		}
		after := before
		if o.Shared {
			after, err = c.WithoutLocal(before)
		}
		if err == nil {
			after, err = c.Install(after, form)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", w.name(path), err)
		}
		if before == nil {
			w.noteMade(path)
		}
		w.add(Change{Path: path, About: about, Before: before, After: after})
	}
	changed := w.plans(path)
	if changed && !slices.Contains(w.tree.Agents, c.Name) {
		w.tree.Agents = append(w.tree.Agents, c.Name)
	}
	if c.Name == "codex" && changed {
		w.remark("Codex CLI runs new hooks once you trust them: /hooks in it")
		w.remark("in Codex CLI a skill is typed as $brew-spec")
	}
	if !o.Shared {
		return []string{path}, nil, nil
	}
	tracked, err := w.trackedOf(ctx, name)
	if err == nil && !tracked[name] {
		w.remark("%s is for everybody once it is committed: git add %s", name, name)
	}
	return nil, []string{path}, err
}

// planClientBack takes a client's hooks out again where they are known to be put in here, or
// where git does not keep the file.
func (w *planner) planClientBack(ctx context.Context, c settings.Client, known bool) error {
	path := filepath.Join(w.top, filepath.FromSlash(c.Local))
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // there is nothing of ours
	}
	before, ok, err := w.editable(path, "")
	if err != nil || !ok || before == nil {
		return err
	}
	if !known {
		tracked, err := w.trackedOf(ctx, c.Local)
		if err != nil || tracked[c.Local] {
			return err
		}
	}
	var after []byte
	switch {
	case c.Text == "":
		if after, err = c.Uninstall(before, w.made(path)); err != nil {
			staysIn(w, path, before, err, known)
			return nil
		}
	case plugin.OwnerOf(before) != plugin.Ours:
		if known {
			w.remark("%s was changed, and stays as it is", c.Local)
		}
		return nil
	}
	if len(after) == 0 {
		after = nil
		if c.Text == "" && (len(before) == 0 || !w.made(path) && len(w.manifest.WorkTrees) > 0) {
			after = []byte{} // it stood there empty
		}
	}
	w.tree.Agents = slices.DeleteFunc(w.tree.Agents, func(name string) bool { return name == c.Name })
	w.add(Change{Path: path, About: "without git brew's hooks", Before: before, After: after})
	return nil
}
