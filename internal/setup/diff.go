package setup

import "github.com/git-brew/git-brew/internal/task/linemerge"

// Diff is the change as git would show it.
func (c Change) Diff() string {
	if c.MovedFrom != "" {
		return "rename to " + c.Name + "\n"
	}
	from, to := "a/"+c.Name, "b/"+c.Name
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	return linemerge.Unified(from, to, c.Before, c.After)
}
