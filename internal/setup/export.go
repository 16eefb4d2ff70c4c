package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/plugin"
)

// Export plans the plugin's files, with what clients and their marketplaces read, for a
// directory of their own, which need not be there. What somebody changed there stays; hooks
// that are git brew's alone are its own, and a text of its own that is no more goes.
func Export(dir, version string) (Plan, error) {
	texts := plugin.InPlugin(version)
	files := append(slices.Clip(texts), plugin.File{Path: ".claude-plugin/plugin.json", Data: plugin.Manifest()},
		plugin.File{Path: ".claude-plugin/marketplace.json", Data: plugin.Marketplace()},
		plugin.File{Path: "hooks/hooks.json", Data: settings.PluginHooks()})
	about := []string{"what the plugin is", "the directory as a marketplace that lists it", "its hooks"}
	var p Plan
	for i, f := range files {
		c := Change{Path: filepath.Join(dir, filepath.FromSlash(f.Path)), Name: f.Path, After: f.Data}
		if i < len(texts) {
			c.About, c.Text = textWord(f.Kind()), f.Kind()
		} else {
			c.About = about[i-len(texts)]
		}
		before, _, err := readRegular(c.Path)
		if err != nil {
			return p, fmt.Errorf("%s: %w", c.Path, err)
		}
		c.Before = before
		ours := plugin.OwnerOf(before) == plugin.Ours || f.Path == "hooks/hooks.json" && settings.OnlyPluginHooks(before)
		switch {
		case before == nil, ours && !plugin.Same(before, f.Data):
			p.Changes = append(p.Changes, c)
		case !plugin.Same(before, f.Data):
			p.Kept = append(p.Kept, c)
		}
	}
	err := dropExported(&p, dir, texts)
	return p, err
}

// dropExported plans to remove the texts of ours that the plugin has no more. Those with the
// names of a project's are init's.
func dropExported(p *Plan, dir string, texts []plugin.File) error {
	for _, pattern := range []string{plugin.Skills + "/*/SKILL.md", plugin.Agents + "/*.md"} {
		kind, _, _ := strings.Cut(pattern, "/")
		paths, err := filepath.Glob(filepath.Join(globbed(dir), pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(rel)
			kept := slices.ContainsFunc(texts, func(f plugin.File) bool { return f.Path == name })
			if kept || strings.HasPrefix(name, kind+"/brew-") {
				continue
			}
			before, _, err := readRegular(path)
			if err != nil || plugin.OwnerOf(before) != plugin.Ours {
				continue // a link, say, is none of ours
			}
			p.Changes = append(p.Changes, Change{
				Path: path, Name: name, About: textWord(kind), Before: before, Text: kind,
			})
			if kind == plugin.Skills {
				p.tidy = append(p.tidy, filepath.Dir(path))
			}
		}
	}
	return nil
}
