package cli

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

// ShowPlan prints what a plan would change, each file as a diff.
func ShowPlan(e *Env, p setup.Plan, refs []gitstore.RefName, style ui.Style) {
	if len(p.Visible()) == 0 && len(refs) == 0 {
		e.Say("Nothing would change")
	}
	for _, ref := range refs {
		fmt.Fprintf(e.Out, "remove %s\n", ui.Safe(string(ref)))
	}
	for _, c := range p.Visible() {
		fmt.Fprintf(e.Out, "%s %s\n", c.Kind(), ui.Safe(c.Name))
		fmt.Fprint(e.Out, ui.Diff(style, c.Diff()))
	}
}
