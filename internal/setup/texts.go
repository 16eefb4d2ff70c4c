package setup

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/plugin"
)

// placed are the plugin's files in a work tree: those that git need not see, and those
// that it shall.
type placed struct{ unseen, shown []string }

// commonDir is where the other clients look for skills, all of them; for agents each has a
// place and a form of its own.
const commonDir = ".agents"

// kindsIn are the kinds of the plugin's files that go into a directory of the work tree.
func kindsIn(name string) []string {
	if name == commonDir {
		return []string{plugin.Skills}
	}
	return []string{plugin.Skills, plugin.Agents}
}

// textsDir is where a kind of files goes: links followed, so that two names of one directory
// are one, and git knows the files by the same name. errForeign: it is no place of ours.
func (w *planner) textsDir(name, kind string) (string, error) {
	dir := filepath.Join(w.top, name)
	if err := w.inside(filepath.Join(dir, kind, "file")); err != nil {
		return "", err
	}
	for _, at := range []string{filepath.Join(dir, kind), dir} {
		real, err := filepath.EvalSymlinks(at)
		if err != nil {
			continue // it is not there yet
		}
		below, _ := filepath.Rel(at, filepath.Join(dir, kind))
		if top, err := filepath.EvalSymlinks(w.top); err == nil && within(top, real) {
			inTop, _ := filepath.Rel(top, real) // as it is within
			return filepath.Join(w.top, inTop, below), nil
		}
	}
	return filepath.Join(dir, kind), nil
}

// planTexts puts the plugin's skills into a directory of the work tree, and where that is
// Claude Code's its agents. What somebody changed, or wrote, stays; so does what git keeps,
// where shared does not say otherwise.
func (w *planner) planTexts(ctx context.Context, name, version string, shared bool) (placed, error) {
	var at placed
	if err := w.inside(filepath.Join(w.top, name, "file")); errors.Is(err, errForeign) {
		if name == commonDir { // of the other one the settings there say so
			w.remark("%s: %v; git brew's skills are not put there", name, err)
		}
		return at, nil
	}
	outdated := false
	for _, kind := range kindsIn(name) {
		dir, err := w.textsDir(name, kind)
		if errors.Is(err, errForeign) {
			w.remark("%s/%s: %v; git brew's %s are not put there", name, kind, err, kind)
			continue
		}
		if err != nil {
			return at, err
		}
		tracked, err := w.trackedOf(ctx, w.name(dir))
		if err != nil {
			return at, err
		}
		var keep []string
		for _, f := range plugin.InProject(version) {
			if f.Kind() != kind {
				continue
			}
			path := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(f.Path, kind+"/")))
			keep = append(keep, path)
			if tracked[w.name(path)] && !shared {
				before, ok, err := w.editable(path, "")
				if err != nil {
					return at, err
				}
				owner := plugin.OwnerOf(before)
				if ok && before != nil && owner == plugin.Theirs {
					remarkTheirs(w, w.name(path))
				}
				outdated = outdated || ok && owner == plugin.Ours && !plugin.Same(before, f.Data)
				continue
			}
			switch ours, err := w.planText(path, f); {
			case err != nil:
				return at, err
			case ours && shared:
				at.shown = append(at.shown, path)
			case ours:
				at.unseen = append(at.unseen, path)
			}
		}
		if err := w.dropTexts(dir, kind, tracked, shared, keep); err != nil {
			return at, err
		}
	}
	if outdated {
		w.remark("skills or agents in git are of another version; 'git brew init --shared' renews them")
	}
	return at, nil
}

// planText plans one file of the plugin, and tells whether it is, or becomes, ours.
func (w *planner) planText(path string, f plugin.File) (ours bool, err error) {
	if w.plans(path) { // two names of one directory
		return true, nil
	}
	return w.planOwn(Change{Path: path, About: textWord(f.Kind()), After: f.Data, Text: f.Kind()})
}

// planOwn plans a file that is git brew's as a whole, unless somebody changed or wrote it.
func (w *planner) planOwn(c Change) (ours bool, err error) {
	before, ok, err := w.editable(c.Path, "it is not put there")
	if err != nil || !ok {
		return false, err
	}
	c.Name, c.Before = w.name(c.Path), before
	switch owner := plugin.OwnerOf(before); {
	case before == nil:
		w.noteMade(c.Path)
		w.add(c)
	case owner == plugin.Theirs:
		remarkTheirs(w, c.Name)
		return false, nil
	case owner == plugin.Ours && !plugin.Same(before, c.After):
		w.add(c)
	case owner == plugin.Changed && !plugin.Same(before, c.After):
		w.Kept = append(w.Kept, c)
	}
	return true, nil
}

func remarkTheirs(w *planner, name string) {
	w.remark("%s is yours and stays; git brew's file of that name is not put there", name)
}

// planTextsBack takes the plugin's files out again, but for those that somebody changed;
// those that git keeps where shared says so, or where they were put in here.
func (w *planner) planTextsBack(ctx context.Context, shared bool) error {
	for _, name := range []string{agentDir, commonDir} {
		for _, kind := range kindsIn(name) {
			dir, err := w.textsDir(name, kind)
			if errors.Is(err, errForeign) {
				continue
			}
			var tracked map[string]bool
			if err == nil {
				tracked, err = w.trackedOf(ctx, w.name(dir))
			}
			if err == nil {
				err = w.dropTexts(dir, kind, tracked, shared, nil)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// dropTexts plans to remove the files of a plugin of ours, but for those that are kept.
func (w *planner) dropTexts(dir, kind string, tracked map[string]bool, shared bool, keep []string) error {
	pattern := map[string]string{plugin.Skills: "brew-*/SKILL.md", plugin.Agents: "brew-*.md"}[kind]
	paths, err := filepath.Glob(filepath.Join(globbed(dir), pattern))
	if err != nil {
		return err
	}
	for _, path := range paths {
		kept := tracked[w.name(path)] && !shared && !w.made(path)
		if kept || slices.Contains(keep, path) || w.plans(path) {
			continue
		}
		if err := w.dropText(dir, path, kind, keep != nil, tracked[w.name(path)]); err != nil {
			return err
		}
	}
	return nil
}

// plans reports that the plan changes a file, or shows that it does not.
func (w *planner) plans(path string) bool {
	return slices.ContainsFunc(slices.Concat(w.Changes, w.Kept), func(c Change) bool { return c.Path == path })
}

// dropText plans to remove one file. Of one that git keeps the directories go, too, as git has it.
func (w *planner) dropText(dir, path, kind string, quiet, tracked bool) error {
	before, ok, err := w.editable(path, "")
	if err != nil || !ok {
		return err
	}
	switch owner := plugin.OwnerOf(before); {
	case owner == plugin.Ours:
		w.add(Change{Path: path, About: textWord(kind), Before: before, Text: kind})
		if kind == plugin.Skills {
			w.tidy = append(w.tidy, filepath.Dir(path))
		}
		if tracked {
			w.tidy = append(w.tidy, dir, filepath.Dir(dir))
		}
	case owner == plugin.Changed && !quiet:
		w.remark("%s was changed by hand and stays", w.name(path))
	}
	return nil
}
