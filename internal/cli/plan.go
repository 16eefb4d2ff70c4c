package cli

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

func ShowPlan(e *Env, p setup.Plan, refs []gitstore.RefName, style ui.Style) {
	if len(p.Visible()) == 0 && len(refs) == 0 {
		e.Say("Nothing would change")
	}
	for _, ref := range refs {
		fmt.Fprintf(e.Out, "remove %s\n", ui.Safe(string(ref)))
	}
	for _, c := range p.Visible() {
		fmt.Fprintf(e.Out, "%s %s\n", c.Kind(), ui.Safe(c.Name))
		for _, line := range strings.Split(strings.TrimSuffix(c.Diff(), "\n"), "\n") {
			shown := ui.SafeLines(line)
			switch {
			case line == "":
			case line[0] == '+':
				shown = style.Good(shown)
			case line[0] == '-':
				shown = style.Bad(shown)
			case line[0] == '@':
				shown = style.Busy(shown)
			}
			fmt.Fprintln(e.Out, shown)
		}
	}
}
