package view

import (
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

// Plan tells what a plan changes, and of a dry run how: `init` and `uninit`.
func Plan(p setup.Plan, refs []gitstore.RefName, dry bool) ui.Object {
	changes := []ui.Object{}
	for _, c := range p.Visible() {
		diff := ""
		if dry {
			diff = c.Diff()
		}
		changes = append(changes, ui.Object{
			"kind", c.Kind(), "file", c.Name, "path", c.Path, "from?", c.MovedFrom, "about", c.About, "diff?", diff,
		})
	}
	return ui.Object{"dry_run", dry, "changes", changes, "refs?", refs, "remarks", p.Remarks}
}
